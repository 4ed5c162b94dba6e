#pragma once
// The verdict on each version after the build, before anything is run.

#include <string>
#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/score/evidence.h"
#include "grader/toolchain/compile.h"

namespace cudalabs {

/// Returns one entry for each version of the lab: Accepted if the version can be run, otherwise the reason
/// why not. `wanted` names the versions to grade; empty means all.
std::vector<VersionEvidence> judge_build(const Lab& lab, const BuildOutcome& build,
                                         const std::vector<std::string>& wanted);

/// The compiler's errors in the compiler's format, but only those about the student's lines.
Messages compiler_output(const BuildOutcome& build);

/// For the report if the sandbox isolates less than bubblewrap does; otherwise no message.
Message sandbox_warning(SandboxKind kind);

}  // namespace cudalabs
