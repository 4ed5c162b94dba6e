#pragma once
// Shadow memory of the last accesses: marks by 4-byte word, or by byte once a narrower access occurred.

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "grader/sim/checkers/race/line_runs.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

/// An access by lanes of one warp without an order among themselves. Stamps are times of a clock that ticks
/// at every synchronization and at every store; 0: no access.
struct Mark {
  std::uint32_t stamp = 0;
  std::uint32_t block = 0;
  std::uint32_t site = 0;
  std::uint8_t warp = 0;
  LaneRule low = 0, high = 0;  ///< two of the lanes; equal for a single lane
  AccessKind kind{};           ///< needed beside the instruction: cp.async reads and writes

  [[nodiscard]] bool empty() const { return stamp == 0; }
  /// Restricts a run's mark to one cell of a line.
  void stand_alone(std::uint32_t cell) {
    low = static_cast<LaneRule>(lane_at(low, cell));
    high = static_cast<LaneRule>(lane_at(high, cell));
  }
};

/// The last write, and the warps of that block that have written this value.
struct WriteMark {
  Mark mark;
  std::uint32_t warps = 0;

  [[nodiscard]] bool empty() const { return mark.empty(); }
  void stand_alone(std::uint32_t cell) { mark.stand_alone(cell); }
};

/// The first access by a warp and the first by another: enough to detect whether a third access conflicts
/// with either.
struct MarkPair {
  Mark first, second;

  [[nodiscard]] bool empty() const { return first.empty() && second.empty(); }
  void stand_alone(std::uint32_t cell) {
    first.stand_alone(cell);
    second.stand_alone(cell);
  }
};

/// The last atomic that changed the value, and the last that discarded it.
struct AtomicOrder {
  Mark added, overwritten;

  [[nodiscard]] bool empty() const { return added.empty() && overwritten.empty(); }
  void stand_alone(std::uint32_t cell) {
    added.stand_alone(cell);
    overwritten.stand_alone(cell);
  }
};

/// The marks of a range of memory, by cells: words, or bytes after split().
class Area : public LineRuns<Area> {
 public:
  explicit Area(std::uint32_t bytes) : LineRuns((bytes + 4 * kLine - 1) / (4 * kLine)) {}

  /// log2 of the bytes of a cell: 2, or 0 after split().
  [[nodiscard]] std::uint32_t shift() const { return shift_; }
  /// Changes the cells from words to bytes; each byte inherits its word's marks.
  void split() {
    LineRuns::split();
    shift_ = 0;
  }

  Plane<WriteMark> writes;
  Plane<MarkPair> reads;
  Plane<MarkPair> atomics;
  /// The last access that saw the value, by an atomic or a strong load, if nobody has changed it since.
  Plane<Mark> seen;
  Plane<AtomicOrder> order;  ///< only if a kernel has atomics that discard the old value

  template <class F>
  void each_plane(F f) {
    f(writes);
    f(reads);
    f(atomics);
    f(seen);
    f(order);
  }

 private:
  std::uint32_t shift_ = 2;
};

/// The marks of global memory, a page each.
class AreaPages {
 public:
  static constexpr std::uint64_t kPage = 4096;

  [[gnu::always_inline]] Area& at(std::uint64_t address) {
    const std::uint64_t number = address / kPage;
    auto& [known, area] = recent_[number % recent_.size()];
    if (known != number || area == nullptr) [[unlikely]] {
      area = &find(number);
      known = number;
    }
    return *area;
  }

 private:
  [[gnu::noinline]] Area& find(std::uint64_t number) {
    auto& owned = pages_[number];
    if (!owned) owned = std::make_unique<Area>(kPage);
    return *owned;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Area>> pages_;
  std::array<std::pair<std::uint64_t, Area*>, 256> recent_{};
};

}  // namespace cudalabs::sim
