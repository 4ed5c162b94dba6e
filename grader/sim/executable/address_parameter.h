#pragma once
// Through which parameter of its kernel an instruction reaches memory: the array that a programmer indexes
// there.

#include <cstdint>
#include <optional>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Eight bytes of a parameter: the whole of a pointer, or a member of a struct.
struct ParameterWord {
  std::uint32_t parameter = 0;  ///< index into Function::params
  std::uint32_t offset = 0;     ///< bytes
  bool operator==(const ParameterWord&) const = default;
};

/// The only parameter that the address of `instruction` (an index into Function::body) begins with. Nothing
/// if there are several, as where an address is selected, or none, as where it was loaded from memory. What
/// is multiplied or converted is an index.
std::optional<ParameterWord> address_parameter(const ptx::Function& function, std::uint32_t instruction);

}  // namespace cudalabs::sim
