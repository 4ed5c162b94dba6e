#pragma once
// Through which parameter or variable an instruction reaches memory: the array that a programmer indexes
// there.

#include <cstdint>
#include <optional>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Eight bytes of a parameter (the whole of a pointer, or a member of a struct), or a variable.
struct AddressOrigin {
  ptx::SymbolKind kind = ptx::SymbolKind::None;  ///< Parameter, ModuleVariable or FunctionVariable
  std::uint32_t symbol = 0;                      ///< index into the table of its kind
  std::uint32_t offset = 0;                      ///< bytes, of a parameter
  bool operator==(const AddressOrigin&) const = default;
};

/// The only thing that the address of `instruction` (an index into Function::body) begins with. Nothing if
/// there are several, as where an address is selected, or none, as where it was loaded from memory. What is
/// multiplied or converted is an index.
std::optional<AddressOrigin> address_origin(const ptx::Function& function, std::uint32_t instruction);

}  // namespace cudalabs::sim
