#pragma once
// The checkers by name, and a set of them that watches one device: they observe its launches and the host's
// operations. A new checker is a row of the table in checkers.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/simulator/base/stream_operation.h"
#include "grader/simulator/observers/finding.h"
#include "grader/simulator/program/observer.h"
#include "grader/support/result.h"

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
  [[nodiscard]] virtual std::unique_ptr<WorkerObserver> lone_worker(const LaunchInfo& launch) const = 0;

  virtual void allocated(DevicePtr /*pointer*/, std::uint64_t /*bytes*/) {}
  virtual void freed(DevicePtr /*pointer*/) {}
  /// The buffer holds a call's output: its content is uninitialized until a kernel writes it.
  virtual void expected(const DeviceRange& /*output*/) {}
  /// The host wrote these bytes: a copy or a memset.
  virtual void written(DevicePtr /*pointer*/, std::uint64_t /*bytes*/) {}
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

struct CheckerInfo {
  Checker checker{};
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<CheckerObserver> (*make)();
};
std::span<const CheckerInfo> all_checkers();
const CheckerInfo& checker_info(Checker checker);

/// A set of checkers: bit n is Checker n.
using CheckerSet = std::uint32_t;
inline constexpr CheckerSet checker_bit(Checker checker) {
  return CheckerSet{1} << static_cast<unsigned>(checker);
}
/// Parses "racecheck,memcheck" or "all". Error: an unknown name; the message lists the valid ones.
Result<CheckerSet> parse_checkers(std::string_view names);

/// An observer of one launch; call finish() when the launch ends.
class LaunchObserver : public Observer {
 public:
  virtual void finish() = 0;
};

/// The checkers of one device. An empty set costs nothing.
class Checkers {
 public:
  explicit Checkers(CheckerSet set);

  [[nodiscard]] std::vector<Observer*> observers() const;
  /// The same checkers for a large launch: they watch a sample of its blocks. `launch`: the launch's number,
  /// which seeds the sample. `between_blocks`: also find races between all blocks, except in `inputs`.
  [[nodiscard]] std::unique_ptr<LaunchObserver> sampling_observer(std::span<const DeviceRange> inputs,
                                                                  bool between_blocks,
                                                                  std::uint64_t launch) const;
  void allocated(DevicePtr pointer, std::uint64_t bytes);
  void freed(DevicePtr pointer);
  void expected(const DeviceRange& output);
  void written(DevicePtr pointer, std::uint64_t bytes);
  void copied(DevicePtr to, DevicePtr from, std::uint64_t bytes);
  void read_by_host(const DeviceRange& bytes, std::span<const std::uint64_t> frames);
  StreamUse operation(const StreamOperation& operation);
  void ended(std::span<const Leak> left);
  /// The findings since the last call, errors first.
  std::vector<Finding> take();

 private:
  std::vector<std::unique_ptr<CheckerObserver>> checkers_;
  CheckerObserver* racecheck_ = nullptr;  ///< null if racecheck is not in the set
};

}  // namespace cudalabs::sim
