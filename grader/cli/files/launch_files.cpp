#include "grader/cli/files/launch_files.h"

#include <algorithm>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/program/counters_json.h"

namespace cudalabs::cli {
namespace {

Result<void> write_to(const std::string& file, const std::string& text) {
  if (file != "-") return write_file_atomically(file, text);
  write_out(text);
  return {};
}

}  // namespace

Result<void> write_counters(const std::string& file, const std::vector<LaunchRecord>& launches) {
  return file.empty() ? Result<void>() : write_to(file, steady_json(counters_json(launches)));
}

Result<void> write_profile(const std::string& file, const std::string& card,
                           const std::vector<ProfiledKernel>& kernels) {
  if (!file.empty()) return write_to(file, profile_csv(kernels));
  if (kernels.empty()) {
    print_out("No kernel was launched.\n");
    return {};
  }
  print_out("Times estimated for {}\n", card);
  for (auto first = kernels.begin(); first != kernels.end();) {
    const auto end =
        std::find_if(first, kernels.end(), [&](const auto& k) { return k.version != first->version; });
    if (!first->version.empty()) print_out("\nversion {}\n", first->version);
    write_out("\n" + profile_table({first, end}));
    first = end;
  }
  print_out("\n~ estimated; grader run --help names the metrics\n");
  return {};
}

Result<void> write_profile(const std::string& file, const std::string& card, const CallOutcome& outcome) {
  if (auto written = write_profile(file, card, profile_of(outcome.launches)); !written) return written;
  if (outcome.launches_not_recorded > 0) {
    print_err("{} further launches are not in these figures: there were too many to keep.\n",
              human_count(outcome.launches_not_recorded));
  }
  return {};
}

}  // namespace cudalabs::cli
