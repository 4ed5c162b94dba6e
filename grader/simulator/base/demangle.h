#pragma once
// Names of kernels and variables as people wrote them.

#include <string>
#include <string_view>

namespace cudalabs::sim {

/// c++filt for kernel names: "mm_tile<0, false>(float const*, ...)" -> as Nsight Compute prints the base name
/// when `base_only`: "mm_tile<0, 0>" (no return type, no parameters, bool template arguments as 0 and 1).
std::string demangle(std::string_view mangled, bool base_only);

}  // namespace cudalabs::sim
