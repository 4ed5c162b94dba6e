#pragma once
// Validates the form of a cvt against conversions.def.

#include <optional>
#include <string>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

/// The error of a cvt whose modifiers and types are allowed by opcodes.def; `target`: the module's sm.
std::optional<Message> conversion_problem(const Instruction& instruction, int target);

}  // namespace cudalabs::ptx
