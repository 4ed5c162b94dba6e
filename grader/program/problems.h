#pragma once
// A program's problems as documents for other programs: `grader run --json` and `--sarif`.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// One of a problem's places.
struct ProblemPlace {
  Message what;      ///< "read by thread (31, 0, 0) of block (0, 0, 0)"; may be empty
  std::string file;  ///< as a person names it; empty: it is not known
  int line = 0, column = 0;
};

struct Problem {
  std::string rule;  ///< a checker's name, "fault", "launch", "unsupported" or "compile"
  bool error = true;
  std::string kind;  ///< "race between warps"; may be empty
  Messages message, advice;
  std::string kernel;
  std::uint64_t count = 1;
  ProblemPlace here;
  std::vector<ProblemPlace> others;

  /// What it is counted by: the id of its first message, or `rule` if a compiler said it.
  [[nodiscard]] std::string id() const;
};

/// The problems of a run, in the order in which `grader run` prints them. `calls`: include failed calls
/// (memcheck).
std::vector<Problem> problems_of(const CallOutcome& outcome, bool calls);

/// Removes unwanted findings and failed calls from an outcome. Faults stay, since they ended the program's
/// kernels. Returns how many were removed.
std::size_t leave_out(CallOutcome& outcome, const std::function<bool(const Problem&)>& unwanted);

/// What a failed call and a launch that was refused are told by.
Message statement_of(const ApiError& failed);

/// {"format": 1, "findings": [...]}
std::string problems_json(const std::vector<Problem>& problems);
/// SARIF 2.1.0: a rule for each id. `version` is the grader's.
std::string problems_sarif(const std::vector<Problem>& problems, const std::string& version);

}  // namespace cudalabs
