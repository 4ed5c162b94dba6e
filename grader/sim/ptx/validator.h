#pragma once
// Checks an instruction against its row in opcodes.def: types, modifiers, spaces, the number and kind of its
// operands, and the widths of its registers. It is as strict as ptxas, so that accepted instructions have
// defined semantics.

#include <optional>
#include <span>
#include <string>

#include "grader/base/message.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

struct Violation {
  Message message;
  Message hint;
  int operand = -1;  ///< index of the invalid operand; -1: the instruction as a whole
};

/// For an instruction with the category Refused: the advice what to use instead. Otherwise empty.
std::string refusal(Op op);

/// Checks one instruction. `spaces` are all its spaces. Labels need not be resolved yet.
std::optional<Violation> validate(const Module& module, const Function& function,
                                  const Instruction& instruction, std::span<const Space> spaces);

}  // namespace cudalabs::ptx
