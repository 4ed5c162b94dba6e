#include "grader/sim/ops/memory/async_copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "grader/sim/ops/memory/memory_access.h"

namespace cudalabs::sim {

void AsyncCopies::add(Exec& x, const Copy& copy) {
  // A device has a limit, too.
  constexpr std::size_t kMax = 1024;
  if (copies_.size() >= kMax) {
    put(x, copies_.front(), copies_.front().mask);
    copies_.erase(copies_.begin());
  }
  copies_.push_back(copy);
  copies_.back().groups = groups_;
}

void AsyncCopies::commit(std::uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) ++groups_[static_cast<std::size_t>(std::countr_zero(mask))];
}

void AsyncCopies::land(Exec& x, std::uint32_t mask, std::int64_t left) {
  for (Copy& copy : copies_) {
    std::uint32_t lanes = 0;
    for (std::uint32_t l = 0; l < kLanes; ++l) {
      const bool there = left == kNotEvenOpen || copy.groups[l] + left < std::int64_t{groups_[l]};
      lanes |= static_cast<std::uint32_t>(there) << l;
    }
    lanes &= copy.mask & mask;
    if (lanes == 0) continue;
    put(x, copy, lanes);
    copy.mask &= ~lanes;
  }
  std::erase_if(copies_, [](const Copy& copy) { return copy.mask == 0; });
}

void AsyncCopies::put(Exec& x, const Copy& copy, std::uint32_t lanes) {
  if (!x.every_access.empty()) {
    report_loads(x);
    std::array<std::uint32_t, kLanes> offsets = copy.offsets;
    patch_inactive(offsets.data(), lanes);
    const StoreData data = copy.stored();
    WarpAccess access;
    access.kind = AccessKind::Store;
    access.space = AccessSpace::Shared;
    access.form = AccessForm::Copy;
    access.width = copy.width;
    access.mask = lanes;
    access.offsets = offsets.data();
    access.program = copy.program;
    access.instruction = copy.instruction;
    access.warp = x.warp;
    access.memory = x.shared;
    access.stored = &data;
    for (WorkerObserver* observer : x.every_access) observer->copy_landed(access);
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(lanes));
    std::memcpy(x.shared + copy.offsets[l], copy.bytes.data() + l * kMaxBytes, copy.width);
  }
}

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
    } else {
      // A partial read need not be in bounds as a whole. From an address that is not aligned to the whole
      // size, an H200 silently copies other bytes (2026-11-27); only a whole copy faults there.
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
        const bool aligned = from[i] % width == 0;  // to the full size of the copy
        if (aligned && x.global->find(from[i]).holds(from[i], wanted[i])) continue;
        global_fault(x, inst, 1u << i, aligned ? std::bit_floor(wanted[i]) : width, AccessKind::Load);
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
  if (*x.copies == nullptr) *x.copies = std::make_unique<AsyncCopies>();
  AsyncCopies::Copy copy;
  copy.program = x.activation->program;
  copy.instruction = x.pc;
  copy.width = width;
  copy.mask = mask;
  std::memcpy(copy.offsets.data(), x.offsets, sizeof copy.offsets);
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    if (wanted[i] != 0)
      std::memcpy(copy.bytes.data() + i * AsyncCopies::kMaxBytes, x.global_host + from[i], wanted[i]);
  }
  if (!x.every_access.empty()) x.stored = copy.stored();
  observe(x, x.observers, AccessKind::Store, AccessSpace::Shared, width, mask, AccessForm::Copy);
  x.stored = {};  // `copy` is destroyed after this
  (*x.copies)->add(x, copy);
}

void async_commit(Exec& x, const Inst&, std::uint32_t mask) {
  if (*x.copies != nullptr) (*x.copies)->commit(mask);
}

void async_wait(Exec& x, const Inst& inst, std::uint32_t mask) {
  if (*x.copies != nullptr) (*x.copies)->land(x, mask, inst.imm);
}

}  // namespace

Handler async_copy_handler(bool wide_shared) { return wide_shared ? async_copy<true> : async_copy<false>; }
Handler async_commit_handler() { return async_commit; }
Handler async_wait_handler() { return async_wait; }

}  // namespace cudalabs::sim
