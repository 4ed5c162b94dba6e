#pragma once
// Does an instruction keep to its row in opcodes.def? Types, modifiers,
// spaces, the number and kind of its operands, and the widths of its
// registers. As strict as ptxas, so that what it lets through means something.

#include <optional>
#include <span>
#include <string>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::ptx {

struct Violation {
  std::string message;
  std::string hint;
  int operand = -1;  ///< index of the operand that is wrong; -1: the instruction as a whole
};

/// The category of an instruction in opcodes.def is Refused:
/// the advice, what to use instead. Empty otherwise.
std::string refusal(Op op);

/// Checks one instruction. `spaces` are all spaces written in it. Labels need not be resolved yet.
std::optional<Violation> validate(const Module& module, const Function& function,
                                  const Instruction& instruction, std::span<const Space> spaces);

}  // namespace cudalabs::ptx
