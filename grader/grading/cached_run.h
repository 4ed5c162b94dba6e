#pragma once
// Caches the results of a simulated grading for the next grading of the same source. If only the points have
// changed, or nothing has, neither the compiler nor the simulator has to run. The points and the reference's
// times are not stored: both are computed anew.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/device_profile.h"
#include "grader/course/lab.h"
#include "grader/grading/cases/oracle.h"
#include "grader/grading/score/evidence.h"
#include "grader/grading/score/result.h"
#include "grader/submission/locate.h"

namespace cudalabs {

struct CachedRun {
  std::vector<VersionEvidence> evidence;  ///< of all versions, without the reference's launches
  Messages compiler_output;
};

/// A key of everything that a build depends on: the grader, the compiler, the source and its included files.
Result<std::string> build_key(const Lab& lab, const CompilerName& compiler, const Submission& submission);

/// A key of everything that a run depends on: the build, its environment, and how the lab's cases are run and
/// checked. `lab`: with the sizes drawn from the seed.
Result<std::string> run_key(const Lab& lab, const Oracle& oracle, const CompilerName& compiler,
                            const NamedProfile& profile, const Submission& submission,
                            const std::vector<std::string>& versions, std::uint64_t seed);

/// Returns nothing if the file is missing, damaged, or has another key.
std::optional<CachedRun> find_run(const std::filesystem::path& file, std::string_view key);
/// Stores the run unless the machine may have influenced the result: timeouts and compile errors are not
/// cached. A failed write only costs time later.
void keep_run(const std::filesystem::path& file, std::string_view key, CachedRun run);

/// Does the same for any bytes.
std::optional<std::string> find_kept(const std::filesystem::path& file, std::string_view key);
void keep(const std::filesystem::path& file, std::string_view key, std::string_view bytes);

/// Identifies this binary, because its counters and estimates may differ from those of another build.
std::string this_binary();

}  // namespace cudalabs
