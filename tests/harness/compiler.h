#pragma once
// The CUDA compiler that the grader uses here, for tests that expect nvcc's own code. Users of this header
// link cudalabs_compile.

#include <string>
#include <utility>
#include <vector>

#include "grader/toolchain/toolchain.h"
#include "tests/harness/catch.h"
#include "tests/harness/everything.h"

namespace cudalabs::test {

/// Its name; empty if there is none, for example because `choice` is not installed.
inline std::string compiler(CompilerChoice choice = CompilerChoice::Auto) {
  const auto toolchain = find_toolchain(choice);
  return toolchain ? std::string(toolchain->cuda->name()) : std::string();
}

/// The installed compilers, nvcc first, for tests that hold for each of them.
inline std::vector<std::string> installed_compilers() {
  std::vector<std::string> found;
  for (const auto choice : {CompilerChoice::Nvcc, CompilerChoice::Clang}) {
    if (std::string name = compiler(choice); !name.empty()) found.push_back(std::move(name));
  }
  return found;
}

/// Those for the program with this number, of many that every compiler compiles alike: one of them, by turns.
/// If everything() is to be tested it is all of them.
inline std::vector<std::string> compilers_in_turn(std::size_t number) {
  std::vector<std::string> all = installed_compilers();
  if (all.empty() || everything()) return all;
  return {all[number % all.size()]};
}

/// Returns whether the compiler is clang of this version or newer.
inline bool is_clang_from(int major) {
  const auto toolchain = find_toolchain(CompilerChoice::Auto);
  return toolchain && toolchain->cuda->name() == kClang && std::stoi(toolchain->cuda->version()) >= major;
}

/// Returns false and prints a note if the grader uses another compiler than nvcc: `what` is specific to nvcc.
inline bool is_nvcc(const char* what) {
  if (compiler() == "nvcc") return true;
  WARN("skipped: needs nvcc: " << what);
  return false;
}

}  // namespace cudalabs::test
