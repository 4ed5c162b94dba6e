#pragma once
// clang with our own CUDA headers (grader/cudart/include): device half, fat binary, host half.

#include <memory>

#include "grader/toolchain/options/cuda_compiler.h"

namespace cudalabs {

/// $CUDA_LABS_CLANG; else the clang++ of PATH, or the newest clang++-N there. Null: there is none that is new
/// enough. Error: the program that the variable names does not work.
Result<std::shared_ptr<const CudaCompiler>> find_clang();

}  // namespace cudalabs
