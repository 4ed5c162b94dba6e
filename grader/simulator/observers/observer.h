#pragma once
// Observers look at what warps do; the executor calls them and knows nothing of what they look for. Hooks are
// per warp instruction, never per lane, and when there is no observer nothing is called. A launch runs on
// several workers: each gets a `WorkerObserver` of its own, so that no hook needs a lock, and `merge` joins
// them in a fixed order.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/simulator/simulator.h"

namespace cudalabs::sim {

struct Program;

enum class AccessKind : std::uint8_t { Load, Store, Atomic };
enum class AccessSpace : std::uint8_t { Global, Shared, Local };

/// One memory instruction of one warp. Inactive lanes hold no meaningful address.
struct WarpAccess {
  AccessKind kind{};
  AccessSpace space{};
  std::uint32_t width = 4;                   ///< bytes a lane: 1, 2, 4, 8 or 16 (vectors included)
  std::uint32_t mask = 0;                    ///< active lanes, never 0
  const std::uint64_t* addresses = nullptr;  ///< 32 device addresses (Global)
  const std::uint32_t* offsets = nullptr;    ///< 32 offsets (Shared, Local)
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into Program::code
  std::uint32_t warp = 0;         ///< warp of the block
  std::uint64_t repeats = 1;      ///< accesses of this shape; more than 1 only where every_access() is false
};

struct LaunchInfo {
  const Program* program = nullptr;
  LaunchConfig config;
};

class WorkerObserver {
 public:
  virtual ~WorkerObserver() = default;
  virtual void begin_block(std::uint64_t /*block*/) {}
  /// What follows happens in this block, which has begun: blocks that wait for others take turns.
  virtual void resume_block(std::uint64_t /*block*/) {}
  virtual void access(const WarpAccess& /*access*/) {}
  /// False if only the cost of accesses matters: several of one shape (the same distances between lanes, the
  /// same place within a sector) are then told in one call, at any time before merge().
  [[nodiscard]] virtual bool every_access() const { return true; }
  /// All warps of the block passed barrier `id`.
  virtual void barrier(std::uint32_t /*id*/) {}
  virtual void end_block() {}
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) = 0;
  /// Called once a worker, in worker order, after the launch. What is kept must not depend on that order.
  virtual void merge(WorkerObserver& worker) = 0;
};

}  // namespace cudalabs::sim
