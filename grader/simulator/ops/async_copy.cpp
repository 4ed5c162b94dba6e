// cp.async: global to shared memory in one instruction.

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/ops/memory_access.h"
#include "grader/simulator/ops/memory_ops.h"

namespace cudalabs::sim {
namespace {

template <bool WideShared>
void async_copy(Exec& x, const Inst& inst, std::uint32_t mask) {
  const std::uint32_t width = inst.width;
  alignas(64) std::uint32_t wanted[kLanes];
  const std::uint32_t ignored = inst.c == kNone ? 0 : predicate(x, inst.c);
  std::uint32_t whole = 0, part = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    wanted[i] = inst.b == kNone ? width : std::min(slot<std::uint32_t>(x, inst.b)[i], width);
    if ((ignored >> i) & 1) wanted[i] = 0;
    if (wanted[i] == width)
      whole |= 1u << i;
    else if (wanted[i] != 0)
      part |= 1u << i;
    x.addresses[i] = slot<std::uint64_t>(x, inst.a)[i] + static_cast<std::uint64_t>(inst.imm);
  }
  alignas(64) std::uint64_t from[kLanes];
  std::memcpy(from, x.addresses, sizeof from);
  for (const std::uint32_t lanes : {whole & mask, part & mask}) {
    if (lanes == 0) continue;
    std::memcpy(x.addresses, from, sizeof from);
    patch_inactive(x.addresses, lanes);
    if (lanes == (whole & mask)) {
      if (!check_global(x, inst, lanes, width, AccessKind::Load)) return;
    } else {  // a partial read need not lie in bounds as a whole
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        if (x.global->find(from[i]).holds(from[i], wanted[i])) continue;
        global_fault(x, inst, 1u << i, std::bit_floor(wanted[i]), AccessKind::Load);
        return;
      }
    }
    observe(x, x.observers, AccessKind::Load, AccessSpace::Global, width, lanes);
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::uint64_t base =
        WideShared ? slot<std::uint64_t>(x, inst.d)[i] : slot<std::uint32_t>(x, inst.d)[i];
    x.offsets[i] = static_cast<std::uint32_t>(base) + inst.extra;
  }
  patch_inactive(x.offsets, mask);
  if (!check_shared(x, inst, mask, width, AccessKind::Store)) return;
  constexpr std::uint32_t kMost = 16;  // bytes of a lane
  alignas(64) std::byte copied[kLanes * kMost] = {};
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    if (wanted[i] != 0) std::memcpy(copied + i * kMost, x.global_host + from[i], wanted[i]);
  }
  // Lanes without an element of their own may copy a neighbour's once more, as cooperative groups do: whoever
  // looks for races must see that they write the same.
  if (!x.every_access.empty()) {
    x.stored = {};
    x.stored.program = x.activation->program;
    x.stored.instruction = x.pc;
    x.stored.count = 1;
    x.stored.element_bytes = static_cast<std::uint8_t>(width);
    x.stored.lane_bytes = kMost;
    x.stored.elements[0] = copied;
  }
  observe(x, x.observers, AccessKind::Store, AccessSpace::Shared, width, mask, AccessForm::Copy);
  x.stored = {};  // `copied` is gone after this
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    std::memcpy(x.shared + x.offsets[i], copied + i * kMost, width);
  }
}

}  // namespace

Handler async_copy_handler(bool wide_shared) { return wide_shared ? async_copy<true> : async_copy<false>; }

}  // namespace cudalabs::sim
