#pragma once
// Translates and checks the addresses of a warp; shared by loads, stores and atomics.

#include <bit>
#include <cstdint>

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// `inside`: it is a store to a parameter, not an access past the last one.
void parameter_fault(Exec& x, std::uint32_t lane, bool inside);
/// The slow path of check_*: finds the first faulting lane and sets x.fault.
void global_fault(Exec& x, const Inst& inst, std::uint32_t mask, std::uint32_t width, AccessKind kind);
void shared_fault(Exec& x, const Inst& inst, std::uint32_t mask, std::uint32_t width, AccessKind kind);
void local_fault(Exec& x, const Inst& inst, std::uint32_t mask, std::uint32_t width, AccessKind kind);

/// The fault of a lane's bulk copy whose source or destination in global or shared memory (then `address` is
/// an offset) is not within one allocation.
void piece_fault(Exec& x, std::uint32_t lane, std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                 bool global);
std::string hex_address(std::uint64_t address);

/// Reports to the shape observers how often `shape` was repeated since the last report.
void report_repeats(Exec& x, const Program& program, std::uint32_t instruction, Shape& shape);
void report_repeats(Exec& x, const Program& program, std::uint32_t instruction, PartialShape& shape);

inline void observe(Exec& x, const std::vector<WorkerObserver*>& observers, AccessKind kind,
                    AccessSpace space, std::uint32_t width, std::uint32_t mask,
                    AccessForm form = AccessForm::Lanes, Spacing spacing = Spacing::Unknown,
                    std::uint64_t shape = 0) {
  report_loads(x);
  WarpAccess access;
  access.kind = kind;
  access.form = form;
  access.space = space;
  access.spacing = spacing;
  access.shape = shape;
  access.width = width;
  access.mask = mask;
  access.addresses = x.addresses;
  access.offsets = x.offsets;
  access.program = x.activation->program;
  access.instruction = x.pc;
  access.warp = x.warp;
  access.memory = space == AccessSpace::Shared ? x.shared : x.global_host;
  access.frame = x.frame;
  const bool known =
      kind == AccessKind::Store && x.stored.instruction == x.pc && x.stored.program == access.program;
  access.stored = known ? &x.stored : nullptr;
  for (WorkerObserver* observer : observers) observer->access(access);
}

/// Gives inactive lanes the address of the first active one, so that arithmetic on all 32 lanes is valid.
template <class T>
[[gnu::always_inline]] inline void patch_inactive(T* addresses, std::uint32_t mask) {
  if (mask == kAllLanes) return;
  const T first = addresses[std::countr_zero(mask)];
  for (std::uint32_t i = 0; i < kLanes; ++i) addresses[i] = (mask >> i) & 1 ? addresses[i] : first;
}

/// x.addresses hold device addresses (patched). True if every lane's `width` bytes are aligned and lie in one
/// live allocation; the last allocation of the instruction is tried first.
[[gnu::always_inline]] inline bool check_global(Exec& x, const Inst& inst, std::uint32_t mask,
                                                std::uint32_t width, AccessKind kind) {
  std::uint64_t low = x.addresses[0], high = x.addresses[0], bits = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    low = x.addresses[i] < low ? x.addresses[i] : low;
    high = x.addresses[i] > high ? x.addresses[i] : high;
    bits |= x.addresses[i];
  }
  Range& range = x.activation->tally->ranges[x.pc];
  if (low >= range.begin && high < range.end && width <= range.end - high && (bits & (width - 1)) == 0)
      [[likely]] {
    return true;
  }
  if ((bits & (width - 1)) == 0) {
    const Range found = x.global->find(low);
    if (found.holds(low, width) && found.holds(high, width)) {
      range = found;
      return true;
    }
    bool each = true;  // lanes in several allocations: legal, but rare
    for (std::uint32_t i = 0; i < kLanes && each; ++i)
      each = x.global->find(x.addresses[i]).holds(x.addresses[i], width);
    if (each) return true;
  }
  global_fault(x, inst, mask, width, kind);
  return false;
}

[[gnu::always_inline]] inline bool check_shared(Exec& x, const Inst& inst, std::uint32_t mask,
                                                std::uint32_t width, AccessKind kind) {
  std::uint32_t high = 0, bits = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    high = x.offsets[i] > high ? x.offsets[i] : high;
    bits |= x.offsets[i];
  }
  if (std::uint64_t{high} + width <= x.shared_bytes && (bits & (width - 1)) == 0) [[likely]]
    return true;
  shared_fault(x, inst, mask, width, kind);
  return false;
}

[[gnu::always_inline]] inline bool check_local(Exec& x, const Inst& inst, std::uint32_t mask,
                                               std::uint32_t width, AccessKind kind) {
  std::uint32_t high = 0, bits = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    high = x.offsets[i] > high ? x.offsets[i] : high;
    bits |= x.offsets[i];
  }
  if (std::uint64_t{high} + width <= x.local_bytes && (bits & (width - 1)) == 0) [[likely]]
    return true;
  local_fault(x, inst, mask, width, kind);
  return false;
}

/// Checks a read of the launch's parameters through a pointer; `places` are offsets (patched).
[[gnu::always_inline]] inline bool check_param(Exec& x, const std::uint64_t* places, std::uint32_t width,
                                               AccessKind kind) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const bool inside = places[i] <= x.param_bytes && width <= x.param_bytes - places[i];
    if (inside && kind == AccessKind::Load) continue;
    parameter_fault(x, i, inside);
    return false;
  }
  return true;
}

/// Calls `body(base, offsets, lanes)` for the lanes of a generic access, grouped by address space; lane i's
/// data is at base + offsets[i]. Lanes with an invalid address fault.
template <class Body>
void generic_access(Exec& x, const Inst& inst, std::uint32_t mask, std::uint32_t width, AccessKind kind,
                    Body body) {
  std::uint32_t shared = 0, local = 0, param = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!((mask >> i) & 1)) continue;
    if (in_window(x.addresses[i], kSharedWindow)) shared |= 1u << i;
    if (in_window(x.addresses[i], kLocalWindow)) local |= 1u << i;
    if (in_window(x.addresses[i], kParamWindow)) param |= 1u << i;
  }
  const std::uint32_t global = mask & ~shared & ~local & ~param;
  if (global != 0) {
    alignas(64) std::uint64_t all[kLanes];
    std::memcpy(all, x.addresses, sizeof all);
    patch_inactive(x.addresses, global);
    if (!check_global(x, inst, global, width, kind)) return;
    observe(x, x.observers, kind, AccessSpace::Global, width, global);
    body(x.global_host, x.addresses, global);
    std::memcpy(x.addresses, all, sizeof all);
  }
  if (param != 0) {
    alignas(64) std::uint64_t places[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) places[i] = x.addresses[i] - kParamWindow;
    patch_inactive(places, param);
    if (!check_param(x, places, width, kind)) return;
    body(const_cast<std::byte*>(x.params), places, param);
  }
  for (const auto& [lanes, window] : {std::pair{shared, kSharedWindow}, std::pair{local, kLocalWindow}}) {
    if (lanes == 0) continue;
    for (std::uint32_t i = 0; i < kLanes; ++i)
      x.offsets[i] = static_cast<std::uint32_t>(x.addresses[i] - window);
    patch_inactive(x.offsets, lanes);
    if (window == kSharedWindow) {
      if (!check_shared(x, inst, lanes, width, kind)) return;
      observe(x, x.observers, kind, AccessSpace::Shared, width, lanes);
      body(x.shared, x.offsets, lanes);
    } else {
      if (!check_local(x, inst, lanes, width, kind)) return;
      observe(x, x.observers, kind, AccessSpace::Local, width, lanes);
      alignas(64) std::uint64_t places[kLanes];
      for (std::uint32_t i = 0; i < kLanes; ++i) places[i] = std::uint64_t{i} * x.local_bytes + x.offsets[i];
      body(x.local, places, lanes);
    }
  }
}

}  // namespace cudalabs::sim
