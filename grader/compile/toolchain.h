#pragma once
// Which compilers build what is graded or run.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/cuda_compiler.h"
#include "grader/support/result.h"

namespace cudalabs {

/// Auto: what $CUDA_LABS_COMPILER names; else nvcc where it is, because what is held against hardware
/// comes from it; else clang.
enum class CompilerChoice : std::uint8_t { Auto, Nvcc, Clang };

/// "auto", "nvcc", "clang"
std::optional<CompilerChoice> compiler_named(std::string_view name);

struct Toolchain {
  std::shared_ptr<const CudaCompiler> cuda;
  std::filesystem::path host_compiler;  ///< g++, or where there is none clang++
  std::string host_version;             ///< first line of g++ --version
  /// What must be visible to compile: for the sandbox.
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
};

/// The compilers of this machine. The error says what to install.
Result<Toolchain> find_toolchain(CompilerChoice choice);

/// Another program of the CUDA Toolkit ("ncu"): beside nvcc, or in PATH. The error says what to install.
Result<std::filesystem::path> find_cuda_tool(const std::string& name);

}  // namespace cudalabs
