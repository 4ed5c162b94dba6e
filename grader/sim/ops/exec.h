#pragma once
// The state that a handler uses: the frame of the running warp, its block's memory, and its fault.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/sim/base/texture.h"
#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/memory/global_memory.h"
#include "grader/sim/ops/load_times.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kSectorWords = 8;  ///< words of 4 bytes

/// An access whose base has a fixed `distance` from that of its group's leader whenever machine code executes
/// both.
struct GroupMember {
  std::uint32_t at = 0;  ///< instruction
  std::int32_t distance = 0;
};

/// The shape of a load's or store's last access by a full warp: the distances from lane 0. In a loop an
/// access usually repeats its shape with another base; then comparing 32 distances determines its bounds, its
/// data path and its cost.
struct alignas(64) Shape {
  enum class Pattern : std::uint8_t { Unknown, Broadcast, Consecutive, Scattered };
  std::uint64_t version = 0;         ///< changes with the distances
  std::uint64_t leader_version = 0;  ///< version of Inst::leader's shape at these distances
  /// Range of bases, from `window` on, for which all lanes stay within their allocation (or shared memory)
  /// and the access only needs to move data; empty if `window_size` is 0.
  std::uint64_t window = 0, window_size = 0;
  std::uint64_t base = 0;   ///< of the first access with this shape
  std::uint32_t phase = 0;  ///< base modulo a sector
  Pattern pattern = Pattern::Unknown;
  AccessKind kind{};
  AccessSpace space{};
  std::uint8_t width = 0;
  /// Accesses of this shape that have not been reported to shape observers, by the word of a sector that
  /// contains the base: it determines which sectors are accessed. In shared memory it is irrelevant, and all
  /// are counted in the first.
  alignas(64) std::uint64_t repeats[kSectorWords] = {};
  // The rest is in other cache lines, which the followers of a leader do not touch.
  alignas(64) std::uint32_t narrow[kLanes] = {};  ///< distances, shared memory
  alignas(64) std::uint64_t wide[kLanes] = {};    ///< distances, global memory
  std::int64_t low = 0, high = 0;                 ///< the smallest and the largest distance
  /// For a leader: range of bases for which all group members in one piece of machine code are within their
  /// windows and keep their shapes.
  std::uint64_t group_window = 0, group_size = 0;
  std::uint32_t group_rest = 0;  ///< number of checks to skip before the group is checked again
  /// The leader of the group that also counts accesses of this shape; kNone: there is none.
  std::uint32_t counted_by = kNone;
  /// For such a leader: the members that were executed together, and how often, by the word of a sector that
  /// contains the leader's base. These are not yet included in the members' repeats.
  const std::vector<GroupMember>* together = nullptr;
  std::uint64_t runs_together[kSectorWords] = {};
  std::uint64_t last_base = 0;  ///< for a load of global memory by machine code, uniform over all warps
  bool even = false;            ///< the lanes are evenly spaced, by narrow[1]
};

/// Previous shapes of an instruction: in a reduction tree the stride changes with each step, and every block
/// repeats the same strides.
struct OtherShapes {
  std::array<Shape, 4> of;
  std::size_t next = 0;  ///< the next one to replace
};

/// The last access of a load or store by some of a warp's lanes, one element each: like a Shape, but relative
/// to the first active lane instead of lane 0.
struct alignas(64) PartialShape {
  std::uint32_t mask = 0;  ///< 0: no access yet
  std::uint32_t phase = 0;
  AccessKind kind{};
  AccessSpace space{};
  std::uint8_t width = 0;
  bool in_order = false;  ///< the distances between lanes are those of their register elements
  std::uint64_t window = 0, window_size = 0, base = 0;
  std::uint64_t repeats[kSectorWords] = {};
  alignas(64) std::uint64_t distances[kLanes] = {};
  alignas(64) std::uint64_t active[kLanes] = {};  ///< all bits set in the mask's lanes
  alignas(64) std::uint32_t narrow[kLanes] = {};  ///< distances, shared memory
};

/// The shapes of one instruction, by the number of active lanes: in a reduction tree it halves with each
/// step.
struct PartialShapes {
  std::array<PartialShape, 5> of;
  PartialShape& at(std::uint32_t mask) {
    return of[static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(std::popcount(mask)))) - 1];
  }
};

class NativeCode;

/// A worker's data about one program: how often each instruction ran, and its last allocation.
struct Tally {
  std::vector<std::uint64_t> executed;  ///< by individual warps
  /// For straight runs: +1 at their first instruction, -1 (modulo 2^64) behind their last.
  std::vector<std::uint64_t> runs;
  std::vector<std::uint64_t> idle_lanes;  ///< inactive lanes, summed over these executions
  /// Inactive lanes in straight runs by some lanes: added at their first instruction, subtracted behind their
  /// last.
  std::vector<std::uint64_t> idle_runs;
  std::vector<std::uint64_t> divided;  ///< by branch: warps that diverged
  std::vector<Range> ranges;
  std::vector<Shape> shapes;
  std::uint64_t versions = 0;                                  ///< last version number assigned to a shape
  std::vector<std::unique_ptr<OtherShapes>> other_shapes;      ///< null: none yet
  std::vector<std::unique_ptr<PartialShapes>> partial_shapes;  ///< null: none yet
  NativeCode* native = nullptr;                                ///< null: everything is interpreted
  /// How often a straight run was interpreted, by full warps and by some lanes; empty: not recorded.
  std::vector<std::uint32_t> heat, heat_by_some;

  /// The number of executions of each instruction, by warps.
  [[nodiscard]] std::vector<std::uint64_t> executions() const { return with_runs(executed, runs); }
  /// The number of inactive lanes in these executions.
  [[nodiscard]] std::vector<std::uint64_t> idle() const { return with_runs(idle_lanes, idle_runs); }
  static std::vector<std::uint64_t> with_runs(std::vector<std::uint64_t> sums,
                                              const std::vector<std::uint64_t>& runs) {
    std::uint64_t running = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += running += runs[i];
    return sums;
  }
  /// For use after memory was freed: no access is known to stay within an allocation any longer.
  void forget_ranges() {
    std::fill(ranges.begin(), ranges.end(), Range{});
    forget_windows();
  }
  void forget_windows() {
    const auto forget = [](auto& those) {
      for (auto& shape : those) shape.window_size = 0;
    };
    for (Shape& shape : shapes) shape.group_size = 0;
    forget(shapes);
    for (const auto& others : other_shapes) {
      if (others) forget(others->of);
    }
    for (const auto& partial : partial_shapes) {
      if (partial) forget(partial->of);
    }
  }
};

/// One call of a function by (part of) a warp: its registers and its return address.
struct Activation {
  const Program* program = nullptr;
  std::byte* frame = nullptr;
  std::vector<std::byte> storage;  ///< contains `frame`, which is 64-byte aligned
  Activation* caller = nullptr;
  std::uint32_t return_pc = 0;  ///< in the caller
  const CallSite* site = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t local_base = 0;  ///< start of this function's depot in the lane's local memory
  std::uint32_t stack_base = 0;  ///< what the calls around it take of a card's stack
  std::uint32_t users = 0;       ///< splits in it, and activations called from it
  Tally* tally = nullptr;
  /// For a kernel: the warp whose constants the frame holds, except block-specific ones; kNone: no warp.
  std::uint32_t filled_for = kNone;
};

/// A fault as left by a handler; the warp's loop adds kernel, line and thread.
struct PendingFault {
  FaultKind kind = FaultKind::None;
  std::uint32_t lane = 0;
  Message message;
  Messages advice;
};

/// Loads of shared memory by the running warp that have not been reported to the observers.
struct UnflushedLoads {
  static constexpr std::uint32_t kMax = 512;
  bool kept = false;  ///< the observers accept lists of loads
  std::uint32_t count = 0;
  const Program* program = nullptr;
  std::array<SharedLoad, kMax> loads;
};

class AsyncCopies;
class BulkCopies;
class DeviceLaunches;
class KernelOutput;

struct Exec {
  std::byte* frame = nullptr;
  Activation* activation = nullptr;
  Shape* shapes = nullptr;  ///< of the running function, by instruction
  GlobalMemory* global = nullptr;
  std::byte* global_host = nullptr;  ///< host address of device address 0, for a plain addition
  const TextureTable* textures = nullptr;
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;
  std::byte* local = nullptr;                      ///< of the running warp: one lane after the other
  std::uint32_t local_bytes = 0;                   ///< for each lane
  std::unique_ptr<AsyncCopies>* copies = nullptr;  ///< of the running warp; null until its first copy
  std::unique_ptr<BulkCopies>* bulk = nullptr;     ///< of the running block; null until its first copy
  const std::byte* params = nullptr;
  std::uint32_t param_bytes = 0;
  std::uint32_t pc = 0;    ///< pc of the running instruction
  std::uint32_t warp = 0;  ///< index in the block
  /// increases with the instructions of the running block; a lane reads the sum of this, its pc and the time
  /// that its warp has waited for loads
  std::uint64_t clock = 0;
  WarpTime* time = nullptr;         ///< of the running warp
  LoadTimes* load_times = nullptr;  ///< null: loads take no time
  [[nodiscard]] std::uint64_t now() const { return clock + pc + time->waited; }
  std::vector<WorkerObserver*> observers;        ///< all observers
  std::vector<WorkerObserver*> every_access;     ///< observers of each access
  std::vector<WorkerObserver*> every_shared;     ///< those of `every_access` that also observe shared memory
  std::vector<WorkerObserver*> every_step;       ///< observers of each instruction
  std::vector<WorkerObserver*> shapes_only;      ///< observers that accept repeats of a shape in one call
  std::span<const DeviceRange> unflushed_loads;  ///< loads from these ranges need no report (one observer)
  UnflushedLoads unflushed;
  StoreData stored;                 ///< of the last store; only if an observer sees each access
  bool waits = false;               ///< a test found that other warps must run first (Flow::Poll)
  std::uint32_t asked_for = kNone;  ///< offset of the last polled mbarrier whose phase had not ended
  std::uint64_t changes = 0;        ///< memory changes, by atomics and barriers
  PendingFault fault;
  KernelOutput* output = nullptr;  ///< of the launch
  std::uint64_t block = 0;         ///< index of the running block
  DeviceLaunches* launches = nullptr;
  bool heap_freed = false;  ///< the kernel called free(): the tallies' allocation data is stale
  alignas(64) std::uint64_t addresses[kLanes];
  alignas(64) std::uint32_t offsets[kLanes];

  void fail(FaultKind kind, std::uint32_t lane, Message message, Messages advice = {}) {
    if (fault.kind == FaultKind::None) fault = {kind, lane, std::move(message), std::move(advice)};
  }
};

/// Reports the deferred loads. Must be called before any other report.
void report_unflushed(Exec& x);
inline void report_loads(Exec& x) {
  if (x.unflushed.count != 0) [[unlikely]]
    report_unflushed(x);
}

/// Makes a warp of that activation the running one.
inline void enter(Exec& x, Activation& activation) {
  report_loads(x);
  x.unflushed.program = activation.program;
  x.activation = &activation;
  x.frame = activation.frame;
  x.shapes = activation.tally->shapes.data();
}

/// Must an access in this allocation be reported to the observers of each access?
inline bool is_reported(const Exec& x, AccessKind kind, const Range& range) {
  if (x.every_access.empty()) return false;
  return kind != AccessKind::Load ||
         std::none_of(x.unflushed_loads.begin(), x.unflushed_loads.end(), [&](const DeviceRange& unflushed) {
           return unflushed.begin <= range.begin && range.end <= unflushed.begin + unflushed.bytes;
         });
}

template <class T>
T* slot(Exec& x, std::uint32_t offset) {
  return reinterpret_cast<T*>(__builtin_assume_aligned(x.frame + offset, 64));
}
inline std::uint32_t& predicate(Exec& x, std::uint32_t offset) {
  return *reinterpret_cast<std::uint32_t*>(x.frame + offset);
}

}  // namespace cudalabs::sim
