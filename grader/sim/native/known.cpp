#include "grader/sim/native/known.h"

#include <unordered_map>

#include "grader/sim/ops/warp/warp_ops.h"

namespace cudalabs::sim {
namespace {

using Table = std::unordered_map<Handler, Known>;

Table make_table() {
  Table table;
  for (std::uint16_t op = 0; op < static_cast<std::uint16_t>(Arith::Count); ++op) {
    const auto arith = static_cast<Arith>(op);
    table.try_emplace(arithmetic_handler(arith).full, Known{Known::Kind::Arithmetic, arith, {}, {}, false});
  }
  for (std::uint8_t s = 0; s < static_cast<std::uint8_t>(MemorySpace::Count); ++s) {
    const auto space = static_cast<MemorySpace>(s);
    if (space == MemorySpace::ParamArea) continue;  // its data is in the frame
    for (std::uint8_t e = 0; e < static_cast<std::uint8_t>(Element::Count); ++e) {
      const auto element = static_cast<Element>(e);
      for (const bool wide : {false, true}) {
        for (const bool store : {false, true}) {
          table.try_emplace(memory_handlers(space, element, wide, store).full,
                            Known{store ? Known::Kind::Store : Known::Kind::Load, {}, space, element, wide});
        }
      }
    }
  }
  for (std::uint8_t op = 0; op < static_cast<std::uint8_t>(WarpOp::Count); ++op) {
    table.try_emplace(warp_handler(static_cast<WarpOp>(op)), Known{Known::Kind::Warp, {}, {}, {}, false});
  }
  return table;
}

}  // namespace

Known known(const Inst& inst) {
  static const Table table = make_table();
  const auto found = table.find(inst.full);
  return found == table.end() ? Known{} : found->second;
}

}  // namespace cudalabs::sim
