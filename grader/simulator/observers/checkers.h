#pragma once
// The checkers by name, and a set of them that watches one card: a launch's observers, and what the host
// does. A new checker is a row of the table in checkers.cpp.

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

/// Observes launches and what the host does to the card's memory, and keeps what it found.
class CheckerObserver : public Observer {
 public:
  /// Checkers keep one state a launch, so blocks come one
  /// after the other: findings are the same on any machine.
  [[nodiscard]] bool ordered() const override { return true; }

  /// For one block of a launch whose others are not watched: looks at what a block alone decides and nothing
  /// else, and may run beside others of its kind. Null: there is nothing to look at.
  [[nodiscard]] virtual std::unique_ptr<WorkerObserver> lone_worker(const LaunchInfo& launch) const = 0;

  virtual void allocated(DevicePtr /*pointer*/, std::uint64_t /*bytes*/) {}
  virtual void freed(DevicePtr /*pointer*/) {}
  /// A call's output: what lies there is nobody's to read.
  virtual void expected(const DeviceRange& /*output*/) {}
  /// The host wrote these bytes: a copy or a memset.
  virtual void written(DevicePtr /*pointer*/, std::uint64_t /*bytes*/) {}
  /// A copy from the card to itself.
  virtual void copied(DevicePtr /*to*/, DevicePtr /*from*/, std::uint64_t /*bytes*/) {}
  /// The host has copied these bytes to itself, by a call that came from `frames` (Finding::frames).
  virtual void read_by_host(const DeviceRange& /*bytes*/, std::span<const std::uint64_t> /*frames*/) {}
  /// The program does this next on its card, or its host has done it (base/stream_operation.h).
  virtual StreamUse operation(const StreamOperation& /*operation*/) { return StreamUse::Nobody; }
  /// What was found is about to be taken.
  virtual void settle() {}
  /// The program has ended and left these allocations.
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
/// "racecheck,memcheck" or "all". Error: an unknown name, with those there are.
Result<CheckerSet> parse_checkers(std::string_view names);

/// An observer of one launch that must be told of its end.
class LaunchObserver : public Observer {
 public:
  virtual void finish() = 0;
};

/// The checkers of one card. Empty set: nothing to call, nothing costs.
class Checkers {
 public:
  explicit Checkers(CheckerSet set);

  [[nodiscard]] std::vector<Observer*> observers() const;
  /// The same checkers for a large launch: they see a few of its blocks. `launch`: its number, by which they
  /// differ. `between_blocks`: races of all blocks are looked for, but in the inputs.
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
  /// What was found since the last time, errors first.
  std::vector<Finding> take();

 private:
  std::vector<std::unique_ptr<CheckerObserver>> checkers_;
  CheckerObserver* racecheck_ = nullptr;  ///< among them, if it is
};

}  // namespace cudalabs::sim
