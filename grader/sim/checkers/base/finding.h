#pragma once
// A checker's result, as a plain value.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "grader/base/message.h"
#include "grader/sim/checkers/base/checker.h"

namespace cudalabs::sim {

/// One of the two accesses (or calls) that a finding is about.
struct FindingSide {
  Message what;      ///< msg::did_read and the like, or msg::operation_touches; empty: there is no such side
  std::string file;  ///< "" when the PTX has no .loc
  std::uint32_t line = 0;
  std::array<std::uint32_t, 3> block{}, thread{};
  bool by_host = false;   ///< the host requested the operation `what`: there is no thread
  bool launched = false;  ///< ... by <<<>>>: compilers insert functions between the call and the runtime
};

/// An allocation that the program did not free.
struct Leak {
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> frames;  ///< as Finding::frames
};

struct Finding {
  Checker checker{};
  Severity severity = Severity::Error;
  std::string kind;         ///< "race between warps": a key for what is merged, and JSON's "kind"
  Messages message;         ///< what is wrong
  Messages advice;          ///< what to do
  std::string kernel;       ///< demangled; empty for what no kernel did
  FindingSide here, other;  ///< where to look first, and the other side
  std::uint64_t count = 1;  ///< how often it was seen
  /// Other places of the same bug: the lines that also conflict with the statement `here`.
  std::vector<FindingSide> more;

  /// For a host operation: its call stack, innermost first, as addresses in the program's file. Empty: not
  /// recorded, or a kernel did it.
  std::vector<std::uint64_t> frames;
  std::vector<std::uint64_t> other_frames;  ///< likewise, of `other`
  /// The lines of the host's call stack that lead to `here`, innermost first; they have no threads.
  std::vector<FindingSide> callers;

  /// Findings of one kernel at one line, or on one pair of lines, are one bug if these strings are equal; if
  /// the string is empty, if their kinds are equal.
  std::string bug;
  /// Of bugs that go on from line to line, and are one then: the advice where that is so. Mostly empty.
  Messages advice_for_all;

  /// finding_text() in English, for tests and tools.
  [[nodiscard]] std::string text() const;
};

/// "error: MESSAGE [racecheck]"
Message headline(const Finding& finding);
/// "read by thread (3, 0, 0) of block (0, 0, 0)", or what the host asked for.
Message described(const FindingSide& side);

/// Formatted like a compiler diagnostic, without a final newline: "tile.cu:14: error: MESSAGE [racecheck]",
/// then a line for each side and for each kind of further place, the kernel and the advice. `shown` renders
/// messages.
std::string finding_text(const Finding& finding, const std::function<std::string(const Message&)>& shown);

/// Findings of one kind on the same pair of source lines are
/// one, with a count and the example of the lowest thread.
class FindingList {
 public:
  void add(Finding finding);
  /// One finding for each bug (Finding::bug), errors before warnings, then by place and kind. Empties the
  /// list.
  std::vector<Finding> take();
  [[nodiscard]] bool empty() const { return findings_.empty(); }

 private:
  using Key = std::tuple<std::string, std::uint32_t, std::string, std::uint32_t, Checker, std::string,
                         std::string, std::vector<std::uint64_t>, std::vector<std::uint64_t>>;
  std::map<Key, Finding> findings_;
};

}  // namespace cudalabs::sim
