#pragma once
// A folder that looks like a CUDA Toolkit to builds: its bin/nvcc is `grader nvcc`, its runtime is ours.

#include <filesystem>
#include <string_view>

#include "grader/compile/compile.h"

namespace cudalabs {

/// A section that every program has which our nvcc has linked.
inline constexpr std::string_view kOwnProgram = "cudalabs_program";

struct ToolkitFolder {
  std::filesystem::path root;
  [[nodiscard]] std::filesystem::path nvcc() const { return root / "bin" / "nvcc"; }
  [[nodiscard]] std::filesystem::path libraries() const { return root / "lib64"; }
};

/// In the cache, made if it is not there: one for each grader and compiler. `grader`: this program's path,
/// which the programs name that are linked with it.
Result<ToolkitFolder> toolkit_folder(const Toolchain& toolchain, const BuildOptions& options,
                                     const std::filesystem::path& grader);

/// Is this the bin/ of such a folder?
bool is_own_toolkit(const std::filesystem::path& bin);

}  // namespace cudalabs
