#pragma once
// Deferred accesses of a block to its shared memory since its last barrier. Loads alone cannot race, nor can
// stores alone to distinct places. As long as a block makes only loads or only such stores, marking is
// deferred; usually the next barrier comes first, and then no later access can race with them.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "grader/sim/checkers/base/valid_bits.h"
#include "grader/sim/executable/lane_pattern.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

class SharedPhase {
 public:
  SharedPhase() = default;
  /// `words`: size in words of 4 bytes.
  explicit SharedPhase(std::uint32_t words) : stored_(words) {}

  /// One deferred access. If the lanes are not evenly spaced, their offsets are in a list.
  struct Access {
    std::uint32_t first = 0, distance = 0, mask = 0;
    std::uint32_t site = 0, time = 0;
    std::uint32_t listed = 0;  ///< 1 + the index of the list; 0: none
    std::uint32_t loads = 0;   ///< that many, reported in one call, from `listed` on in their own list
    std::uint8_t width = 0, warp = 0;
    AccessKind kind{};
  };

  /// True if the access is deferred. False: it may race with one of this phase; call mix() before it is
  /// checked.
  bool put_off(const WarpAccess& a, std::uint32_t site, std::uint32_t time) {
    const Kind kind = a.kind == AccessKind::Load    ? Kind::Loads
                      : a.kind == AccessKind::Store ? Kind::Stores
                                                    : Kind::Mixed;
    if (kind == Kind::Mixed || (kind_ != kind && kind_ != Kind::Untouched)) return false;
    const bool even = evenly_spaced(a, a.offsets);
    if (kind == Kind::Stores) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(a.mask));
      if (!side_by_side(a, lane, even)) return false;
      const std::uint64_t begin = a.offsets[lane] / 4;
      const std::uint64_t end = begin + static_cast<std::uint64_t>(std::popcount(a.mask)) * (a.width / 4);
      if (!stored_.none(begin, end)) return false;
      stored_.set(begin, end);
      any_stored_ = true;
    }
    kind_ = kind;
    if (!even) std::copy_n(a.offsets, kLanes, lists_.emplace_back().begin());
    Access& access = accesses_.emplace_back();
    access.first = a.offsets[0];
    access.distance = a.offsets[1] - a.offsets[0];
    access.mask = a.mask;
    access.site = site;
    access.time = time;
    access.listed = even ? 0 : static_cast<std::uint32_t>(lists_.size());
    access.width = static_cast<std::uint8_t>(a.width);
    access.warp = static_cast<std::uint8_t>(a.warp);
    access.kind = a.kind;
    warps_ |= 1u << a.warp;
    return true;
  }

  /// True if the loads are deferred. False: they must be reported one by one.
  bool put_off(const SharedLoads& told, std::uint32_t first_site, std::uint32_t time) {
    if (kind_ != Kind::Loads && kind_ != Kind::Untouched) return false;
    std::uint32_t widths = 0;
    for (const SharedLoad& load : told.loads) widths |= load.width;
    if (widths % 4 != 0) return false;  // not all of them access whole words
    kind_ = Kind::Loads;
    warps_ |= 1u << told.warp;
    // Most are discarded without being examined.
    Access& access = accesses_.emplace_back();
    access.listed = static_cast<std::uint32_t>(loads_.size());
    access.loads = static_cast<std::uint32_t>(told.loads.size());
    access.mask = kAllLanes;
    access.site = first_site;
    access.time = time;
    access.warp = static_cast<std::uint8_t>(told.warp);
    access.kind = AccessKind::Load;
    ++lists_reported_;
    loads_.insert(loads_.end(), told.loads.begin(), told.loads.end());
    return true;
  }

  /// From here to the next barrier every access is checked.
  void mix() { kind_ = Kind::Mixed; }

  [[nodiscard]] bool holds_loads_of(std::uint32_t warp) const {
    return kind_ == Kind::Loads && (warps_ >> warp & 1) != 0;
  }
  /// Limits how much a long phase defers at once, to leave memory for others.
  [[nodiscard]] bool full() const {
    return accesses_.size() - lists_reported_ + loads_.size() >= kMax || lists_.size() >= kMaxLists;
  }
  [[nodiscard]] bool empty() const { return accesses_.empty(); }

  /// Calls f(access, offsets of 32 lanes) for the deferred accesses, in order, and clears them.
  template <class F>
  void take(F f) {
    std::array<std::uint32_t, kLanes> even;
    const auto give_even = [&](const Access& a) {
      for (std::uint32_t i = 0; i < kLanes; ++i) even[i] = a.first + i * a.distance;
      f(a, even);
    };
    for (const Access& a : accesses_) {
      for (const SharedLoad& load : std::span(loads_).subspan(a.loads != 0 ? a.listed : 0, a.loads)) {
        Access one = a;
        one.first = load.first;
        one.distance = load.distance;
        one.listed = one.loads = 0;
        one.site += load.instruction;
        one.width = static_cast<std::uint8_t>(load.width);
        give_even(one);
      }
      if (a.loads != 0) continue;
      if (a.listed == 0)
        give_even(a);
      else
        f(a, lists_[a.listed - 1]);
    }
    forget();
  }

  void barrier() {
    forget();
    if (any_stored_) stored_.clear();
    any_stored_ = false;
    kind_ = Kind::Untouched;
  }

 private:
  enum class Kind : std::uint8_t { Untouched, Loads, Stores, Mixed };
  static constexpr std::size_t kMax = 4096, kMaxLists = 512;

  static bool side_by_side(const WarpAccess& a, std::uint32_t lane, bool even) {
    if (a.mask == ~0u) return even && a.offsets[1] - a.offsets[0] == a.width;
    const std::uint32_t run = a.mask >> lane;
    if ((run & (run + 1)) != 0) return false;
    for (std::uint32_t i = lane + 1; i < kLanes && (a.mask >> i & 1) != 0; ++i) {
      if (a.offsets[i] - a.offsets[i - 1] != a.width) return false;
    }
    return true;
  }

  void forget() {
    accesses_.clear();
    lists_.clear();
    loads_.clear();
    lists_reported_ = 0;
    warps_ = 0;
  }

  Kind kind_ = Kind::Untouched;
  std::uint32_t warps_ = 0;  ///< warps with deferred accesses
  std::vector<Access> accesses_;
  std::vector<std::array<std::uint32_t, kLanes>> lists_;
  std::vector<SharedLoad> loads_;
  std::size_t lists_reported_ = 0;  ///< entries of `accesses_` that refer to lists
  ValidBits stored_{0};             ///< by word: stored to in this phase, as far as deferred
  bool any_stored_ = false;
};

}  // namespace cudalabs::sim
