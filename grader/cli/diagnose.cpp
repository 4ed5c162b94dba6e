#include "grader/cli/diagnose.h"

#include <fmt/format.h>

#include <filesystem>

#include "grader/cli/print.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/grading/run_under.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

/// Metrics that the simulator counts too (docs/counters.md), so that both can be compared.
constexpr const char* kOurCounters =
    "smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,"
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st."
    "sum,"
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,"
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum,"
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_st.sum,"
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";

constexpr int kFound = 99;  // exit status of compute-sanitizer for errors

}  // namespace

int run_sanitizer(GradingContext& context, const GradeJob& job, const Progress& progress) {
  const auto program = find_cuda_tool("compute-sanitizer");
  if (!program) return report_error(program.problem(), kUsage);
  bool clean = true;
  for (const std::string tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
    const auto runs = run_under(
        context, job,
        [&](const Version&) {
          std::vector<std::string> words{program->string(), "--tool", tool, "--error-exitcode",
                                         std::to_string(kFound)};
          // The failing API calls are the device process's own queries of the driver.
          if (tool == "memcheck") words.insert(words.end(), {"--report-api-errors", "no"});
          return words;
        },
        [&](const Message& line) { progress(msg::tool_progress(tool, line)); });
    if (!runs) return report_error(runs.problem(), kCouldNotGrade);
    for (const ToolRun& run : *runs) {
      const bool found = run.status == kFound;
      if (!found && run.status != 0) {
        return report_error(error(msg::sanitizer_failed(run.status), msg::its_words_are_above()),
                            kCouldNotGrade);
      }
      print_out("{:<10} {:<12} {}\n", tool, run.version,
                found ? tr("found something, see above") : tr("nothing found"));
      clean = clean && !found;
    }
  }
  return clean ? kPassed : kLostPoints;
}

int write_profile(GradingContext& context, const GradeJob& job, const std::string& file,
                  const Progress& progress) {
  const auto program = find_cuda_tool("ncu");
  if (!program) return report_error(program.problem(), kUsage);
  const fs::path base = fs::absolute(file.ends_with(".ncu-rep") ? file.substr(0, file.size() - 8) : file);
  const std::string sources = fs::absolute(job.submission.file).parent_path().string();
  const bool single = job.versions.size() == 1;
  const auto report = [&](const std::string& version) {
    return base.string() + (single ? "" : "-" + version) + ".ncu-rep";
  };
  const auto runs = run_under(
      context, job,
      [&](const Version& version) {
        // The source was compiled in a folder that no longer exists.
        std::vector<std::string> words{program->string(), "--set", "full", "--metrics", kOurCounters};
        words.insert(words.end(), {"--clock-control", "none", "--import-source", "yes"});
        words.insert(words.end(), {"--source-folders", sources});
        words.insert(words.end(), {"--force-overwrite", "--export", report(version.name)});
        return words;
      },
      progress);
  if (!runs) return report_error(runs.problem(), kCouldNotGrade);
  for (const ToolRun& run : *runs) {
    std::error_code ignored;
    if (run.status != 0 || !fs::exists(report(run.version), ignored)) {
      return report_error(
          error(msg::profiler_wrote_nothing(run.version, run.status), msg::allow_the_counters()),
          kCouldNotGrade);
    }
    print_out("`{}`: {}\n", run.version, report(run.version));
  }
  return kPassed;
}

}  // namespace cudalabs::cli
