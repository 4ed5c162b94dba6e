#pragma once
// Checks the symbols of a student's object: no forbidden names, and which entries of the contract it defines.

#include <string>
#include <vector>

#include "grader/toolchain/compile.h"
#include "grader/toolchain/objects/elf.h"

namespace cudalabs {

/// What is wrong if the object defines or uses a name that belongs to the grader, the CUDA runtime or the C
/// library; else no message.
Message forbidden_symbol(const ElfObject& object);

/// The state of each entry. `runner` is the runner's object: its undefined weak symbols are the entries'
/// names for the linker.
std::vector<EntryState> entry_states(const Lab& lab, const ElfObject& runner, const ElfObject& student);

}  // namespace cudalabs
