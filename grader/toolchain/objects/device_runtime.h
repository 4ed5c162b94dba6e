#pragma once
// CUDA's runtime in device code (cudadevrt): the functions besides launches that kernels may call when they
// launch kernels. The simulator does the launches themselves (ptx/parse/builtins.h).

#include <functional>
#include <string>
#include <string_view>

namespace cudalabs {

/// PTX with the functions for which `uses` returns true, each .weak; empty if there are none.
std::string device_runtime_ptx(const std::function<bool(std::string_view)>& uses);

}  // namespace cudalabs
