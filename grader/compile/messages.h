#pragma once
// What a student reads of what the compilers print: the first errors and warnings about their own lines,
// without template backtraces and without paths of the machine.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/compile.h"

namespace cudalabs {

struct CompilerOutput {
  std::vector<CompilerMessage> errors, warnings;
  std::size_t errors_left_out = 0;
  /// One of the errors is about a line of the submission, or a name that it defines or uses.
  bool placed = false;
};

struct MessageContext {
  std::vector<SourceFile> files;  ///< the student's: source first, then headers
  std::filesystem::path work;     ///< folder that relative names are below, as the compiler saw it
  /// folders of the toolchain: what lies there is not the student's
  std::vector<std::filesystem::path> system;
};

inline constexpr std::size_t kMaxMessages = 10;  ///< of each kind

/// Reads the output of nvcc (its own front end, g++), of clang's two halves, of the assembler and the linker.
CompilerOutput read_compiler_output(std::string_view text, const MessageContext& context);

}  // namespace cudalabs
