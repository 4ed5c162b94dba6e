#pragma once
// What a student's object defines: nothing that it must not, and which entries of the contract.

#include <optional>
#include <string>
#include <vector>

#include "grader/compile/compile.h"
#include "grader/compile/elf.h"

namespace cudalabs {

/// A sentence if the object defines or uses a name that is
/// the grader's, the CUDA runtime's or the C library's.
std::optional<std::string> forbidden_symbol(const ElfObject& object);

/// The state of each entry. `runner` is the runner's object: its undefined weak symbols are the entries as
/// the linker looks for them.
std::vector<EntryState> entry_states(const Lab& lab, const ElfObject& runner, const ElfObject& student);

}  // namespace cudalabs
