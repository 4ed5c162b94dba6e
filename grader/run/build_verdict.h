#pragma once
// What the build alone says about each version, before anything is run.

#include <string>
#include <vector>

#include "grader/compile/compile.h"
#include "grader/config/lab.h"
#include "grader/score/evidence.h"

namespace cudalabs {

/// One entry a version of the lab: Accepted where it can be run,
/// else why not. `wanted` names the versions to grade; empty: all.
std::vector<VersionEvidence> judge_build(const Lab& lab, const BuildOutcome& build,
                                         const std::vector<std::string>& wanted);

/// The compiler's errors as it would print them, about the student's lines only.
std::string compiler_text(const BuildOutcome& build);

/// A sentence for the report if the walls are weaker than bubblewrap's; else empty.
std::string sandbox_warning(SandboxKind kind);

}  // namespace cudalabs
