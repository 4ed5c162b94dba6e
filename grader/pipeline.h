#pragma once
// The data path: config -> locate -> build -> run -> score. Reports are written from what it returns.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/toolchain.h"
#include "grader/config/device_profile.h"
#include "grader/config/lab.h"
#include "grader/device/handle/device_process.h"
#include "grader/score/evidence.h"
#include "grader/score/result.h"
#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

struct GradeRequest {
  Course course;
  std::string lab, variant;
  std::filesystem::path submission;   ///< empty: the current folder
  std::vector<std::string> versions;  ///< empty: all of them
  DeviceChoice device = DeviceChoice::Simulator;
  NamedProfile profile;                       ///< the card whose times the simulator estimates
  std::optional<std::uint64_t> seed;          ///< empty: a fresh secret one
  const std::atomic<bool>* cancel = nullptr;  ///< set: stop and clean up
};

/// A request that makes sense: the lab exists and is well-formed, the submission's file was found and read.
struct GradeJob {
  GradeRequest request;
  Lab lab;
  Submission submission;
};

/// Errors are the user's to repair (exit status 2).
Result<GradeJob> prepare(const GradeRequest& request);

/// What is going on, a line at a time, for stderr.
using Progress = std::function<void(std::string_view line)>;

/// Errors mean that the grader could not grade (exit status
/// 3); whatever the submission does is a GradeResult.
Result<GradeResult> grade(const GradeJob& job, const Progress& progress);

/// One case of each version that can be run, with the launches' figures by line, for `grader explain`.
struct Trace {
  std::uint64_t seed = 0;
  std::string compiler_output;  ///< if it did not compile
  /// of the versions asked for; where one was run, with that one case
  std::vector<VersionEvidence> versions;
};

/// `test`: the sizes and the distribution. Errors as grade().
Result<Trace> trace(const GradeJob& job, const TestCase& test, const Progress& progress);

/// Runs the timed case of each version on the card, each in a device process
/// of its own that `tool` starts (DeviceOptions::tool; it writes to stderr).
/// The value is the versions that ran, with the tool's exit status.
struct ToolRun {
  std::string version;
  int status = 0;
};
/// `tool`: the words for a version. Errors as grade(), and no GPU.
Result<std::vector<ToolRun>> run_under(const GradeJob& job,
                                       const std::function<std::vector<std::string>(const Version&)>& tool,
                                       const Progress& progress);

/// What the compiler warns about in a job's source, "" if it says nothing; for the course's own files.
Result<std::string> compiler_warnings(const GradeJob& job);

/// What is wrong with a lab's oracle (check/rehearsal.h).
Result<std::vector<std::string>> rehearse_oracle(const Course& course, const Lab& lab);

/// "0.1.0"
std::string_view grader_version();

}  // namespace cudalabs
