#pragma once
// Rules of the validator for single instructions that the columns of opcodes.def cannot express.

#include <optional>
#include <string>

#include "grader/sim/ptx/validator.h"

namespace cudalabs::ptx {

using Maybe = std::optional<Violation>;

Violation wrong(Message message, int operand = -1, Message hint = {});
std::string dotted(Type type);  ///< ".u32"

/// Rules between types, modifiers and the number of operands.
Maybe check_combination(const Module& module, const Function& function, const Instruction& instruction);

/// Checks arguments and returned values against the declaration of the called function.
Maybe check_call(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace cudalabs::ptx
