#pragma once
// Where the compilers are.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

struct Toolchain {
  std::filesystem::path nvcc;           ///< ".../bin/nvcc", symbolic links resolved
  std::filesystem::path cuda_root;      ///< the folder above bin/
  std::string nvcc_version;             ///< "13.0.88"
  std::filesystem::path host_compiler;  ///< g++
  std::string host_version;             ///< first line of g++ --version
  /// What must be visible to compile: for the sandbox.
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
};

/// nvcc from $CUDA_HOME/bin, $CUDA_PATH/bin, PATH,
/// /usr/local/cuda/bin; g++ from PATH. The error says what to install.
Result<Toolchain> find_toolchain();

/// Another program of the CUDA Toolkit ("ncu"): beside nvcc, or in PATH. The error says what to install.
Result<std::filesystem::path> find_cuda_tool(const std::string& name);

}  // namespace cudalabs
