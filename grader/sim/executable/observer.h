#pragma once
// Observers receive the events of warps; the executor calls them and does not know their purpose. Hooks are
// called for each warp instruction, never for each lane, and without observers there are no calls. A launch
// runs on several workers: each has its own `WorkerObserver`, so that hooks need no lock, and `merge`
// combines them in a fixed order.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grader/sim/base/types.h"

namespace cudalabs::sim {

struct Program;
class GlobalMemory;

enum class AccessSpace : std::uint8_t { Global, Shared, Local, Constant };
enum class AccessForm : std::uint8_t {
  Lanes,     ///< each lane accesses its own address
  Matrices,  ///< ldmatrix, stmatrix and equivalents: lane 8 m + r has row r (16 bytes) of matrix m,
             ///< for all lanes
  Copy,      ///< the shared half of cp.async or cp.async.bulk, which the hardware does not count as an access
};

/// The data that a store will write: element e of lane i is in the low `element_bytes` bytes at elements[e] +
/// i * lane_bytes.
struct StoreData {
  const Program* program = nullptr;  ///< program of the store
  std::uint32_t instruction = 0;
  std::uint8_t count = 0, element_bytes = 0, lane_bytes = 0;
  std::array<const std::byte*, 8> elements{};  ///< null: that element is not written
};

/// Are the addresses of all lanes evenly spaced?
enum class Spacing : std::uint8_t { Unknown, Even, Uneven };

/// One memory instruction of one warp. The addresses of inactive lanes are meaningless.
struct WarpAccess {
  AccessKind kind{};
  AccessSpace space{};
  AccessForm form = AccessForm::Lanes;
  Spacing spacing = Spacing::Unknown;
  static constexpr std::uint32_t kNoLane = ~0u;
  std::uint32_t width = 4;                   ///< bytes of each lane: 1, 2, 4, 8 or 16 (vectors included)
  std::uint32_t mask = 0;                    ///< active lanes, never 0
  const std::uint64_t* addresses = nullptr;  ///< 32 device addresses (Global, Constant)
  const std::uint32_t* offsets = nullptr;    ///< 32 offsets (Shared, Local)
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t warp = 0;         ///< warp of the block
  /// The lane that makes the whole access, if `mask` refers to pieces of a bulk copy instead of lanes;
  /// otherwise kNoLane.
  std::uint32_t sole_lane = kNoLane;
  /// Global, Shared: content at address (or offset) is at `memory` + address, before a store
  const std::byte* memory = nullptr;
  const std::byte* frame = nullptr;   ///< the slots of Program::code; null if a call reports several
  const StoreData* stored = nullptr;  ///< for stores with known data
  /// For full warps: accesses of an instruction with the same value here have the same distances between
  /// lanes. 0: not compared.
  std::uint64_t shape = 0;
  std::uint64_t repeats = 1;  ///< accesses of this shape; more than 1 only if every_access() is false

  /// The lane that makes the access at a bit of `mask`.
  [[nodiscard]] std::uint32_t maker(std::uint32_t place) const {
    return sole_lane == kNoLane ? place : sole_lane;
  }
};

/// One of several loads of shared memory by all lanes of a warp that one call reports: lane i loads `width`
/// bytes at first + i * distance.
struct SharedLoad {
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t first = 0, distance = 0, width = 0;
};
/// A list of loads. Between the first and the last of them there is no other reported event of any warp, and
/// no store.
struct SharedLoads {
  const Program* program = nullptr;
  std::uint32_t warp = 0;
  std::span<const SharedLoad> loads;
};

/// One PTX instruction of one warp, about to be executed by the lanes of `mask`. If it was lowered to several
/// of Program::code, it is reported with the last.
struct WarpStep {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t warp = 0;
  std::uint32_t depth = 0;  ///< call depth of the function
  std::uint32_t mask = 0;
  const std::byte* frame = nullptr;  ///< the slots of Program::code
};

/// A `.sync` instruction of one warp, about to be executed by the lanes of `mask`.
struct WarpSync {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;
  std::uint32_t warp = 0;
  std::uint32_t mask = 0;
  std::uint32_t exited = 0;                ///< lanes of the warp that have exited
  const std::uint32_t* members = nullptr;  ///< 32 lanes: the member mask of each
  bool apart = false;                      ///< some of the named lanes wait at another `.sync` instruction
};

/// A barrier opens.
struct BarrierOpening {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;             ///< where the first warp waits
  std::uint32_t id = 0, warp = 0, lane = 0;  ///< the first waiting thread
  bool counted = false;                      ///< it waits for a number of threads instead of the whole block
  std::uint32_t warps = 0;                   ///< the waiting warps, a bit each
  bool whole = false;                        ///< these are all live warps of the block
  std::span<const std::uint32_t> exited;     ///< by warp: lanes that have exited
};

struct LaunchInfo {
  const Program* program = nullptr;
  LaunchConfig config;
  const GlobalMemory* global = nullptr;
  std::span<const std::byte> parameters;
};

/// Accesses to shared memory by at most this many lanes are reported one by one, even to observers that only
/// need their cost: a warp's lanes may arrive one after the other, which costs less than as many accesses.
inline constexpr std::uint32_t kFewLanes = 4;

class WorkerObserver {
 public:
  virtual ~WorkerObserver() = default;
  virtual void begin_block(std::uint64_t /*block*/) {}
  /// The following events belong to this block: it starts, or continues after others (blocks that wait for
  /// each other alternate). every_access() is queried again.
  virtual void resume_block(std::uint64_t /*block*/) {}
  virtual void access(const WarpAccess& /*access*/) {}
  /// Called before each instruction and its accesses, while every_step() is true; queried like
  /// every_access().
  virtual void step(const WarpStep& /*step*/) {}
  [[nodiscard]] virtual bool every_step() const { return false; }
  /// False if only the cost of accesses matters: then one call reports several accesses of one shape (the
  /// same distances between lanes, the same word of a sector), at any time before merge().
  [[nodiscard]] virtual bool every_access() const { return true; }
  /// False if this observer needs no events of this block. Queried together with every_access(), and, if the
  /// observer then saw each access, repeatedly while the block runs: an observer can stop when it has seen
  /// enough.
  [[nodiscard]] virtual bool watches() const { return true; }
  /// True if the observer needs no accesses to shared memory.
  [[nodiscard]] virtual bool only_global() const { return false; }
  /// Ranges of global memory. For plain loads from allocations in one of them only the cost matters, as with
  /// a false every_access(). Queried together with it.
  [[nodiscard]] virtual std::span<const DeviceRange> unflushed_loads() const { return {}; }
  /// True if plain loads of shared memory can be reported later than by access(): shared_loads() then reports
  /// them, before any other event. Only if all observers of shared memory agree.
  [[nodiscard]] virtual bool takes_shared_loads() const { return false; }
  /// The data of a cp.async or cp.async.bulk (access() has reported it at its issue) is in memory from now
  /// on, or has been read from shared memory.
  virtual void copy_landed(const WarpAccess& /*access*/) {}
  virtual void shared_loads(const SharedLoads& /*loads*/) {}
  virtual void barrier(const BarrierOpening& /*opening*/) {}
  /// A warp arrives at a named barrier without waiting (bar.arrive).
  virtual void barrier_arrive(std::uint32_t /*warp*/, std::uint32_t /*id*/) {}
  virtual void warp_sync(const WarpSync& /*sync*/) {}
  /// malloc and free inside a kernel.
  virtual void heap_allocated(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void heap_freed(std::uint64_t /*address*/) {}
  /// `within_block`: it has no effect for other blocks.
  virtual void fence(std::uint32_t /*warp*/, bool /*within_block*/) {}
  /// A thread arrives at the mbarrier at this offset of shared memory; `completes`: the phase ends with it.
  virtual void mbarrier_arrive(std::uint32_t /*warp*/, std::uint32_t /*offset*/, bool /*completes*/) {}
  /// A thread has seen that the tested phase has ended.
  virtual void mbarrier_pass(std::uint32_t /*warp*/, std::uint32_t /*offset*/) {}
  virtual void exit_lanes(const Program& /*program*/, std::uint32_t /*instruction*/, std::uint32_t /*warp*/,
                          std::uint32_t /*lanes*/) {}
  virtual void end_block() {}
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) = 0;
  /// True if the results depend on the order of blocks: then they run one after the other, on one worker.
  [[nodiscard]] virtual bool ordered() const { return false; }
  /// Called for each worker, in worker order, after the launch. The results must not depend on that order.
  virtual void merge(WorkerObserver& worker) = 0;
};

}  // namespace cudalabs::sim
