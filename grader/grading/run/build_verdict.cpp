#include "grader/grading/run/build_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "grader/base/human.h"

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
  if (entry != nullptr && entry->defined) return not_run(version, Verdict::Accepted, "");
  if (entry != nullptr && !entry->near_miss.empty()) {
    return not_run(version, Verdict::Missing,
                   fmt::format("`{}` is not defined: {}", version.entry, entry->near_miss));
  }
  return not_run(version, Verdict::Missing, fmt::format("`{}` is not defined", version.entry),
                 "Define it with exactly the name and the parameters that the handout gives.");
}

VersionEvidence judge_version(const Version& version, const BuildOutcome& build) {
  switch (build.status) {
    case BuildStatus::Ok: break;
    case BuildStatus::RuleViolation: return not_run(version, Verdict::RuleViolation, build.sentence);
    case BuildStatus::LimitReached: return not_run(version, Verdict::CompileError, build.sentence);
    case BuildStatus::CompileError: {
      if (build.errors.empty()) return not_run(version, Verdict::CompileError, build.sentence);
      const CompilerMessage& first = build.errors.front();
      return not_run(
          version, Verdict::CompileError, "the file does not compile: " + first.text,
          first.advice.empty() ? "Repair the first error; later ones often follow from it." : first.advice,
          {first.file, first.line, first.column});
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
                              : not_run(version, Verdict::NotGraded, "left out by --version"));
  }
  return evidence;
}

std::string compiler_text(const BuildOutcome& build) {
  std::string text;
  for (const CompilerMessage& message : build.errors) {
    if (!text.empty()) text += "\n";
    text += message.display();
  }
  if (build.errors_left_out > 0)
    text += fmt::format("\n... and {} more", plural(build.errors_left_out, "error"));
  return text;
}

std::string sandbox_warning(SandboxKind kind) {
  switch (kind) {
    case SandboxKind::Bubblewrap: return "";
    case SandboxKind::Landlock:
      return "Sandbox: Landlock and a system-call filter instead of bubblewrap. The submission could not "
             "open a "
             "file, but it could see that files and processes exist, and shares this user's limits on "
             "processes and "
             "the machine's clock, host name and network names; one hole in the kernel's checks is enough to "
             "reach "
             "what this user can. Install bubblewrap and allow user namespaces for full isolation, or ask "
             "for it with "
             "--require-sandbox.";
    case SandboxKind::LimitsOnly:
      return "Sandbox: resource limits and a system-call filter only. The submission could read and change "
             "this "
             "user's files, fill the disk, and see other processes; so could what it makes the compiler "
             "read. Do not "
             "grade strangers' code here: install bubblewrap and allow user namespaces, or ask for them with "
             "--require-sandbox.";
  }
  std::abort();
}

}  // namespace cudalabs
