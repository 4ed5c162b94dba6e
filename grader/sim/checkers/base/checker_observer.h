#pragma once
// What a checker is to those that call it.

#include <cstdint>
#include <memory>
#include <span>

#include "grader/sim/base/stream_operation.h"
#include "grader/sim/checkers/base/finding.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Observes launches and the host's operations on device memory, and collects findings.
class CheckerObserver : public Observer {
 public:
  /// Checkers keep one state a launch, so blocks come one
  /// after the other: findings are the same on any machine.
  [[nodiscard]] bool ordered() const override { return true; }

  /// Creates a worker for a single block of a launch whose other blocks are not watched. It checks only
  /// properties that one block decides alone, and may run in parallel with other such workers. Null: this
  /// checker has no such property.
  [[nodiscard]] virtual std::unique_ptr<WorkerObserver> single_block_worker(
      const LaunchInfo& launch) const = 0;

  /// A call begins, perhaps of another program; all work of those before is done.
  virtual void begin_call() {}
  virtual void allocated(DevicePtr /*pointer*/, std::uint64_t /*bytes*/) {}
  virtual void freed(DevicePtr /*pointer*/) {}
  /// The buffer holds a call's output: its content is uninitialized until a kernel writes it.
  virtual void expected(const DeviceRange& /*output*/) {}
  /// The host wrote these bytes: a copy or a memset.
  virtual void written(DevicePtr /*pointer*/, std::uint64_t /*bytes*/) {}
  /// A launch runs of which this checker sees no block, or not all: it may write any memory.
  virtual void launched_unwatched() {}
  /// A copy within the device.
  virtual void copied(DevicePtr /*to*/, DevicePtr /*from*/, std::uint64_t /*bytes*/) {}
  /// The host has copied these bytes to itself, by a call that came from `frames` (Finding::frames).
  virtual void read_by_host(const DeviceRange& /*bytes*/, std::span<const std::uint64_t> /*frames*/) {}
  /// The device runs this operation next, or the host has done it (base/stream_operation.h).
  virtual StreamUse operation(const StreamOperation& /*operation*/) { return StreamUse::Nobody; }
  /// The caller is about to take the findings.
  virtual void settle() {}
  /// The program has ended without freeing these allocations.
  virtual void ended(std::span<const Leak> /*left*/) {}

  FindingList found;
};

// Each checker's file defines the function that makes it.
#define CUDALABS_CHECKER(checker, name, ...) std::unique_ptr<CheckerObserver> make_##name();
#include "grader/sim/checkers/base/checkers.def"
#undef CUDALABS_CHECKER

/// An observer of one launch; call finish() when the launch ends.
class LaunchObserver : public Observer {
 public:
  virtual void finish() = 0;
};

}  // namespace cudalabs::sim
