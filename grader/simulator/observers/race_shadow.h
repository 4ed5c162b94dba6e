#pragma once
// Who last touched each place of memory: marks by 4-byte word, or by byte where narrower accesses were seen.

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "grader/simulator/observers/line_runs.h"
#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

/// An access by lanes of one warp that nothing orders among themselves. Stamps are times on a clock that
/// ticks at everything that orders accesses, and at every store; 0: there was none.
struct Mark {
  std::uint32_t stamp = 0;
  std::uint32_t block = 0;
  std::uint32_t site = 0;
  std::uint8_t warp = 0;
  LaneRule low = 0, high = 0;  ///< two of the lanes; the same if it was one
  AccessKind kind{};           ///< an instruction alone does not say: cp.async reads and writes

  [[nodiscard]] bool empty() const { return stamp == 0; }
  /// Says of one cell of a line alone what it says of a run.
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

/// The first access by a warp and the first by another:
/// enough to know whether a third conflicts with somebody.
struct MarkPair {
  Mark first, second;

  [[nodiscard]] bool empty() const { return first.empty() && second.empty(); }
  void stand_alone(std::uint32_t cell) {
    first.stand_alone(cell);
    second.stand_alone(cell);
  }
};

/// The last atomic that changed what was there, and the last that threw it away.
struct AtomicOrder {
  Mark added, overwritten;

  [[nodiscard]] bool empty() const { return added.empty() && overwritten.empty(); }
  void stand_alone(std::uint32_t cell) {
    added.stand_alone(cell);
    overwritten.stand_alone(cell);
  }
};

/// The marks of a stretch of memory, by cells: words, later perhaps bytes.
class Area : public LineRuns<Area> {
 public:
  explicit Area(std::uint32_t bytes) : LineRuns((bytes + 4 * kLine - 1) / (4 * kLine)) {}

  /// log2 of the bytes of a cell: 2, later perhaps 0.
  [[nodiscard]] std::uint32_t shift() const { return shift_; }
  /// From words to bytes; what is known of a word holds for each of its bytes.
  void split() {
    LineRuns::split();
    shift_ = 0;
  }

  Plane<WriteMark> writes;
  Plane<MarkPair> reads;
  Plane<MarkPair> atomics;
  /// Who was the last to see it, if nobody has changed it since: by an atomic or a strong load.
  Plane<Mark> seen;
  Plane<AtomicOrder> order;  ///< only where a kernel has atomics that throw away

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
