#pragma once
// The part of the validator that knows single instructions: what the columns of opcodes.def cannot say.

#include <optional>
#include <string>

#include "grader/simulator/ptx/validator.h"

namespace cudalabs::ptx {

using Maybe = std::optional<Violation>;

Violation wrong(std::string message, int operand = -1, std::string hint = {});
std::string dotted(Type type);  ///< ".u32"

/// Rules between types, modifiers and the number of operands.
Maybe check_combination(const Module& module, const Function& function, const Instruction& instruction);

/// Arguments and returned values against the declaration of the function that is called.
Maybe check_call(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace cudalabs::ptx
