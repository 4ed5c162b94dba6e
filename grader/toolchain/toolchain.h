#pragma once
// Chooses the compilers for graded and other programs.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/toolchain/options/cuda_compiler.h"

namespace cudalabs {

/// Auto: the compiler that $CUDA_LABS_COMPILER names; else nvcc if it is installed, because comparisons with
/// hardware use it; else clang.
enum class CompilerChoice : std::uint8_t { Auto, Nvcc, Clang };

/// "auto", "nvcc", "clang"
std::optional<CompilerChoice> compiler_named(std::string_view name);

struct Toolchain {
  std::shared_ptr<const CudaCompiler> cuda;
  std::filesystem::path host_compiler;  ///< g++, or clang++ if there is no g++
  std::string host_version;             ///< first line of g++ --version
  std::filesystem::path old_headers{};  ///< what programs of older years may include
  /// Folders that must be visible to compile; for the sandbox.
  [[nodiscard]] std::vector<std::filesystem::path> folders() const;
  /// The folders whose code no user wrote: those of folders(), and the headers that the compiler is given.
  [[nodiscard]] std::vector<std::filesystem::path> not_the_users() const;
};

/// Finds the compilers of this machine. The error says what to install.
Result<Toolchain> find_toolchain(CompilerChoice choice);

enum class LinksAs { Dynamic, Static };

/// The name, for -fuse-ld, of an installed linker that takes a third of GNU ld's time; empty: there is none.
/// gold is only for dynamic programs: the static ones that it makes do not start.
std::string quick_linker(LinksAs kind);

/// Links by `link`, which is called with the name of a linker, or with "" for the standard one. If the quick
/// one has anything to say, the standard one links again, and its messages are told.
template <class Link>
auto link_quickly(LinksAs kind, const Link& link) {
  const std::string quick = quick_linker(kind);
  auto end = link(quick);
  if (!quick.empty() && end && (!end->success() || !end->err.empty())) end = link(std::string());
  return end;
}

/// Another program of the CUDA Toolkit ("ncu"): beside nvcc, or in PATH. The error says what to install.
Result<std::filesystem::path> find_cuda_tool(const std::string& name);

}  // namespace cudalabs
