#pragma once
// Counts loads of an address that the same thread has just loaded, per warp and vectorized over its lanes.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// The last distinct addresses that each thread of a warp has loaded from, in shared and global memory.
class LastLoads {
 public:
  /// How many lanes of `mask` (not 0) have loaded from their address recently. `spacing`: that of a full
  /// mask, as in WarpAccess.
  template <class Address>
  std::uint32_t add(std::uint32_t mask, const Address* addresses, Spacing spacing = Spacing::Unknown) {
    if (even_) {
      const Even now = even_of(mask, addresses, spacing);
      if (now.is_even && (lanes_ == 0 || lanes_ == mask)) {
        const auto again = add_even(mask, now);
        if (again != kNotEven) return again;
      }
      lay_out();
    }
    return add_each(mask, addresses);
  }

  /// The next load of any address counts as its first.
  void forget() {
    even_ = true;
    lanes_ = 0;
    kept_ = 0;
  }

 private:
  static constexpr std::size_t kKept = 4;
  static constexpr std::uint32_t kNotEven = ~0u;
  using Words = std::array<std::uint32_t, kLanes>;
  /// Halves of the addresses: the same in few instructions on every processor.
  struct Row {
    Words low, high;
  };
  /// Lane i's address is first + i * distance.
  struct Even {
    std::uint64_t first = 0, distance = 0;
    bool is_even = false;
  };

  static constexpr Words kLaneBits = [] {
    Words bits{};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) bits[lane] = 1u << lane;
    return bits;
  }();

  /// For adjacent lanes only; others are not examined.
  template <class Address>
  static Even even_of(std::uint32_t mask, const Address* addresses, Spacing spacing) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint32_t side_by_side = mask >> lane, pairs = mask & mask >> 1;
    if ((side_by_side & (side_by_side + 1)) != 0) return {};
    const Address here = addresses[lane];
    const Address distance = pairs != 0 ? addresses[lane + 1] - here : 0;
    // A distance beyond the half of 32 bits would leave its direction ambiguous.
    Address differ = sizeof(Address) == 4 ? here >> 31 : 0;
    if (mask != kAllLanes || spacing == Spacing::Unknown) {
      for (std::uint32_t i = 0; i + 1 < kLanes; ++i) {
        const Address looked_at = (pairs & kLaneBits[i]) != 0 ? ~Address{0} : 0;
        differ |= ((addresses[i + 1] - addresses[i]) ^ distance) & looked_at;
        if constexpr (sizeof(Address) == 4) differ |= addresses[i + 1] >> 31 & looked_at;
      }
    } else if (spacing == Spacing::Uneven) {
      return {};
    } else if constexpr (sizeof(Address) == 4) {
      differ |= addresses[kLanes - 1] >> 31;
    }
    const auto wide =
        static_cast<std::uint64_t>(std::int64_t{static_cast<std::make_signed_t<Address>>(distance)});
    return {std::uint64_t{here} - lane * wide, wide, differ == 0};
  }

  /// kNotEven: the lanes differ in the result, and nothing has changed.
  std::uint32_t add_even(std::uint32_t mask, const Even& now) {
    for (std::size_t k = 0; k < kept_; ++k) {
      const Even& row = evens_[k];
      const std::uint64_t apart = row.first - now.first, nearer = now.distance - row.distance;
      if (nearer == 0) {
        if (apart == 0) return static_cast<std::uint32_t>(std::popcount(mask));
        continue;
      }
      // The addresses may be equal in at most one lane.
      for (std::uint64_t lane = 0; lane < kLanes && may_meet(apart, nearer); ++lane)
        if (lane * nearer == apart && (mask >> lane & 1) != 0) return kNotEven;
    }
    for (std::size_t k = kKept - 1; k > 0; --k) evens_[k] = evens_[k - 1];
    evens_[0] = now;
    kept_ = kept_ < kKept ? kept_ + 1 : kKept;
    lanes_ = mask;
    return 0;
  }
  static bool may_meet(std::uint64_t apart, std::uint64_t nearer) {
    const bool forward = static_cast<std::int64_t>(nearer) > 0;
    const std::uint64_t way = forward ? apart : 0 - apart, step = forward ? nearer : 0 - nearer;
    return way <= (kLanes - 1) * step || step > std::uint64_t{1} << 58;
  }

  /// Switches to separate rows: from here on the lanes are no longer evenly spaced.
  void lay_out() {
    even_ = false;
    for (std::size_t k = 0; k < kKept; ++k) {
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const bool loaded = k < kept_ && (lanes_ & kLaneBits[lane]) != 0;
        const std::uint64_t address =
            loaded ? evens_[k].first + lane * evens_[k].distance : ~std::uint64_t{0};
        rows_[k].low[lane] = static_cast<std::uint32_t>(address);
        rows_[k].high[lane] = static_cast<std::uint32_t>(address >> 32);
      }
    }
  }

  template <class Address>
  std::uint32_t add_each(std::uint32_t mask, const Address* addresses) {
    Row now;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      now.low[lane] = static_cast<std::uint32_t>(addresses[lane]);
      now.high[lane] = static_cast<std::uint32_t>(std::uint64_t{addresses[lane]} >> 32);
    }
    Words known;  // all bits, or none
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) known[lane] = (mask & kLaneBits[lane]) == 0 ? ~0u : 0;
    const std::uint32_t others = sum(known);
    for (const Row& row : rows_)
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        known[lane] |=
            (now.low[lane] == row.low[lane] ? ~0u : 0) & (now.high[lane] == row.high[lane] ? ~0u : 0);
    const std::uint32_t again = sum(known) - others;
    if (again + others == kLanes) return again;
    // Unknown addresses replace the oldest ones.
    for (Row& row : rows_) {
      push(row.low, now.low, known);
      push(row.high, now.high, known);
    }
    return again;
  }
  static std::uint32_t sum(const Words& known) {
    std::uint32_t count = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) count += known[lane] & 1;
    return count;
  }
  /// Sets `words` to `now` in the lanes where `stays` has no bits, and `now` to the old `words` in all lanes.
  static void push(Words& words, Words& now, const Words& stays) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t was = words[lane];
      words[lane] = (was & stays[lane]) | (now[lane] & ~stays[lane]);
      now[lane] = was;
    }
  }

  /// True as long as the same lanes have made all loads, their addresses were evenly spaced, and all lanes
  /// agreed on which were repeated: then the addresses are in `evens_`, else in `rows_`. The newest first.
  bool even_ = true;
  std::uint32_t lanes_ = 0;
  std::size_t kept_ = 0;
  std::array<Even, kKept> evens_;
  std::array<Row, kKept> rows_;
};

}  // namespace cudalabs::sim
