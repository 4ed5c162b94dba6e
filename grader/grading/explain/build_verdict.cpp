#include "grader/grading/explain/build_verdict.h"

#include <algorithm>
#include <cstdlib>

#include "grader/diagnostics/messages/run.h"

namespace cudalabs {
namespace {

VersionEvidence not_run(const Version& version, Verdict state, Messages message, Messages advice = {},
                        Location where = {}) {
  VersionEvidence evidence;
  evidence.name = version.name;
  evidence.state = state;
  evidence.message = std::move(message);
  evidence.advice = std::move(advice);
  if (where.line > 0) evidence.where = std::move(where);  // a line without any details is not a location
  return evidence;
}

VersionEvidence judge_entry(const Version& version, const EntryState* entry) {
  if (entry != nullptr && entry->defined) return not_run(version, Verdict::Accepted, {});
  if (entry != nullptr && !entry->near_miss.empty())
    return not_run(version, Verdict::Missing, msg::entry_almost_defined(version.entry, entry->near_miss));
  return not_run(version, Verdict::Missing, msg::entry_not_defined(version.entry), msg::define_entry());
}

VersionEvidence judge_version(const Version& version, const BuildOutcome& build) {
  switch (build.status) {
    case BuildStatus::Ok: break;
    case BuildStatus::RuleViolation: return not_run(version, Verdict::RuleViolation, build.sentence);
    case BuildStatus::LimitReached: return not_run(version, Verdict::CompileError, build.sentence);
    case BuildStatus::CompileError: {
      if (build.errors.empty()) return not_run(version, Verdict::CompileError, build.sentence);
      const CompilerMessage& first = build.errors.front();
      Messages advice = first.advice;
      const bool alone = build.errors.size() + build.errors_left_out == 1;
      if (advice.empty())
        advice = alone ? Messages(msg::repair_error()) : Messages(msg::repair_first_error());
      return not_run(version, Verdict::CompileError, msg::file_does_not_compile(first.text),
                     std::move(advice), {first.file, first.line, first.column});
    }
  }
  const auto entry = std::find_if(build.entries.begin(), build.entries.end(),
                                  [&](const EntryState& state) { return state.version == version.name; });
  return judge_entry(version, entry == build.entries.end() ? nullptr : &*entry);
}

}  // namespace

std::vector<VersionEvidence> judge_build(const Lab& lab, const BuildOutcome& build,
                                         const std::vector<std::string>& wanted) {
  std::vector<VersionEvidence> evidence;
  for (const Version& version : lab.versions) {
    const bool graded =
        wanted.empty() || std::find(wanted.begin(), wanted.end(), version.name) != wanted.end();
    evidence.push_back(graded ? judge_version(version, build)
                              : not_run(version, Verdict::NotGraded, msg::version_left_out()));
  }
  return evidence;
}

Messages compiler_output(const BuildOutcome& build) {
  Messages output;
  for (const CompilerMessage& message : build.errors) output.add(message.message());
  if (build.errors_left_out > 0) output.add(msg::more_compiler_errors(build.errors_left_out));
  return output;
}

Message sandbox_warning(SandboxKind kind) {
  switch (kind) {
    case SandboxKind::Bubblewrap: return {};
    case SandboxKind::Landlock: return msg::sandbox_landlock();
    case SandboxKind::LimitsOnly: return msg::sandbox_limits_only();
  }
  std::abort();
}

}  // namespace cudalabs
