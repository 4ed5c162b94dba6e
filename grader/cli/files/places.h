#pragma once
// What a program's problems are about, as its author names it: lines and files.

#include "grader/device/protocol/outcome.h"
#include "grader/toolchain/options/nvcc_options.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs::cli {

/// Finds the source lines of the host's calls, skipping wrappers in CUDA's headers and in the grader's
/// runtime.
void place_calls(CallOutcome& outcome, const std::filesystem::path& executable, CompilerChoice compiler);

/// Shortens file names: compilers use absolute paths, users expect a path as given or relative to the
/// current folder.
void show_as_named(CallOutcome& outcome, const NvccCommand& command);

}  // namespace cudalabs::cli
