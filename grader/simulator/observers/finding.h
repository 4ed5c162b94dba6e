#pragma once
// What a checker found: a value that travels to whoever shows it.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace cudalabs::sim {

enum class Checker : std::uint8_t { Memcheck, Initcheck, Racecheck, Synccheck };
inline constexpr Checker kLastChecker = Checker::Synccheck;  ///< checkers.cpp has a row for each up to it
enum class Severity : std::uint8_t { Error, Warning };

/// Finding::kind of what is wrong whatever value happens to lie there.
inline constexpr const char* kUnwrittenOutput = "output read before it was written";

/// Of what cards since Volta forgive: threads that have left the kernel are not waited for.
inline constexpr const char* kMissedBarrier = "barrier not reached by all";

/// One of the two accesses (or calls) that a finding is about.
struct FindingSide {
  std::string what;  ///< "read", "written", "left the kernel"; empty: there is no such side
  std::string file;  ///< "" when the PTX has no .loc
  std::uint32_t line = 0;
  std::array<std::uint32_t, 3> block{}, thread{};
};

struct Finding {
  Checker checker{};
  Severity severity = Severity::Error;
  std::string kind;         ///< "race between warps": what is merged
  std::string message;      ///< one sentence without a final stop
  std::string advice;       ///< one sentence: what to do
  std::string kernel;       ///< demangled; empty for what no kernel did
  FindingSide here, other;  ///< where to look first, and the other side
  std::uint64_t count = 1;  ///< how often it was seen

  /// As a compiler would say it, without a final newline:
  /// "tile.cu:14: error: MESSAGE [racecheck]", then a line for each side, the kernel and the advice.
  [[nodiscard]] std::string text() const;
};

/// Findings of one kind on the same pair of source lines are
/// one, with a count and the example of the lowest thread.
class FindingList {
 public:
  void add(Finding finding);
  /// By place, then kind. Leaves nothing behind.
  std::vector<Finding> take();
  [[nodiscard]] bool empty() const { return findings_.empty(); }

 private:
  using Key =
      std::tuple<std::string, std::uint32_t, std::string, std::uint32_t, Checker, std::string, std::string>;
  std::map<Key, Finding> findings_;
};

}  // namespace cudalabs::sim
