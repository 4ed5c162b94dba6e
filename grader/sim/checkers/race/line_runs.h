#pragma once
// Compressed per-cell data about memory: a run of cells with the same history has one entry. Warps mostly
// access whole lines, and then all cells of a line differ only in the lane.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// Which lane accessed a cell of a line. Below 32: that lane. Otherwise adjacent lanes: the low five bits
/// give the lane at the line's first cell, the other three bits are 1 + log2 of the cells for each lane.
using LaneRule = std::uint8_t;

/// The rule for a run of lanes with 2^`of_lane` cells each. `first`: the lane at the line's first cell,
/// modulo 32.
inline LaneRule lane_rule(std::uint32_t first, std::uint32_t of_lane) {
  const std::uint32_t lane = first % kLanes;
  return static_cast<LaneRule>(of_lane >= 5 ? lane : (of_lane + 1) << 5 | lane);
}
/// `cell`: the index in a line, or in several whole lines.
inline std::uint32_t lane_at(LaneRule rule, std::uint64_t cell) {
  const std::uint32_t side_by_side = rule >> 5;
  if (side_by_side == 0) return rule;
  return (rule + (static_cast<std::uint32_t>(cell % 32) >> (side_by_side - 1))) % kLanes;
}

/// Data about one kind of access, by cell. Cells with the same index in their lines are adjacent in memory,
/// and are allocated only if any of them is used: where lines are accessed whole, that is a 32nd. T has
/// `empty()`, which is true of T{}, and `stand_alone(cell of a line)`, which replaces its lane rules by
/// lanes.
template <class T>
class Plane {
 public:
  static constexpr std::uint32_t kLine = 32;  ///< cells

  /// Is any such access recorded?
  explicit operator bool() const { return rows_ != nullptr; }
  [[nodiscard]] const T& operator[](std::uint64_t cell) const {
    const T* const row = rows_->at[cell % kLine];
    return row != nullptr ? row[cell / kLine] : kNone;
  }
  void begin() {
    if (!rows_) rows_ = std::make_unique<Rows>();
  }
  T& make(std::uint64_t cell, std::uint32_t lines) {
    T* row = rows_ ? rows_->at[cell % kLine] : nullptr;
    if (row == nullptr) [[unlikely]]
      row = add(cell % kLine, lines);
    return row[cell / kLine];
  }
  void copy(std::uint64_t from, std::uint64_t to, std::uint32_t lines) {
    if (rows_ && !(*this)[from].empty()) make(to, lines) = (*this)[from];
  }
  void stand_alone(std::uint64_t cell, std::uint32_t lines) {
    if (rows_ && !(*this)[cell].empty())
      make(cell, lines).stand_alone(static_cast<std::uint32_t>(cell % kLine));
  }
  /// Makes all cells of a line individual. Runs begin at the cells of `starts`; those of `apart` already are
  /// individual.
  void stand_alone(std::uint64_t line, std::uint32_t starts, std::uint32_t apart, std::uint32_t lines) {
    if (!rows_) return;
    for (std::uint32_t left = starts & ~apart; left != 0; left &= left - 1) {
      const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
      const T kept = (*this)[line * kLine + first];
      if (kept.empty()) continue;
      std::uint32_t cell = first;
      do {
        T& own = make(line * kLine + cell, lines);
        own = kept;
        own.stand_alone(cell);
      } while (++cell < kLine && (starts >> cell & 1) == 0);
    }
  }
  /// Divides each cell into four.
  void split(std::uint32_t lines) {
    if (!rows_) return;
    Plane wide;
    for (std::uint64_t cell = 0; cell < std::uint64_t{lines} * kLine; ++cell) {
      if ((*this)[cell].empty()) continue;
      for (std::uint64_t part = 0; part < 4; ++part) wide.make(cell * 4 + part, lines * 4) = (*this)[cell];
    }
    rows_ = std::move(wide.rows_);
  }

 private:
  static constexpr T kNone{};
  struct Rows {
    std::array<T*, kLine> at{};
    /// Four single rows, then all others at once: a plane that uses so many rows usually needs all.
    std::array<std::unique_ptr<T[]>, 5> owned;
    std::uint32_t count = 0;

    T* add(std::uint64_t place, std::uint32_t lines) {
      const bool rest = count + 1 == owned.size();
      auto& made = owned[count++];
      made = std::make_unique<T[]>(std::size_t{rest ? kLine - count + 1 : 1} * lines);
      T* next = made.get();
      if (!rest) return at[place] = next;
      for (T*& row : at) {
        if (row == nullptr) row = std::exchange(next, next + lines);
      }
      return at[place];
    }
  };
  [[gnu::noinline]] T* add(std::uint64_t place, std::uint32_t lines) {
    begin();
    return rows_->add(place, lines);
  }
  std::unique_ptr<Rows> rows_;
};

/// The runs of a range of memory, whose planes `Self::each_plane(f)` passes to f. A run lies within a line,
/// and its data is stored at its first cell. Runs are divided and never merged.
template <class Self>
class LineRuns {
 public:
  static constexpr std::uint32_t kLine = 32;  ///< cells

  explicit LineRuns(std::uint32_t lines) : count_(lines), lines_(std::make_unique<Line[]>(lines)) {}

  /// Divides the cells from `first` to `last` into runs and calls f(first cell, end, rule) for each. The
  /// cells belong to adjacent lanes from `lane` on, 2^`of_lane` to each.
  template <class F>
  void each_run(std::uint64_t first, std::uint64_t last, std::uint32_t lane, std::uint32_t of_lane, F f) {
    for (std::uint64_t line = first / kLine; line * kLine < last; ++line) {
      const std::uint64_t zero = line * kLine;
      const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(last - zero, kLine));
      auto begin = static_cast<std::uint32_t>(std::max(first, zero) - zero);
      const auto before = static_cast<std::uint32_t>((zero >> of_lane) - (first >> of_lane));
      const LaneRule rule = lane_rule(lane + before, of_lane);
      cut(line, begin);
      if (end < kLine) cut(line, end);
      while (begin < end) {
        const std::uint32_t until = run_end(line, begin);
        f(zero + begin, zero + until, rule);
        begin = until;
      }
    }
  }
  /// Calls f(first cell, end) for all existing runs.
  template <class F>
  void each_run(F f) const {
    for (std::uint64_t line = 0; line < count_; ++line) {
      for (std::uint32_t begin = 0, until = 0; begin < kLine; begin = until) {
        until = run_end(line, begin);
        f(line * kLine + begin, line * kLine + until);
      }
    }
  }
  /// Is this cell individual: with lanes instead of lane rules?
  [[nodiscard]] bool is_apart(std::uint64_t cell) const {
    return (lines_[cell / kLine].apart >> cell % kLine & 1) != 0;
  }
  void set_apart(std::uint64_t cell) {
    if (!is_apart(cell)) [[unlikely]]
      part_from_run(cell);
  }
  /// Makes all cells of a line individual: if lanes access it irregularly, most cells will be.
  void set_line_apart(std::uint64_t line) {
    if (lines_[line].apart != ~0u) [[unlikely]]
      part_all(line);
  }

  template <class T>
  [[nodiscard]] T& make(Plane<T>& plane, std::uint64_t cell) {
    return plane.make(cell, count_);
  }

 protected:
  /// Divides each cell into four, all individual; if no data is recorded yet, none is.
  void split() {
    bool fresh = true;
    self().each_plane([&](auto& plane) { fresh = fresh && !plane; });
    for (std::uint32_t line = 0; !fresh && line < count_; ++line) set_line_apart(line);
    self().each_plane([&](auto& plane) { plane.split(count_); });
    count_ *= 4;
    lines_ = std::make_unique<Line[]>(count_);
    if (!fresh) std::fill_n(lines_.get(), count_, Line{~0u, ~0u});
  }

 private:
  struct Line {
    std::uint32_t starts = 1;  ///< cells that begin a run
    std::uint32_t apart = 0;   ///< see is_apart()
  };
  Self& self() { return static_cast<Self&>(*this); }
  [[gnu::noinline]] void part_from_run(std::uint64_t cell) {
    const auto at = static_cast<std::uint32_t>(cell % kLine);
    cut(cell / kLine, at);
    if (at + 1 < kLine) cut(cell / kLine, at + 1);
    lines_[cell / kLine].apart |= 1u << at;
    self().each_plane([&](auto& plane) { plane.stand_alone(cell, count_); });
  }

  [[gnu::noinline]] void part_all(std::uint64_t line) {
    Line& of = lines_[line];
    self().each_plane([&](auto& plane) { plane.stand_alone(line, of.starts, of.apart, count_); });
    of = {~0u, ~0u};
  }
  /// The end of the run that begins at this cell of the line.
  [[nodiscard]] std::uint32_t run_end(std::uint64_t line, std::uint32_t cell) const {
    const std::uint32_t after = lines_[line].starts & ~below(cell + 1);
    return after == 0 ? kLine : static_cast<std::uint32_t>(std::countr_zero(after));
  }
  /// The bits of cells before this one.
  static std::uint32_t below(std::uint32_t cell) { return cell >= kLine ? ~0u : (1u << cell) - 1; }
  /// Begins a run at this cell of the line.
  void cut(std::uint64_t line, std::uint32_t cell) {
    std::uint32_t& starts = lines_[line].starts;
    if ((starts >> cell & 1) != 0) [[likely]]
      return;
    const auto start = static_cast<std::uint32_t>(31 - std::countl_zero(starts & below(cell)));
    self().each_plane([&](auto& plane) { plane.copy(line * kLine + start, line * kLine + cell, count_); });
    starts |= 1u << cell;
  }

  std::uint32_t count_;
  std::unique_ptr<Line[]> lines_;
};

}  // namespace cudalabs::sim
