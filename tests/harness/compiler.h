#pragma once
// Which CUDA compiler the grader takes here, for what tests expect of nvcc's own code. Who includes
// this links cudalabs_compile.

#include <string>
#include <utility>
#include <vector>

#include "grader/compile/toolchain.h"
#include "tests/harness/catch.h"

namespace cudalabs::test {

/// Its name; empty if there is none, as where `choice` is not installed.
inline std::string compiler(CompilerChoice choice = CompilerChoice::Auto) {
  const auto toolchain = find_toolchain(choice);
  return toolchain ? std::string(toolchain->cuda->name()) : std::string();
}

/// Those that are there, for what holds by each: nvcc first.
inline std::vector<std::string> installed_compilers() {
  std::vector<std::string> found;
  for (const auto choice : {CompilerChoice::Nvcc, CompilerChoice::Clang}) {
    if (std::string name = compiler(choice); !name.empty()) found.push_back(std::move(name));
  }
  return found;
}

/// Is it clang of this version or a newer one?
inline bool is_clang_from(int major) {
  const auto toolchain = find_toolchain(CompilerChoice::Auto);
  return toolchain && toolchain->cuda->name() == kClang && std::stoi(toolchain->cuda->version()) >= major;
}

/// False, and a word about it, where the grader takes another one than nvcc: `what` is nvcc's own.
inline bool is_nvcc(const char* what) {
  if (compiler() == "nvcc") return true;
  WARN("skipped: needs nvcc: " << what);
  return false;
}

}  // namespace cudalabs::test
