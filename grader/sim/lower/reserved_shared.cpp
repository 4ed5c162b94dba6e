#include "grader/sim/lower/reserved_shared.h"

#include <algorithm>

namespace cudalabs::sim {

std::optional<std::uint32_t> reserved_shared_offset(ptx::Special special) {
  using enum ptx::Special;
  switch (special) {
    case ReservedSmemBegin:
    case ReservedSmem0: return 0;
    case ReservedSmem1: return kReservedShared / 2;
    case ReservedSmemEnd:
    case ReservedSmemCap: return kReservedShared;
    default: return std::nullopt;
  }
}

std::uint32_t reserved_shared_bytes(const ptx::Module& module) {
  const auto names_it = [](const ptx::Operand& o) {
    return o.kind == ptx::OperandKind::Special && reserved_shared_offset(o.special);
  };
  const auto reads_it = [&](const ptx::Instruction& in) {
    return in.op == ptx::Op::Mov && std::ranges::any_of(in.operands, names_it);
  };
  const bool used = std::ranges::any_of(
      module.functions, [&](const ptx::Function& f) { return std::ranges::any_of(f.body, reads_it); });
  return used ? kReservedShared : 0;
}

}  // namespace cudalabs::sim
