#pragma once
// What went wrong with a program, as documents that other programs read: `grader run --json` and `--sarif`.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/device/wire/outcome.h"

namespace cudalabs {

/// One of the places that a problem is about.
struct ProblemPlace {
  Messages what;     ///< "read by thread (31, 0, 0) of block (0, 0, 0)"; may be empty
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
};

/// Of a run, in the order in which `grader run` prints them. `calls`: failed calls count, too (memcheck).
std::vector<Problem> problems_of(const CallOutcome& outcome, bool calls);

/// Leaves out of an outcome what somebody does not want to hear of: findings and failed calls, but no faults,
/// since they ended the program's kernels. The number of what was left out.
std::size_t leave_out(CallOutcome& outcome, const std::function<bool(const Problem&)>& unwanted);

/// {"format": 1, "findings": [...]}
std::string problems_json(const std::vector<Problem>& problems);
/// SARIF 2.1.0, of the grader of that version.
std::string problems_sarif(const std::vector<Problem>& problems, const std::string& version);

}  // namespace cudalabs
