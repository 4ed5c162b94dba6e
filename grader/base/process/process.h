#pragma once
// Starts a program without a shell, limits its resources, keeps a bounded part of its output, and ends it
// with all its descendants. Trusted and untrusted programs use this; grader/base/process/sandbox.h adds the
// sandbox for untrusted ones.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "grader/base/fd.h"
#include "grader/base/result.h"

namespace cudalabs {

/// Resource limits of a program and its descendants; 0 means no limit.
struct ProcessLimits {
  /// wall time; it also passes while the machine runs other programs, so alone it proves nothing about the
  /// program
  std::chrono::milliseconds wall{0};
  /// time in which none of its processes computes, though the machine lets them: it waits for an event that
  /// never comes
  std::chrono::milliseconds idle{0};
  double cpu_seconds = 0;  ///< processor time of all its processes together
  /// resident memory of all its processes together, checked every few milliseconds
  std::uint64_t memory_bytes = 0;
  /// address space of each process: catches jumps between two looks at memory_bytes
  std::uint64_t address_bytes = 0;
  std::uint64_t file_bytes = 0;    ///< size of any file that it writes
  std::uint64_t output_bytes = 0;  ///< stdout and stderr together; more output ends the program
  std::uint64_t tasks = 0;         ///< processes and threads together, wrappers included
  std::uint64_t open_files = 0;
  /// Files and folders in its /tmp, if that is an in-memory file system of exactly tmp_bytes (a sandbox's
  /// own). No other figure counts the kernel's memory for them.
  std::uint64_t tmp_files = 0, tmp_bytes = 0;
};

/// A descriptor of ours that the program gets under another number.
struct InheritedFd {
  int ours = -1;
  int theirs = -1;
};

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is the path of the program
  std::vector<std::string> env;   ///< "NAME=value", the whole environment
  std::filesystem::path cwd;      ///< empty: ours
  /// if set, the program itself, by its descriptor in the child; argv[0] is then only its name
  int exec_fd = -1;
  /// besides 0 (/dev/null), 1 and 2 (captured); every other descriptor is closed
  std::vector<InheritedFd> fds;
  ProcessLimits limits;
  /// Runs in the child just before exec, after limits and descriptors are in place. It may make only
  /// async-signal-safe calls. A value other than 0 is an errno and makes the start fail.
  std::function<int()> before_exec;
  /// the program uses our stdin, stdout and stderr, not /dev/null and pipes that we capture
  bool inherit_output = false;
  /// the program is a wrapper, which reports its program's death by signal n as exit code 128 + n
  bool wrapped = false;
  /// the descriptors named above that are closed with this object
  std::vector<std::shared_ptr<UniqueFd>> owned;
};

enum class LimitHit : std::uint8_t { None, Wall, Cpu, Memory, FileSize, Output, Tasks, Files };

struct ProcessEnd {
  bool exited = false;  ///< it ended by itself, with `exit_code`
  int exit_code = 0;
  int signal = 0;  ///< otherwise the signal that ended it
  /// the signal hit the wrapper, which no process inside can reach
  bool wrapper_ended = false;
  LimitHit limit = LimitHit::None;
  bool killed_by_us = false;  ///< kill() was called while it ran
  std::string out, err;       ///< its output, together at most limits.output_bytes (1 MiB if that is 0)
  double wall_seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  ///< maximum seen, of all its processes together

  [[nodiscard]] bool success() const {
    return exited && exit_code == 0 && limit == LimitHit::None && !killed_by_us;
  }
};

/// The usual name of a signal: "SIGSEGV".
std::string signal_name(int signal);

/// A running program. The destructor kills it and waits for its end.
class Process {
 public:
  static Result<std::unique_ptr<Process>> start(Command command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] bool running() const { return !done_.load(); }
  [[nodiscard]] int pid() const { return pid_; }
  /// Ends it and all its descendants. Returns at once; wait() returns soon afterwards.
  void kill();
  /// Waits for its end; may be called again.
  const ProcessEnd& wait();

 private:
  Process() = default;
  void watch(Command command, std::promise<Result<int>> started);

  std::thread watcher_;  // it forks, drains and reaps: the parent-death signal follows the thread that forked
  std::atomic<bool> done_ = false, kill_asked_ = false;
  int pid_ = -1;
  UniqueFd wake_read_, wake_write_;
  ProcessEnd end_;
};

/// Makes this process a preferred victim of the kernel when memory runs out. Async-signal-safe.
void first_to_go();

/// Does start() and wait().
Result<ProcessEnd> run(Command command);

}  // namespace cudalabs
