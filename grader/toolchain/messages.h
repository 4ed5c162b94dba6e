#pragma once
// Extracts from the compilers' output what a student needs: the first errors and warnings about their own
// lines, without template backtraces and without paths of the machine.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/toolchain/compile.h"

namespace cudalabs {

struct CompilerOutput {
  std::vector<CompilerMessage> errors, warnings;
  std::size_t errors_left_out = 0;
  /// An error is about a line of the submission, or a name that it defines or uses.
  bool placed = false;
};

struct MessageContext {
  std::vector<SourceFile> files;  ///< the student's files: source first, then headers
  std::filesystem::path work;     ///< the compiler's working folder, to which names in messages are relative
  /// folders of the toolchain, whose files are not the student's
  std::vector<std::filesystem::path> system;
};

inline constexpr std::size_t kMaxMessages = 10;  ///< of each kind

/// Reads the output of nvcc (its own front end, g++), of clang's two halves, of the assembler and the linker.
CompilerOutput read_compiler_output(std::string_view text, const MessageContext& context);

/// A note for each thing that CUDA 13 has no longer, at the first line that uses it. `missed`: what compilers
/// said (Compilation::missed).
std::vector<CompilerMessage> notes_on_gone(const std::vector<std::string>& missed,
                                           const MessageContext& context);

}  // namespace cudalabs
