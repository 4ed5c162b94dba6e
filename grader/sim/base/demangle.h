#pragma once
// Readable names of kernels and variables.

#include <string>
#include <string_view>

namespace cudalabs::sim {

/// Demangles a kernel name like c++filt: "mm_tile<0, false>(float const*, ...)". With `base_only` the name is
/// as in Nsight Compute: "mm_tile<0, 0>" (no return type, no parameters, bool template arguments as 0 and 1).
std::string demangle(std::string_view mangled, bool base_only);

}  // namespace cudalabs::sim
