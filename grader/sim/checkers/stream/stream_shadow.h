#pragma once
// The last operations that touched each byte, by runs of bytes with one history; vector clocks order the
// operations of a program. A race is a pair of unordered operations, one of which writes.

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/sim/base/stream_operation.h"

namespace cudalabs::sim {

/// An operation that has begun. `told.clock` includes what StreamShadow::begin added.
struct StreamStep {
  StreamOperation told;
  std::string kernel;  ///< demangled
};
using StreamStepPtr = std::shared_ptr<StreamStep>;

enum StreamAccess : std::uint8_t { kStreamRead = 1, kStreamWrite = 2, kStreamAtomic = 4 };

/// A race between the current operation and an earlier one.
struct StreamRace {
  StreamStepPtr earlier;
  bool earlier_writes = false, writes = false;
  std::uint64_t begin = 0, end = 0;  ///< the first and last byte of the race
};

class StreamShadow {
 public:
  /// Starts an operation; the following accesses belong to it.
  void begin(StreamOperation operation);
  /// Null: no operation has begun.
  [[nodiscard]] const StreamStepPtr& current() const { return current_; }
  /// `how`: StreamAccess bits.
  void touch(std::uint64_t begin, std::uint64_t end, std::uint8_t how);
  /// The races of the operation since the last call. From now on similar pairs count as ordered, so that
  /// consequences of the same mistake are reported once.
  std::vector<StreamRace> take_races();
  /// Which operations use these bytes without an order before the current operation?
  [[nodiscard]] StreamUse use(std::uint64_t begin, std::uint64_t end) const;
  /// The memory was allocated or freed.
  void forget(std::uint64_t begin, std::uint64_t end);

 private:
  /// The last write to some bytes, and all accesses since.
  struct History {
    StreamStepPtr write;
    std::vector<StreamStepPtr> reads, atomics;
  };
  using HistoryPtr = std::shared_ptr<const History>;
  struct TakenAsOrdered {
    std::uint32_t lane = 0, number = 0;  ///< whatever follows this operation ...
    std::vector<std::uint32_t> clock;    ///< ... counts as following these
  };

  [[nodiscard]] bool ordered(const StreamStep& earlier) const;
  void split(std::uint64_t at);
  HistoryPtr next(const HistoryPtr& history, std::uint8_t how, std::uint64_t begin, std::uint64_t end);
  void add_race(const StreamStepPtr& earlier, bool earlier_writes, bool writes, std::uint64_t begin,
                std::uint64_t end);

  StreamStepPtr current_;
  std::map<std::uint64_t, HistoryPtr> runs_;  ///< by first byte, up to the next; null: untouched
  std::map<std::pair<const History*, std::uint8_t>, std::pair<HistoryPtr, HistoryPtr>> known_;
  std::vector<StreamRace> races_;
  std::vector<TakenAsOrdered> taken_;
};

}  // namespace cudalabs::sim
