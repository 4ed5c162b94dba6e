#include "grader/grading/trace.h"

#include "grader/diagnostics/messages/score.h"
#include "grader/grading/explain/build_verdict.h"
#include "grader/grading/grade_version.h"
#include "grader/grading/program_ptx.h"

namespace cudalabs {

Result<Trace> trace(GradingContext& context, const GradeJob& job, const TestCase& test,
                    const Progress& progress) {
  Lab lab = context.lab();
  lab.timed = test;  // a runner can run only the timed case alone
  progress(msg::compiling_submission());
  auto built = context.build(job.submission);
  if (!built) return built.problem();
  Trace trace{compiler_output(*built), {}, judge_build(lab, *built, job.versions)};
  std::erase_if(trace.versions, [](const VersionEvidence& v) { return v.state == Verdict::NotGraded; });
  if (built->status != BuildStatus::Ok) return trace;
  auto ptx = program_ptx(built->executable);
  if (!ptx) return ptx.problem();
  trace.ptx = std::move(*ptx);
  auto simulator = context.simulator(lab, job.seed, GradingContext::Purpose::AccessMap);
  if (!simulator) return simulator.problem();
  for (VersionEvidence& version : trace.versions) {
    if (version.state != Verdict::Accepted) continue;
    progress(msg::running_case(version.name, test.name()));
    const auto index = static_cast<std::size_t>(lab.find_version(version.name) - lab.versions.data());
    auto run = run_timed(*simulator, built->executable, index);
    if (!run) return run.problem();
    version.cases = {std::move(*run)};
  }
  return trace;
}

}  // namespace cudalabs
