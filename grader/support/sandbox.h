#pragma once
// Walls around a command: bubblewrap where it works, Landlock where it does not, and resource limits alone
// where the kernel offers neither. Which one stands is always told, never silently weaker.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/process.h"
#include "grader/support/result.h"

namespace cudalabs {

enum class SandboxKind : std::uint8_t { Bubblewrap, Landlock, LimitsOnly };
std::string_view spelling(SandboxKind kind);  ///< "bubblewrap", "landlock", "limits only"

/// The strongest kind that $CUDA_LABS_SANDBOX (bubblewrap, landlock or limits) allows. An error: it names
/// none of them.
Result<SandboxKind> sandbox_asked();

/// The strongest kind that works here, of those that sandbox_asked() allows: found once, by running each.
SandboxKind usable_sandbox();

struct SandboxSpec {
  std::vector<std::filesystem::path> read_only;  ///< system folders and files, visible under their own names
  std::vector<std::filesystem::path> hidden;     ///< must stay invisible even where a folder above is visible
  std::filesystem::path work;  ///< a folder of ours that the command may write to; its cwd; empty: none
  std::uint64_t tmp_bytes = 16 << 20;  ///< size of the private /tmp
  std::uint64_t tmp_files = 4096;      ///< in it, as far as a look every few milliseconds can tell
  /// The command is a student's: no fork, no exec of anything else, no sockets, no ptrace (seccomp).
  bool untrusted_program = false;
  /// an untrusted program that maps more at once dies of SIGSYS; 0: no limit
  std::uint64_t largest_mapping = 0;
};

/// Inside the sandbox the work folder has this name when `kind` is bubblewrap, else its own.
std::filesystem::path work_path_inside(SandboxKind kind, const SandboxSpec& spec);

/// Puts the walls around a command. argv[0] must be visible inside (below read_only), or be given by
/// untrusted programs as a path outside: it is then brought in alone.
Result<Command> sandboxed(Command command, const SandboxSpec& spec, SandboxKind kind = usable_sandbox());

}  // namespace cudalabs
