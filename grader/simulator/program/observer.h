#pragma once
// Observers look at what warps do; the executor calls them and knows nothing of what they
// look for. Hooks are per warp instruction, never per lane, and when there is no observer
// nothing is called. A launch runs on several workers: each gets a `WorkerObserver` of
// its own, so that no hook needs a lock, and `merge` joins them in a fixed order.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grader/simulator/base/types.h"

namespace cudalabs::sim {

struct Program;
class GlobalMemory;

enum class AccessSpace : std::uint8_t { Global, Shared, Local, Constant };
enum class AccessForm : std::uint8_t {
  Lanes,     ///< each lane accesses what it names
  Matrices,  ///< ldmatrix, stmatrix and what becomes one: lane 8 m + r names row r (16 bytes) of matrix m,
             ///< for all lanes
  Copy,      ///< the shared half of cp.async or cp.async.bulk, which the hardware does not count as an access
};

/// What a store is about to write: element e of lane i are the low `element_bytes` bytes at
/// elements[e] + i * lane_bytes.
struct StoreData {
  const Program* program = nullptr;  ///< the store that it belongs to
  std::uint32_t instruction = 0;
  std::uint8_t count = 0, element_bytes = 0, lane_bytes = 0;
  std::array<const std::byte*, 8> elements{};  ///< null: that element is not written
};

/// Whether the places of all lanes are as far from each other as those of the first two.
enum class Spacing : std::uint8_t { Unknown, Even, Uneven };

/// One memory instruction of one warp. Inactive lanes hold no meaningful address.
struct WarpAccess {
  AccessKind kind{};
  AccessSpace space{};
  AccessForm form = AccessForm::Lanes;
  Spacing spacing = Spacing::Unknown;
  static constexpr std::uint32_t kNoLane = ~0u;
  std::uint32_t width = 4;                   ///< bytes a lane: 1, 2, 4, 8 or 16 (vectors included)
  std::uint32_t mask = 0;                    ///< active lanes, never 0
  const std::uint64_t* addresses = nullptr;  ///< 32 device addresses (Global, Constant)
  const std::uint32_t* offsets = nullptr;    ///< 32 offsets (Shared, Local)
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t warp = 0;         ///< warp of the block
  /// The lane that does all of it, where `mask` has pieces of a bulk copy and no lanes; else kNoLane.
  std::uint32_t sole_lane = kNoLane;
  /// Global, Shared: what lies at `memory` + address (or offset), before a store
  const std::byte* memory = nullptr;
  const std::byte* frame = nullptr;   ///< the slots of Program::code; null where several are told in one call
  const StoreData* stored = nullptr;  ///< stores whose data are known
  /// By all lanes: of one instruction, accesses that say the same here have the same distances between their
  /// lanes. 0: nobody compared them.
  std::uint64_t shape = 0;
  std::uint64_t repeats = 1;  ///< accesses of this shape; more than 1 only where every_access() is false

  /// Who makes the access that stands at a place of the mask.
  [[nodiscard]] std::uint32_t maker(std::uint32_t place) const {
    return sole_lane == kNoLane ? place : sole_lane;
  }
};

/// One of several loads of shared memory by all lanes of a warp, told in one call: lane i loads `width` bytes
/// at first + i * distance.
struct SharedLoad {
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t first = 0, distance = 0, width = 0;
};
/// Between the first and the last of them no other thing was told of any warp, and nobody stored anything.
struct SharedLoads {
  const Program* program = nullptr;
  std::uint32_t warp = 0;
  std::span<const SharedLoad> loads;
};

/// One PTX instruction of one warp, about to be executed by the lanes of `mask`. Where it became several of
/// Program::code, it is told with the last.
struct WarpStep {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t warp = 0;
  std::uint32_t depth = 0;  ///< of the function call
  std::uint32_t mask = 0;
  const std::byte* frame = nullptr;  ///< the slots of Program::code
};

/// A `.sync` instruction of one warp, about to be executed by the lanes of `mask`.
struct WarpSync {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;
  std::uint32_t mask = 0;
  std::uint32_t exited = 0;                ///< lanes of the warp that have left the kernel
  const std::uint32_t* members = nullptr;  ///< 32 lanes: the mask that each gives
  bool apart = false;                      ///< some of the lanes named wait at another `.sync` instruction
};

/// A barrier that opens.
struct BarrierOpening {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;             ///< where the first warp waits
  std::uint32_t id = 0, warp = 0, lane = 0;  ///< the first thread that waits
  bool counted = false;                      ///< it waits for a number of threads, not for the whole block
  std::uint32_t warps = 0;                   ///< those that wait at it, a bit each
  bool whole = false;                        ///< these are all that are left of the block
  std::span<const std::uint32_t> exited;     ///< by warp: lanes that have left the kernel
};

struct LaunchInfo {
  const Program* program = nullptr;
  LaunchConfig config;
  const GlobalMemory* global = nullptr;
  std::span<const std::byte> parameters;
};

/// Accesses to shared memory by no more lanes are told one by one even to those for whom only their cost
/// matters: a warp's lanes may come in turn, which costs less than as many accesses.
inline constexpr std::uint32_t kFewLanes = 4;

class WorkerObserver {
 public:
  virtual ~WorkerObserver() = default;
  virtual void begin_block(std::uint64_t /*block*/) {}
  /// What follows is of this block: it begins to run, or goes on after others (blocks that wait for others
  /// take turns). every_access() is asked again.
  virtual void resume_block(std::uint64_t /*block*/) {}
  virtual void access(const WarpAccess& /*access*/) {}
  /// Before each instruction and its accesses, while every_step() is true; asked as every_access() is.
  virtual void step(const WarpStep& /*step*/) {}
  [[nodiscard]] virtual bool every_step() const { return false; }
  /// False if only the cost of accesses matters: several of one shape (the same distances between lanes, the
  /// same word of a sector) are then told in one call, at any time before merge().
  [[nodiscard]] virtual bool every_access() const { return true; }
  /// False if nothing of this block is to be told. Asked when every_access() is, and of those who then saw
  /// each access again and again while the block runs: who has seen enough lets go of it.
  [[nodiscard]] virtual bool watches() const { return true; }
  /// True if accesses to shared memory need not be told.
  [[nodiscard]] virtual bool only_global() const { return false; }
  /// Ranges of global memory: of plain loads from allocations that lie in one of them the cost alone matters,
  /// as where every_access() is false. Asked when that is.
  [[nodiscard]] virtual std::span<const DeviceRange> untold_loads() const { return {}; }
  /// True if plain loads of shared memory need not be told as access()es at once: shared_loads() then tells
  /// of them, before anything else happens that is told. Only where all who look at shared memory agree.
  [[nodiscard]] virtual bool takes_shared_loads() const { return false; }
  /// What a cp.async or cp.async.bulk copies (access() has told of it when it was issued) is in memory from
  /// now on, or has been read from shared memory.
  virtual void copy_landed(const WarpAccess& /*access*/) {}
  virtual void shared_loads(const SharedLoads& /*loads*/) {}
  virtual void barrier(const BarrierOpening& /*opening*/) {}
  /// A warp arrives at a named barrier and does not wait there (bar.arrive).
  virtual void barrier_arrive(std::uint32_t /*warp*/, std::uint32_t /*id*/) {}
  virtual void warp_sync(const WarpSync& /*sync*/) {}
  /// malloc and free inside a kernel.
  virtual void heap_allocated(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void heap_freed(std::uint64_t /*address*/) {}
  /// `within_block`: it means nothing to other blocks.
  virtual void fence(std::uint32_t /*warp*/, bool /*within_block*/) {}
  /// A thread arrives on the mbarrier at this offset of shared memory; `completes`: the phase ends with it.
  virtual void mbarrier_arrive(std::uint32_t /*warp*/, std::uint32_t /*offset*/, bool /*completes*/) {}
  /// A thread has seen that the phase it asked about is over.
  virtual void mbarrier_pass(std::uint32_t /*warp*/, std::uint32_t /*offset*/) {}
  virtual void exit_lanes(const Program& /*program*/, std::uint32_t /*instruction*/, std::uint32_t /*warp*/,
                          std::uint32_t /*lanes*/) {}
  virtual void end_block() {}
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) = 0;
  /// True if what it finds depends on the order of blocks: they then run one after the other, on one worker.
  [[nodiscard]] virtual bool ordered() const { return false; }
  /// Called once a worker, in worker order, after the launch. What is kept must not depend on that order.
  virtual void merge(WorkerObserver& worker) = 0;
};

}  // namespace cudalabs::sim
