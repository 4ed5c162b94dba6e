#include "grader/grading/run_under.h"

#include "grader/diagnostics/messages/score.h"
#include "grader/grading/explain/build_verdict.h"
#include "grader/grading/grade_version.h"

namespace cudalabs {

Result<std::vector<ToolRun>> run_under(GradingContext& context, const GradeJob& job,
                                       const std::function<std::vector<std::string>(const Version&)>& tool,
                                       const Progress& progress) {
  constexpr double kSlower = 30;  // slowdown under a tool
  Lab lab = context.lab();
  lab.limits.call_seconds *= kSlower;
  progress(msg::compiling_submission());
  auto built = context.build(job.submission);
  if (!built) return built.problem();
  if (built->status != BuildStatus::Ok)
    return error(msg::submission_must_compile(), verbatim(compiler_output(*built).english_lines()));
  const std::vector<VersionEvidence> versions = judge_build(lab, *built, job.versions);
  std::vector<ToolRun> runs;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    if (versions[v].state != Verdict::Accepted) continue;
    auto card = context.card(lab, job.seed, DeviceChoice::Gpu, tool(lab.versions[v]), progress);
    if (!card) return card.problem();
    progress(msg::running_case(lab.versions[v].name, lab.timed.name()));
    auto run = run_timed(*card, built->executable, v);
    if (!run) return run.problem();
    const auto status = card->device->finish();
    if (!status) return status.problem();
    runs.push_back({lab.versions[v].name, *status});
  }
  return runs;
}

}  // namespace cudalabs
