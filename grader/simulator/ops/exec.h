#pragma once
// What a handler sees: the frame of the running warp, its block's memory, and where to leave a fault.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/simulator/base/texture.h"
#include "grader/simulator/memory/global_memory.h"
#include "grader/simulator/ops/load_times.h"
#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

inline constexpr std::uint32_t kSectorWords = 8;  ///< of 4 bytes

/// An access whose base stands `distance` from that of its group's leader whenever machine code does both.
struct GroupMember {
  std::uint32_t at = 0;  ///< instruction
  std::int32_t distance = 0;
};

/// The last access of a load or store by a full warp, as distances from lane 0. In
/// a loop an access usually repeats its shape at another base; then its bounds,
/// its data path and its cost are known by one comparison of 32 distances.
struct alignas(64) Shape {
  enum class Pattern : std::uint8_t { Unknown, Broadcast, Consecutive, Scattered };
  std::uint64_t version = 0;         ///< changes with the distances
  std::uint64_t leader_version = 0;  ///< of Inst::leader when its distances were these
  /// Bases from `window` on for which all lanes stay within their allocation (or shared memory) and nothing
  /// needs more than moving the data; none where `window_size` is 0.
  std::uint64_t window = 0, window_size = 0;
  std::uint64_t base = 0;   ///< of the first access of this shape
  std::uint32_t phase = 0;  ///< base below a sector
  Pattern pattern = Pattern::Unknown;
  AccessKind kind{};
  AccessSpace space{};
  std::uint8_t width = 0;
  /// Accesses of this shape not yet reported to those who count shapes, by the word of a sector that
  /// the base lies in: it decides which sectors are touched. In shared memory it does not matter,
  /// and all are in the first.
  alignas(64) std::uint64_t repeats[kSectorWords] = {};
  // What follows lies in further cache lines, which the followers of a leader do not touch.
  alignas(64) std::uint32_t narrow[kLanes] = {};  ///< distances, shared memory
  alignas(64) std::uint64_t wide[kLanes] = {};    ///< distances, global memory
  std::int64_t low = 0, high = 0;                 ///< the least and the largest distance
  /// Of a leader: bases for which all of its group in one stretch of machine code are within their
  /// windows and of its shape.
  std::uint64_t group_window = 0, group_size = 0;
  std::uint32_t group_rest = 0;  ///< looks to let pass before the group is looked at again
  /// The leader of the group that counts accesses of this shape, too; kNone: none does.
  std::uint32_t counted_by = kNone;
  /// Of such a leader: the members that were done together, and how often, by the word of the sector that the
  /// leader's base lies in: not yet in their repeats.
  const std::vector<GroupMember>* together = nullptr;
  std::uint64_t runs_together[kSectorWords] = {};
  std::uint64_t last_base = 0;  ///< of a load of global memory by machine code, the same for all warps
  bool even = false;            ///< every lane as far from the one before, narrow[1]
};

/// Shapes that an instruction had before: in a tree of sums, say, the stride is another from step to step,
/// and in each block the same ones come again.
struct OtherShapes {
  std::array<Shape, 4> of;
  std::size_t next = 0;  ///< to make room for another
};

/// The last access of a load or store by some of a warp's lanes, one element each: as a Shape, but for the
/// first of them in place of lane 0.
struct alignas(64) PartialShape {
  std::uint32_t mask = 0;  ///< 0: there was none
  std::uint32_t phase = 0;
  AccessKind kind{};
  AccessSpace space{};
  std::uint8_t width = 0;
  bool in_order = false;  ///< the lanes are as far from each other as in their register
  std::uint64_t window = 0, window_size = 0, base = 0;
  std::uint64_t repeats[kSectorWords] = {};
  alignas(64) std::uint64_t distances[kLanes] = {};
  alignas(64) std::uint64_t active[kLanes] = {};  ///< all bits of the mask's lanes
  alignas(64) std::uint32_t narrow[kLanes] = {};  ///< distances, shared memory
};

/// Of one instruction, by how many lanes there are: in a tree of sums half as many from step to step.
struct PartialShapes {
  std::array<PartialShape, 5> of;
  PartialShape& at(std::uint32_t mask) {
    return of[static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(std::popcount(mask)))) - 1];
  }
};

class NativeCode;

/// What a worker keeps of one program: how often each instruction ran, and which allocation it met last.
struct Tally {
  std::vector<std::uint64_t> executed;  ///< by warps, one by one
  /// In straight runs: +1 where one began, -1 (modulo 2^64) where it ended.
  std::vector<std::uint64_t> runs;
  std::vector<std::uint64_t> idle_lanes;  ///< lanes that were off, summed over these executions
  /// The same, in straight runs by some lanes: + what is off where one began, - that where it ended.
  std::vector<std::uint64_t> idle_runs;
  std::vector<std::uint64_t> divided;  ///< by branch: warps that took both ways
  std::vector<Range> ranges;
  std::vector<Shape> shapes;
  std::uint64_t versions = 0;                                  ///< of shapes, given out until now
  std::vector<std::unique_ptr<OtherShapes>> other_shapes;      ///< null: none yet
  std::vector<std::unique_ptr<PartialShapes>> partial_shapes;  ///< null: none yet
  NativeCode* native = nullptr;                                ///< null: everything is interpreted
  /// How often a straight run was interpreted, by full warps and by some lanes; empty: nobody asks.
  std::vector<std::uint32_t> heat, heat_by_some;

  /// How often warps executed each instruction.
  [[nodiscard]] std::vector<std::uint64_t> executions() const { return with_runs(executed, runs); }
  /// How many lanes were off, of these.
  [[nodiscard]] std::vector<std::uint64_t> idle() const { return with_runs(idle_lanes, idle_runs); }
  static std::vector<std::uint64_t> with_runs(std::vector<std::uint64_t> sums,
                                              const std::vector<std::uint64_t>& runs) {
    std::uint64_t running = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += running += runs[i];
    return sums;
  }
  /// After memory was freed: no access is known to stay within an allocation.
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

/// One call of one function by (part of) a warp: its registers and where it returns to.
struct Activation {
  const Program* program = nullptr;
  std::byte* frame = nullptr;
  std::vector<std::byte> storage;  ///< behind `frame`, which is 64-byte aligned in it
  Activation* caller = nullptr;
  std::uint32_t return_pc = 0;  ///< in the caller
  const CallSite* site = nullptr;
  std::uint32_t depth = 0;
  std::uint32_t local_base = 0;  ///< of this function's depot, in the lane's local memory
  std::uint32_t users = 0;       ///< splits in it, and activations that it called
  Tally* tally = nullptr;
  /// Of a kernel: the warp whose constants the frame holds, but for those of a block; kNone: nobody's.
  std::uint32_t filled_for = kNone;
};

/// A fault as a handler leaves it; the warp's loop adds kernel, line and thread.
struct PendingFault {
  FaultKind kind = FaultKind::None;
  std::uint32_t lane = 0;
  std::string message, advice;
};

/// Loads of shared memory by the running warp that the observers have not heard of yet.
struct UntoldLoads {
  static constexpr std::uint32_t kMost = 512;
  bool kept = false;  ///< the observers take them in lists
  std::uint32_t count = 0;
  const Program* program = nullptr;
  std::array<SharedLoad, kMost> loads;
};

class AsyncCopies;
class BulkCopies;
class DeviceLaunches;

struct Exec {
  std::byte* frame = nullptr;
  Activation* activation = nullptr;
  Shape* shapes = nullptr;  ///< of the running function, by instruction
  GlobalMemory* global = nullptr;
  std::byte* global_host = nullptr;  ///< host address of device address 0, for a plain addition
  const TextureTable* textures = nullptr;
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;
  std::byte* local = nullptr;                      ///< of the running warp: lanes one after the other
  std::uint32_t local_bytes = 0;                   ///< a lane
  std::unique_ptr<AsyncCopies>* copies = nullptr;  ///< of the running warp; null there until it makes any
  std::unique_ptr<BulkCopies>* bulk = nullptr;     ///< of the running block; null there until it makes any
  const std::byte* params = nullptr;
  std::uint32_t param_bytes = 0;
  std::uint32_t pc = 0;    ///< of the running instruction
  std::uint32_t warp = 0;  ///< in the block
  /// grows with the instructions of the running block; a lane reads this plus its pc, and what its warp has
  /// waited for loads
  std::uint64_t clock = 0;
  WarpTime* time = nullptr;         ///< of the running warp
  LoadTimes* load_times = nullptr;  ///< null: loads take no time
  [[nodiscard]] std::uint64_t now() const { return clock + pc + time->waited; }
  std::vector<WorkerObserver*> observers;     ///< all of them
  std::vector<WorkerObserver*> every_access;  ///< those of them that must see each access
  std::vector<WorkerObserver*> every_shared;  ///< those of these that look at shared memory too
  std::vector<WorkerObserver*> every_step;    ///< those of them that follow each instruction
  std::vector<WorkerObserver*> shapes_only;  ///< and those to whom repeats of a shape can be told in one call
  std::span<const DeviceRange> untold_loads;  ///< as who sees each access has it, if that is one
  UntoldLoads untold;
  StoreData stored;                 ///< of the last store; only kept where somebody sees every access
  bool waits = false;               ///< a test found that other warps must run first (Flow::Poll)
  std::uint32_t asked_for = kNone;  ///< offset of the last mbarrier whose phase had not ended
  std::uint64_t changes = 0;        ///< of memory, by atomics and barriers
  PendingFault fault;
  std::string* printed = nullptr;  ///< of the running block
  std::uint64_t block = 0;         ///< which it is
  DeviceLaunches* launches = nullptr;
  bool heap_freed = false;  ///< the kernel called free(): what tallies know of allocations is out of date
  alignas(64) std::uint64_t addresses[kLanes];
  alignas(64) std::uint32_t offsets[kLanes];

  void fail(FaultKind kind, std::uint32_t lane, std::string message, std::string advice) {
    if (fault.kind == FaultKind::None) fault = {kind, lane, std::move(message), std::move(advice)};
  }
};

/// Tells of the loads that nobody has heard of. To be called before anything else is told.
void tell_untold(Exec& x);
inline void tell_loads(Exec& x) {
  if (x.untold.count != 0) [[unlikely]]
    tell_untold(x);
}

/// What runs from here on is a warp of that activation.
inline void enter(Exec& x, Activation& activation) {
  tell_loads(x);
  x.untold.program = activation.program;
  x.activation = &activation;
  x.frame = activation.frame;
  x.shapes = activation.tally->shapes.data();
}

/// Must those who see each access be told of this one, which lies in this allocation?
inline bool is_told(const Exec& x, AccessKind kind, const Range& range) {
  if (x.every_access.empty()) return false;
  return kind != AccessKind::Load ||
         std::none_of(x.untold_loads.begin(), x.untold_loads.end(), [&](const DeviceRange& untold) {
           return untold.begin <= range.begin && range.end <= untold.begin + untold.bytes;
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
