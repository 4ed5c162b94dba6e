#pragma once
// The user's own gradings on this machine, one result document on each line, in
// `${XDG_STATE_HOME:-~/.local/state}/cuda-labs/history.jsonl`. It is only for the user and never the source
// of a grade.

#include <vector>

#include "grader/base/result.h"
#include "grader/grading/score/result.h"

namespace cudalabs::cli {

/// Adds a result, unless CUDA_LABS_HISTORY is "off" or CI is set. A failed write is ignored.
void remember(const GradeResult& result);

struct Remembered {
  std::vector<GradeResult> results;  ///< oldest first
  std::size_t damaged = 0;           ///< lines that are not valid results
  std::string file;
};
/// Error: the file cannot be read. A missing file is empty.
Result<Remembered> remembered();

}  // namespace cudalabs::cli
