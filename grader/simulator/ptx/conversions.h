#pragma once
// Is there a cvt of this form? The forms stand in conversions.def.

#include <optional>
#include <string>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::ptx {

/// What is wrong with a cvt whose modifiers and types are among those of opcodes.def;
/// `target`: the module's sm.
std::optional<std::string> conversion_problem(const Instruction& instruction, int target);

}  // namespace cudalabs::ptx
