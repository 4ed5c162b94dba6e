#pragma once
// A sandbox around a command: bubblewrap if it works, else Landlock, and only resource limits if the kernel
// offers neither. The grader always reports which one is in use; it never becomes weaker silently.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/process/process.h"
#include "grader/base/result.h"

namespace cudalabs {

enum class SandboxKind : std::uint8_t { Bubblewrap, Landlock, LimitsOnly };
std::string_view spelling(SandboxKind kind);  ///< "bubblewrap", "landlock", "limits only"

/// The strongest kind that $CUDA_LABS_SANDBOX (bubblewrap, landlock or limits) allows. Error: the variable
/// has another value.
Result<SandboxKind> sandbox_asked();

/// The strongest kind that works here and that sandbox_asked() allows. Found once, by trying each kind.
SandboxKind usable_sandbox();

struct SandboxSpec {
  std::vector<std::filesystem::path> read_only;  ///< system folders and files, visible under their own names
  std::vector<std::filesystem::path> hidden;     ///< must stay invisible, even below a visible folder
  std::filesystem::path work;  ///< a folder of ours, the command's cwd, which it may write to; empty: none
  std::uint64_t tmp_bytes = 16 << 20;  ///< size of the private /tmp
  std::uint64_t tmp_files = 4096;      ///< limit on files in /tmp, checked every few milliseconds
  /// The command is a student's: no fork, no exec of anything else, no sockets, no ptrace (seccomp).
  bool untrusted_program = false;
  /// an untrusted program that maps more at once dies of SIGSYS; 0: no limit
  std::uint64_t largest_mapping = 0;
};

/// The work folder's name inside the sandbox: a fixed one if `kind` is bubblewrap, else its own.
std::filesystem::path work_path_inside(SandboxKind kind, const SandboxSpec& spec);

/// Puts a sandbox around a command. argv[0] must be visible inside (below read_only). For an untrusted
/// program it is a path outside, and only that file becomes visible inside.
Result<Command> sandboxed(Command command, const SandboxSpec& spec, SandboxKind kind = usable_sandbox());

}  // namespace cudalabs
