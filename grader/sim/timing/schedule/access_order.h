#pragma once
// The order of accesses to memory in a piece of machine code: which of them ptxas must not exchange.

#include <cstdint>
#include <utility>
#include <vector>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {

/// Addresses wrap around, and so do the constants that programs add to them.
inline std::int64_t wrapped_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// The content of a register: an unknown value plus a constant.
struct RegisterValue {
  std::uint64_t root = 0;
  std::int64_t more = 0;
};
/// The place of an access, to decide whether another access may be moved across it.
struct AccessedPlace {
  bool known = false;  ///< [base + offset]: places with the same base are distinguishable
  RegisterValue base;
  std::int64_t bytes = 0;
  ptx::Space space{};
  [[nodiscard]] bool may_meet(const AccessedPlace& other) const {
    if (space != other.space && space != ptx::Space::Generic && other.space != ptx::Space::Generic)
      return false;
    if (!known || !other.known || base.root != other.base.root) return true;
    const std::uint64_t apart =
        static_cast<std::uint64_t>(other.base.more) - static_cast<std::uint64_t>(base.more);
    return apart < static_cast<std::uint64_t>(bytes) || 0 - apart < static_cast<std::uint64_t>(other.bytes);
  }
};

class AccessOrder {
 public:
  /// Calls edge(earlier) for each access that must stay before instruction `k`, the access `in` at `place`.
  /// `in_turns`: the piece is several turns of a loop.
  template <class Edge>
  void add(std::uint32_t k, const ptx::Instruction& in, ptx::Access access, const AccessedPlace& place,
           bool in_turns, Edge edge) {
    const bool load = access == ptx::Access::Load;
    if (!load || !in.has(ptx::Mod::Nc)) {
      if (!load) meet(loads_, place, edge);
      meet(stores_, place, edge);
    }
    if (load && in_turns && !loads_.empty()) edge(loads_.back().first);
    (load ? loads_ : stores_).emplace_back(k, place);
  }
  /// Instruction `k` is a fence: no access crosses it.
  template <class Edge>
  void fence(std::uint32_t k, Edge edge) {
    for (const auto* others : {&loads_, &stores_}) {
      for (const auto& [other, met] : *others) edge(other);
    }
    loads_.clear();
    stores_.clear();
    stores_.emplace_back(k, AccessedPlace{});
  }

 private:
  using Accesses = std::vector<std::pair<std::uint32_t, AccessedPlace>>;
  template <class Edge>
  static void meet(const Accesses& others, const AccessedPlace& place, Edge edge) {
    for (const auto& [other, met] : others) {
      if (place.may_meet(met)) edge(other);
    }
  }

  Accesses loads_, stores_;
};

}  // namespace cudalabs::sim
