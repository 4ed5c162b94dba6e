#pragma once
// The number of machine instructions for a PTX instruction: the column of opcodes.def, and here the forms
// that differ. The sequences have two uses:
//   issue_slots       the cost of an instruction in isolation. It counts all executed instructions, so that
//                     blocks are comparable. Halves of 64-bit integers are not counted
//   PredicationCosts  the cost of an instruction in its context: every half, but nothing that is merged into
//                     others. ptxas weighs it when it decides whether to predicate a body, and the timing
//                     model issues it

#include <cstdint>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Length of the sequence that ptxas generates for the instruction in isolation, according to its machine
/// code for sm_80, rounded.
std::uint32_t machine_instructions(const ptx::Instruction& in);

/// The slots that an estimate charges for it.
std::uint32_t issue_slots(const ptx::Instruction& in);

/// True if its sequence contains a call or a loop: ptxas never predicates it.
bool is_routine(const ptx::Instruction& in);

/// True for a 64-bit integer: most operations on it need an instruction for each half.
bool is_wide_integer(const ptx::Instruction& in);

}  // namespace cudalabs::sim
