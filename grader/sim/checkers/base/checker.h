#pragma once
// The checkers by name, and sets of them. checkers.def has a row for each.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cudalabs::sim {

enum class Checker : std::uint8_t {
#define CUDALABS_CHECKER(checker, ...) checker,
#include "grader/sim/checkers/base/checkers.def"
#undef CUDALABS_CHECKER
};
enum class Severity : std::uint8_t { Error, Warning };

/// How much a finding explains about a graded case.
enum class Explains : std::uint8_t {
  Nothing,
  Hint,      ///< a wrong answer that nothing else explains
  Possible,  ///< a wrong answer
  Certain    ///< a wrong answer; a right one is luck
};

/// What the program records about the calls of its host, for a checker. Each includes those above it.
enum class HostRecord : std::uint8_t {
  None,
  CallStacks,
  Order  ///< of operations on streams, and of the host's own accesses
};

struct CheckerInfo {
  Checker checker{};
  std::string_view name;  ///< as the command line and findings name it
  Explains error{}, warning{};
  bool graded = false;  ///< gradings run under it
  HostRecord host{};
  std::string_view summary;
};

namespace checker_table {
inline constexpr bool Graded = true, Ungraded = false;
inline constexpr std::array kRows{
#define CUDALABS_CHECKER(checker, name, error, warning, graded, host, summary) \
  CheckerInfo{Checker::checker, #name, Explains::error, Explains::warning, graded, HostRecord::host, summary},
#include "grader/sim/checkers/base/checkers.def"
#undef CUDALABS_CHECKER
};
}  // namespace checker_table

/// In the order of enum Checker.
inline constexpr auto& kCheckers = checker_table::kRows;
constexpr const CheckerInfo& checker_info(Checker checker) {
  return kCheckers.at(static_cast<std::size_t>(checker));
}
/// False for a value that no checker has, which an untrusted sender may send.
constexpr bool is_checker(Checker checker) { return static_cast<std::size_t>(checker) < kCheckers.size(); }

/// A set of checkers: bit n is Checker n.
using CheckerSet = std::uint32_t;
static_assert(kCheckers.size() <= 32);
constexpr CheckerSet checker_bit(Checker checker) { return CheckerSet{1} << static_cast<unsigned>(checker); }
/// The checkers that `wanted` accepts.
constexpr CheckerSet checkers_with(auto wanted) {
  CheckerSet set = 0;
  for (const CheckerInfo& info : kCheckers) {
    if (wanted(info)) set |= checker_bit(info.checker);
  }
  return set;
}
inline constexpr CheckerSet kAllCheckers = checkers_with([](const CheckerInfo&) { return true; });
inline constexpr CheckerSet kGradedCheckers =
    checkers_with([](const CheckerInfo& info) { return info.graded; });
/// The most that a checker of the set needs.
constexpr HostRecord host_record(CheckerSet set) {
  HostRecord most = HostRecord::None;
  for (const CheckerInfo& info : kCheckers) {
    if ((set & checker_bit(info.checker)) != 0 && info.host > most) most = info.host;
  }
  return most;
}

}  // namespace cudalabs::sim
