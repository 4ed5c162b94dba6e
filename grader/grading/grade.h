#pragma once
// Grades a submission: the data path config -> locate -> compile -> run -> check -> score. The reports are
// written from the value that it returns.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/grading/grading_context.h"
#include "grader/grading/score/result.h"
#include "grader/submission/locate.h"

namespace cudalabs {

struct GradeRequest {
  std::filesystem::path submission;   ///< empty: the current folder
  std::vector<std::string> versions;  ///< empty: all of them
  std::optional<std::uint64_t> seed;  ///< empty: a fresh secret one
  std::string seed_policy{};          ///< how it was chosen (cases/seed.h)
};

/// A validated request: its versions exist, and the submission's file was found and read.
struct GradeJob {
  Submission submission;
  std::vector<std::string> versions;
  std::uint64_t seed = 0;
  std::string seed_policy{};
  /// How the file was found, if not by its name at its place (search_submission).
  Messages found{};
  /// File that caches the results of the run for another grading of the same source (cached_run.h); empty: no
  /// cache.
  std::filesystem::path cached_run{};
  bool run_again = false;  ///< ignore the cache
  /// Folder that keeps what was observed when each version ran (stored_run.h), to explain it again; empty:
  /// nothing is kept.
  std::filesystem::path stored_runs{};
  bool replay = false;  ///< explain and score the stored runs: no program runs, and no device is needed
};

/// The user can repair the errors (exit status 2).
Result<GradeJob> prepare(const GradingContext& context, const GradeRequest& request);

/// Receives the result so far after each version except the last. The remaining versions are pending and have
/// no points in it. The final result has at least the same points.
using PartialResult = std::function<void(const GradeResult&)>;

/// Errors mean that the grader could not grade (exit status 3). Anything that the submission does leads to a
/// GradeResult.
Result<GradeResult> grade(GradingContext& context, const GradeJob& job, const Progress& progress,
                          const PartialResult& partial = {});

/// "0.1.0"
std::string_view grader_version();

}  // namespace cudalabs
