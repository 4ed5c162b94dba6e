#pragma once
// The device code of a linked program.

#include <filesystem>
#include <string>

#include "grader/base/result.h"

namespace cudalabs {

/// The PTX that the simulator runs; empty if the program has none. It belongs to a submission, so damaged
/// data count as no code. Error: the program cannot be read.
Result<std::string> program_ptx(const std::filesystem::path& program);

}  // namespace cudalabs
