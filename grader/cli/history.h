#pragma once
// The user's own gradings on this machine: one result document a line, in
// `${XDG_STATE_HOME:-~/.local/state}/cuda-labs/history.jsonl`. It is for the user alone: no
// grade is ever taken from it.

#include <vector>

#include "grader/score/result.h"
#include "grader/support/result.h"

namespace cudalabs::cli {

/// Adds a result. Not where CUDA_LABS_HISTORY is "off" or CI is set; where it cannot be
/// written, nothing happens.
void remember(const GradeResult& result);

struct Remembered {
  std::vector<GradeResult> results;  ///< the oldest first
  std::size_t damaged = 0;           ///< lines that are no results
  std::string file;
};
/// Error: the file cannot be read. One that is not there holds nothing.
Result<Remembered> remembered();

}  // namespace cudalabs::cli
