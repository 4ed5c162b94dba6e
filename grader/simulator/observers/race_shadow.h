#pragma once
// Who last touched each place of memory: marks by 4-byte word, or by byte where narrower accesses were seen.
// What stands side by side and has one history is kept once: warps mostly access whole lines, and then all
// cells of one differ in nothing but the lane.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// Which lane touched a cell of a line. Below 32: that one. Else lanes stand side by side: the low five bits
/// say which would stand at the line's first cell, the other three are 1 + log2 of the cells that each has.
using LaneRule = std::uint8_t;

/// Of a run of lanes whose cells are 2^`of_lane` each. `first`: the lane at the line's first cell, modulo 32.
inline LaneRule lane_rule(std::uint32_t first, std::uint32_t of_lane) {
  const std::uint32_t lane = first % kLanes;
  return static_cast<LaneRule>(of_lane >= 5 ? lane : (of_lane + 1) << 5 | lane);
}
/// `cell`: of the line, or of whole lines.
inline std::uint32_t lane_at(LaneRule rule, std::uint64_t cell) {
  const std::uint32_t side_by_side = rule >> 5;
  return side_by_side == 0 ? rule
                           : (rule + (static_cast<std::uint32_t>(cell % 32) >> (side_by_side - 1))) % kLanes;
}

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

/// Marks of one kind in an area. Cells that stand at one place of their lines lie side by side, and take
/// memory only if there is any: so an area whose lines are accessed whole needs a 32nd of it.
template <class T>
class Plane {
 public:
  static constexpr std::uint32_t kLine = 32;  ///< cells

  /// Is there any such access?
  explicit operator bool() const { return rows_ != nullptr; }
  [[nodiscard]] const T& operator[](std::uint64_t cell) const {
    const T* const row = (*rows_)[cell % kLine].get();
    return row != nullptr ? row[cell / kLine] : kNone;
  }

 private:
  friend class Area;
  T& make(std::uint64_t cell, std::uint32_t lines) {
    if (!rows_) [[unlikely]]
      rows_ = std::make_unique<Rows>();
    auto& row = (*rows_)[cell % kLine];
    if (!row) [[unlikely]]
      row = std::make_unique<T[]>(lines);
    return row[cell / kLine];
  }
  void copy(std::uint64_t from, std::uint64_t to, std::uint32_t lines) {
    if (rows_ && !(*this)[from].empty()) make(to, lines) = (*this)[from];
  }
  void stand_alone(std::uint64_t cell, std::uint32_t lines) {
    if (rows_ && !(*this)[cell].empty())
      make(cell, lines).stand_alone(static_cast<std::uint32_t>(cell % kLine));
  }
  void split(std::uint32_t lines) {
    if (!rows_) return;
    Plane wide;
    for (std::uint64_t cell = 0; cell < std::uint64_t{lines} * kLine; ++cell) {
      if ((*this)[cell].empty()) continue;
      for (std::uint64_t byte = 0; byte < 4; ++byte) wide.make(cell * 4 + byte, lines * 4) = (*this)[cell];
    }
    rows_ = std::move(wide.rows_);
  }

  static constexpr T kNone{};
  using Rows = std::array<std::unique_ptr<T[]>, kLine>;
  std::unique_ptr<Rows> rows_;
};

/// The marks of a stretch of memory, by cells: words, later perhaps bytes. A run of cells of one line has the
/// marks of its first.
class Area {
 public:
  static constexpr std::uint32_t kLine = Plane<Mark>::kLine;

  explicit Area(std::uint32_t bytes)
      : count_((bytes + 4 * kLine - 1) / (4 * kLine)), lines_(std::make_unique<Line[]>(count_)) {}

  /// log2 of the bytes of a cell: 2, later perhaps 0.
  [[nodiscard]] std::uint32_t shift() const { return shift_; }
  /// From words to bytes; what is known of a word holds for each of its bytes.
  void split() {
    const bool fresh = !writes && !reads && !atomics && !seen && !order;
    for (std::uint64_t cell = 0; !fresh && cell < std::uint64_t{count_} * kLine; ++cell) set_apart(cell);
    each_plane([&](auto& plane) { plane.split(count_); });
    count_ *= 4;
    shift_ = 0;
    lines_ = std::make_unique<Line[]>(count_);
    if (!fresh) std::fill_n(lines_.get(), count_, Line{~0u, ~0u});
  }

  /// Calls f(first cell, end, rule) for runs that cells from `first` to `last` are made. They belong to lanes
  /// side by side, `lane` and those behind it, 2^`of_lane` to each.
  template <class F>
  void each_run(std::uint64_t first, std::uint64_t last, std::uint32_t lane, std::uint32_t of_lane, F f) {
    for (std::uint64_t line = first / kLine; line * kLine < last; ++line) {
      const std::uint64_t zero = line * kLine;
      const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(last - zero, kLine));
      auto begin = static_cast<std::uint32_t>(std::max(first, zero) - zero);
      const auto before = static_cast<std::uint32_t>((zero >> of_lane) - (first >> of_lane));
      const LaneRule rule = lane_rule(lane + before, of_lane);
      part(line, begin, end);
      while (begin < end) {
        const std::uint32_t until = run_end(line, begin);
        f(zero + begin, zero + until, rule);
        begin = until;
      }
    }
  }
  /// A cell whose marks name lanes, not rules.
  [[nodiscard]] bool is_apart(std::uint64_t cell) const {
    return (lines_[cell / kLine].apart >> cell % kLine & 1) != 0;
  }
  void set_apart(std::uint64_t cell) {
    if (is_apart(cell)) [[likely]]
      return;
    const auto at = static_cast<std::uint32_t>(cell % kLine);
    part(cell / kLine, at, at + 1);
    lines_[cell / kLine].apart |= 1u << at;
    each_plane([&](auto& plane) { plane.stand_alone(cell, count_); });
  }

  template <class T>
  [[nodiscard]] T& make(Plane<T>& plane, std::uint64_t cell) {
    return plane.make(cell, count_);
  }

  Plane<WriteMark> writes;
  Plane<MarkPair> reads;
  Plane<MarkPair> atomics;
  /// Who was the last to see it, if nobody has changed it since: by an atomic or a strong load.
  Plane<Mark> seen;
  Plane<AtomicOrder> order;  ///< only where a kernel has atomics that throw away

 private:
  struct Line {
    std::uint32_t starts = 1;  ///< cells that begin a run
    std::uint32_t apart = 0;   ///< see is_apart()
  };
  /// Makes cells from `begin` to `end` of the line runs of their own: none reaches beyond.
  void part(std::uint64_t line, std::uint32_t begin, std::uint32_t end) {
    cut(line, begin);
    if (end < kLine) cut(line, end);
  }
  /// Where the run ends that begins at this cell of the line.
  [[nodiscard]] std::uint32_t run_end(std::uint64_t line, std::uint32_t cell) const {
    const std::uint32_t after = lines_[line].starts & ~below(cell + 1);
    return after == 0 ? kLine : static_cast<std::uint32_t>(std::countr_zero(after));
  }
  /// The bits of cells before this one.
  static std::uint32_t below(std::uint32_t cell) { return cell >= kLine ? ~0u : (1u << cell) - 1; }
  void cut(std::uint64_t line, std::uint32_t cell) {
    std::uint32_t& starts = lines_[line].starts;
    if ((starts >> cell & 1) != 0) [[likely]]
      return;
    const auto start = static_cast<std::uint32_t>(31 - std::countl_zero(starts & below(cell)));
    each_plane([&](auto& plane) { plane.copy(line * kLine + start, line * kLine + cell, count_); });
    starts |= 1u << cell;
  }
  template <class F>
  void each_plane(F f) {
    f(writes);
    f(reads);
    f(atomics);
    f(seen);
    f(order);
  }

  std::uint32_t count_, shift_ = 2;
  std::unique_ptr<Line[]> lines_;
};

}  // namespace cudalabs::sim
