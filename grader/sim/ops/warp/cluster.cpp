#include "grader/sim/ops/warp/cluster.h"

#include "grader/diagnostics/messages/faults.h"

#include <bit>
#include <string>

namespace cudalabs::sim {
namespace {

template <class Address>
void mapa(Exec& x, const Inst& inst, std::uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (const std::uint32_t rank = slot<std::uint32_t>(x, inst.b)[lane]; rank != 0) {
      x.fail(FaultKind::OutOfBounds, lane, msg::cluster_rank_wrong(rank), msg::cluster_rank_advice());
      return;
    }
    slot<Address>(x, inst.d)[lane] = slot<Address>(x, inst.a)[lane];
  }
}

}  // namespace

Handler mapa_handler(bool wide) { return wide ? mapa<std::uint64_t> : mapa<std::uint32_t>; }

}  // namespace cudalabs::sim
