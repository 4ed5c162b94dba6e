#pragma once
// What commands tell of launches: --counters and --profile.

#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/protocol/outcome.h"
#include "grader/present/profile_table.h"

namespace cudalabs::cli {

/// `file`: "-" is stdout; empty: nothing is written.
Result<void> write_counters(const std::string& file, const std::vector<LaunchRecord>& launches);

/// `file`: a CSV file; empty: a table for each version on stdout. `card`: whose times were estimated.
Result<void> write_profile(const std::string& file, const std::string& card,
                           const std::vector<ProfiledKernel>& kernels);
/// Of a program.
Result<void> write_profile(const std::string& file, const std::string& card, const CallOutcome& outcome);

}  // namespace cudalabs::cli
