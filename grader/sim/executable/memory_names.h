#pragma once
// Names of memory for messages.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "grader/sim/executable/address_origin.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// Returns "tile" for "_ZZ4sumsPfE4tile", which is "sums(float*)::tile", and for
/// "__cuda_local_var_41234_33_non_const_tile".
std::string plain_name(const std::string& mangled);

/// A kernel parameter through which memory is accessed.
struct PointerParameter {
  std::size_t number = 0;   ///< from 1
  std::uint64_t value = 0;  ///< where it points
  std::string type;         ///< "float const*"; empty if the kernel's name does not contain it
  /// False: a struct that holds the pointer.
  [[nodiscard]] bool is_pointer() const { return type.empty() || type.back() == '*'; }
};

/// The parameter (or pointer inside a struct parameter) that points into [begin, end), as closely before
/// `address` as possible.
std::optional<PointerParameter> pointer_parameter(const Program& kernel,
                                                  std::span<const std::byte> parameters, std::uint64_t begin,
                                                  std::uint64_t end, std::uint64_t address);

/// The parameter that instruction `index` of the kernel's code forms its address from, whatever it holds.
std::optional<PointerParameter> accessed_parameter(const Program& kernel,
                                                   std::span<const std::byte> parameters, std::size_t index);
/// The parameter of an address; nothing if it begins with a variable.
std::optional<PointerParameter> parameter_of(const Program& kernel, std::span<const std::byte> parameters,
                                             const AddressOrigin& origin);
/// The only eight bytes of the parameters that `is_memory` takes for an address; nothing if several are.
std::optional<PointerParameter> only_pointer(const Program& kernel, std::span<const std::byte> parameters,
                                             const std::function<bool(std::uint64_t)>& is_memory);

/// Bytes of one element of "float const*"; 0 if unknown.
std::uint32_t element_bytes(const std::string& pointer_type);

}  // namespace cudalabs::sim
