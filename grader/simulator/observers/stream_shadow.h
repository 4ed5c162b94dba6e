#pragma once
// Who touched which bytes last, among operations of a program whose order vector clocks give: by runs of
// bytes with one history. Races are pairs of operations, one of which writes, that nothing orders.

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/simulator/base/stream_operation.h"

namespace cudalabs::sim {

/// An operation that has begun. `told.clock` knows more than it was told: see StreamShadow::begin.
struct StreamStep {
  StreamOperation told;
  std::string kernel;  ///< demangled
};
using StreamStepPtr = std::shared_ptr<StreamStep>;

enum StreamAccess : std::uint8_t { kStreamRead = 1, kStreamWrite = 2, kStreamAtomic = 4 };

/// Of the operation that runs and an earlier one.
struct StreamRace {
  StreamStepPtr earlier;
  bool earlier_writes = false, writes = false;
  std::uint64_t begin = 0, end = 0;  ///< the bytes, and what lies between
};

class StreamShadow {
 public:
  /// What follows is done by this operation.
  void begin(StreamOperation operation);
  /// Null: none has begun.
  [[nodiscard]] const StreamStepPtr& current() const { return current_; }
  /// `how`: StreamAccess bits.
  void touch(std::uint64_t begin, std::uint64_t end, std::uint8_t how);
  /// What the operation raced with since the last time. From now on its like is taken to be ordered: what
  /// follows from the same mistake is told once.
  std::vector<StreamRace> take_races();
  /// Who touches these bytes, as far as nothing orders it before the operation that runs.
  [[nodiscard]] StreamUse use(std::uint64_t begin, std::uint64_t end) const;
  /// The memory is new, or gone.
  void forget(std::uint64_t begin, std::uint64_t end);

 private:
  /// Of bytes: who wrote them last, and who has touched them since.
  struct History {
    StreamStepPtr write;
    std::vector<StreamStepPtr> reads, atomics;
  };
  using HistoryPtr = std::shared_ptr<const History>;
  struct TakenAsOrdered {
    std::uint32_t lane = 0, number = 0;  ///< whoever comes behind this one
    std::vector<std::uint32_t> clock;    ///< comes behind these
  };

  [[nodiscard]] bool ordered(const StreamStep& earlier) const;
  void split(std::uint64_t at);
  HistoryPtr next(const HistoryPtr& history, std::uint8_t how, std::uint64_t begin, std::uint64_t end);
  void add_race(const StreamStepPtr& earlier, bool earlier_writes, bool writes, std::uint64_t begin,
                std::uint64_t end);

  StreamStepPtr current_;
  std::map<std::uint64_t, HistoryPtr> runs_;  ///< by the first byte; up to the next; null: untouched
  std::map<std::pair<const History*, std::uint8_t>, std::pair<HistoryPtr, HistoryPtr>> known_;
  std::vector<StreamRace> races_;
  std::vector<TakenAsOrdered> taken_;
};

}  // namespace cudalabs::sim
