#pragma once
// A folder that builds take for a CUDA Toolkit: its bin/nvcc is `grader nvcc`, its runtime is ours.

#include <filesystem>
#include <string_view>

#include "grader/toolchain/compile.h"

namespace cudalabs {

/// A section in every program that our nvcc has linked.
inline constexpr std::string_view kOwnProgram = "cudalabs_program";

struct ToolkitFolder {
  std::filesystem::path root;
  [[nodiscard]] std::filesystem::path nvcc() const { return root / "bin" / "nvcc"; }
  [[nodiscard]] std::filesystem::path libraries() const { return root / "lib64"; }
};

/// The folder in the cache, made if it is missing: one for each grader and compiler. `grader`: this program's
/// path, which programs linked with the folder contain.
Result<ToolkitFolder> toolkit_folder(const Toolchain& toolchain, const BuildOptions& options,
                                     const std::filesystem::path& grader);

/// True iff this is the bin/ of such a folder.
bool is_own_toolkit(const std::filesystem::path& bin);

}  // namespace cudalabs
