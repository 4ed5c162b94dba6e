#pragma once
// CUDA's runtime in device code: what kernels that launch kernels may call besides (cudadevrt). Launches
// themselves are the simulator's (ptx/builtins.h).

#include <functional>
#include <string>
#include <string_view>

namespace cudalabs {

/// PTX with those functions, each .weak, that `uses` says are called; empty if it is none.
std::string device_runtime_ptx(const std::function<bool(std::string_view)>& uses);

}  // namespace cudalabs
