#pragma once
// What a grading on the simulator found, kept for the next grading of the same source: whoever changes only
// points, or asks for nothing new, waits for no compiler and no simulator. What is worth how much is not
// part of it, and neither are the reference's times: both are looked up anew.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/check/oracle.h"
#include "grader/config/device_profile.h"
#include "grader/config/lab.h"
#include "grader/score/evidence.h"
#include "grader/score/result.h"
#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

struct KeptRun {
  std::vector<VersionEvidence> evidence;  ///< of all versions, without the reference's launches
  std::string compiler_output;
};

/// Names all that a build depends on: the grader, the compiler, the source and what it includes.
Result<std::string> build_key(const Lab& lab, const CompilerName& compiler, const Submission& submission);

/// Names all that a run depends on: the build, what stood around it, and of the lab what is done and how it
/// is checked. `lab`: with the sizes of the seed.
Result<std::string> run_key(const Lab& lab, const Oracle& oracle, const CompilerName& compiler,
                            const NamedProfile& profile, const Submission& submission,
                            const std::vector<std::string>& versions, std::uint64_t seed);

/// None if the file is not there, damaged, or of another key.
std::optional<KeptRun> find_run(const std::filesystem::path& file, std::string_view key);
/// Keeps it unless the machine may have had a part in what was found: what ran out of time or did not compile
/// is looked at again. That it cannot be written costs only time.
void keep_run(const std::filesystem::path& file, std::string_view key, KeptRun run);

/// The same of any bytes.
std::optional<std::string> find_kept(const std::filesystem::path& file, std::string_view key);
void keep(const std::filesystem::path& file, std::string_view key, std::string_view bytes);

/// Whichever binary this is: what it counts and estimates is its own.
std::string this_binary();

}  // namespace cudalabs
