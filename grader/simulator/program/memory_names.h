#pragma once
// Names for memory, as messages use them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// "tile" of "_ZZ4sumsPfE4tile", which is "sums(float*)::tile".
std::string plain_name(const std::string& mangled);

/// A parameter of a kernel that points into a stretch of global memory.
struct PointerParameter {
  std::size_t number = 0;   ///< from 1
  std::uint64_t value = 0;  ///< where it points
  std::string type;         ///< "float const*"; empty where the kernel's name does not tell
};

/// The parameter (or pointer inside a struct parameter) that
/// points into [begin, end), as near before `address` as there is.
std::optional<PointerParameter> pointer_parameter(const Program& kernel,
                                                  std::span<const std::byte> parameters, std::uint64_t begin,
                                                  std::uint64_t end, std::uint64_t address);

/// Bytes of one element of "float const*"; 0 if unknown.
std::uint32_t element_bytes(const std::string& pointer_type);

}  // namespace cudalabs::sim
