#pragma once
// Grades a submission: the data path config -> locate -> compile -> run -> check -> score. Reports are
// written from what it returns.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade/bench.h"
#include "grader/score/result.h"
#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

struct GradeRequest {
  std::filesystem::path submission;   ///< empty: the current folder
  std::vector<std::string> versions;  ///< empty: all of them
  std::optional<std::uint64_t> seed;  ///< empty: a fresh secret one
};

/// A request that makes sense: its versions exist, the submission's file was found and read.
struct GradeJob {
  Submission submission;
  std::vector<std::string> versions;
  std::uint64_t seed = 0;
  /// Where what the run finds is kept, for another grading of the same source (kept_run.h); empty: nowhere.
  std::filesystem::path kept_run{};
  bool run_again = false;  ///< whatever is kept
};

/// Errors are the user's to repair (exit status 2).
Result<GradeJob> prepare(const Bench& bench, const GradeRequest& request);

/// Hears of what is known after each version but the last: the result so far, in which the others are pending
/// and have no points. The final one has at least its points.
using PartialResult = std::function<void(const GradeResult&)>;

/// Errors mean that the grader could not grade (exit status 3); whatever the
/// submission does is a GradeResult.
Result<GradeResult> grade(Bench& bench, const GradeJob& job, const Progress& progress,
                          const PartialResult& partial = {});

/// "0.1.0"
std::string_view grader_version();

}  // namespace cudalabs
