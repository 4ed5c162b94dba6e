#pragma once
// From a student's source to an executable: compiled and
// linked in a sandbox, with a runner generated from the lab.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/process/sandbox.h"
#include "grader/base/result.h"
#include "grader/course/lab.h"
#include "grader/submission/locate.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs {

enum class BuildStatus : std::uint8_t {
  Ok,
  CompileError,   ///< the compiler rejected the source: messages
  RuleViolation,  ///< it defines a name that a submission must not define: `sentence`
  LimitReached,   ///< compiling took too much time or memory, which counts as a compile error: `sentence`
};

enum class MessageKind : std::uint8_t { Error, Warning, Note };

/// One message of the compiler about the student's files. `line` 0: about the whole file.
struct CompilerMessage {
  std::string file;
  int line = 0, column = 0;
  MessageKind kind = MessageKind::Error;
  Messages text;       ///< verbatim and without host paths, or in our words where they are clearer
  std::string source;  ///< the line of the student's file, trimmed of trailing blanks; may be empty
  Messages advice{};   ///< how to fix a common mistake; may be empty
  /// "row_max.cu:12:5: error: ..." and the source line with a caret, and the advice
  [[nodiscard]] Message message() const;
  [[nodiscard]] std::string display() const { return message().english(); }
};

/// States whether the submission defines an entry of the contract, in the order of lab.versions. Only a
/// defined entry may be called: a kernel with the entry's name links too, but is not the function that the
/// contract requires.
struct EntryState {
  std::string version;  ///< "shared"
  std::string entry;    ///< "row_max_shared"
  bool defined = false;
  /// why not, if a similar function is there, and the change to make; may be empty
  Message near_miss;
};

struct BuildOutcome {
  BuildStatus status = BuildStatus::Ok;
  std::filesystem::path executable;     ///< if Ok
  Messages sentence;                    ///< if not Ok: what happened and what to do, for the student
  std::vector<CompilerMessage> errors;  ///< the first few
  std::size_t errors_left_out = 0;
  std::vector<CompilerMessage> warnings;  ///< the first few; never fatal
  std::vector<EntryState> entries;
  double seconds = 0;
  bool cached = false;
  SandboxKind sandbox = SandboxKind::LimitsOnly;
  std::shared_ptr<const void> keeps;  ///< keeps a temporary executable on disk (compile_program)
};

struct BuildOptions {
  std::filesystem::path cudart_archive;       ///< libcudalabs_cudart.a
  std::filesystem::path cache;                ///< empty: default_build_cache()
  std::vector<std::filesystem::path> hidden;  ///< never visible while compiling: the course's root
};

struct BuildTools {
  Toolchain toolchain;
  BuildOptions options;
};
/// The compilers of this machine and our runtime. The error says what is missing and what to do.
Result<BuildTools> find_build_tools(CompilerChoice choice);

/// ${XDG_CACHE_HOME:-~/.cache}/cuda-labs/build; made if it is missing.
Result<std::filesystem::path> default_build_cache();

/// A minimal correct submission, which every sound machine builds and starts.
inline constexpr std::string_view kControlSource = "__global__ void control(int* a) { *a = 1; }\n";

/// Builds a submission. Error: the grader could not build (no archive, no disk space). If the student is the
/// cause, the result is a BuildOutcome.
Result<BuildOutcome> build_submission(const Lab& lab, const Submission& submission,
                                      const Toolchain& toolchain, const BuildOptions& options);

}  // namespace cudalabs
