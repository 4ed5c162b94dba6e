#pragma once
// How many machine instructions a PTX instruction becomes: the column of opcodes.def, and here the forms that
// differ. Two questions are asked of these sequences:
//   issue_slots       what is an instruction by itself? All that are executed are counted by it, so that blocks
//                     can be compared. Halves of 64-bit integers are not counted
//   PredicationCosts  what is it among others? Every half, less what other instructions take in: what ptxas
//                     weighs when it decides whether to predicate a body, and what a walk issues

#include <cstdint>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

/// Length of the sequence that ptxas makes of the instruction by
/// itself, read off its machine code for sm_80, rounded.
std::uint32_t machine_instructions(const ptx::Instruction& in);

/// What an estimate charges for it.
std::uint32_t issue_slots(const ptx::Instruction& in);

/// A call or a loop hides in its sequence, which ptxas therefore never predicates.
bool is_routine(const ptx::Instruction& in);

/// An integer of 64 bits: most operations on it take an instruction for each half.
bool is_wide_integer(const ptx::Instruction& in);

}  // namespace cudalabs::sim
