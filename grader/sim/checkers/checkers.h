#pragma once
// A set of checkers that watches one device: they observe its launches and the host's operations. A new
// checker is a row of base/checkers.def.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/sim/base/stream_operation.h"
#include "grader/sim/checkers/base/checker_observer.h"
#include "grader/sim/checkers/base/finding.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// Parses "racecheck,memcheck" or "all". Error: an unknown name; the message lists the valid ones.
Result<CheckerSet> parse_checkers(std::string_view names);

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
  void begin_call();
  void allocated(DevicePtr pointer, std::uint64_t bytes);
  void freed(DevicePtr pointer);
  void expected(const DeviceRange& output);
  void written(DevicePtr pointer, std::uint64_t bytes);
  void launched_unwatched();
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
