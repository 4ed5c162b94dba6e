#pragma once
// Starts a program without a shell, bounds what it may use, keeps a bounded part of what it prints, and ends
// it with everything that it started. Trusted and untrusted programs go through here; the walls around
// untrusted ones are grader/support/sandbox.h.

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

#include "grader/support/fd.h"
#include "grader/support/result.h"

namespace cudalabs {

/// What a program and its descendants may use; 0 means no limit.
struct ProcessLimits {
  /// passes while the machine does something else, too, or nothing: alone it says nothing of the program
  std::chrono::milliseconds wall{0};
  /// in which none of its processes computes, while this one is let: it waits for what never comes
  std::chrono::milliseconds idle{0};
  double cpu_seconds = 0;  ///< that all its processes together may compute
  /// resident memory of all its processes together, looked at every few milliseconds
  std::uint64_t memory_bytes = 0;
  std::uint64_t address_bytes = 0;  ///< address space of each process: what catches a jump between two looks
  std::uint64_t file_bytes = 0;     ///< size of any file that it writes
  std::uint64_t output_bytes = 0;   ///< stdout and stderr together; passing it ends the program
  std::uint64_t tasks = 0;          ///< processes and threads, all together, wrappers included
  std::uint64_t open_files = 0;
  /// files and folders in the file system of its /tmp, if that is one in memory with exactly tmp_bytes of
  /// room (a sandbox's own): the kernel's memory for them is in no other figure
  std::uint64_t tmp_files = 0, tmp_bytes = 0;
};

/// A descriptor of ours that the program gets under a number of its own.
struct InheritedFd {
  int ours = -1;
  int theirs = -1;
};

struct Command {
  std::vector<std::string> argv;  ///< argv[0] is the path of the program
  std::vector<std::string> env;   ///< "NAME=value", the whole environment
  std::filesystem::path cwd;      ///< empty: ours
  /// if set, the program itself, by its number in the child: argv[0] is then only its name
  int exec_fd = -1;
  /// besides 0 (/dev/null), 1 and 2 (captured); every other descriptor is closed
  std::vector<InheritedFd> fds;
  ProcessLimits limits;
  /// Runs in the child just before exec (after limits and descriptors are in place). Only async-signal-safe
  /// calls; a value other than 0 is an errno and fails the start.
  std::function<int()> before_exec;
  bool inherit_output = false;  ///< stdin, stdout and stderr are ours instead of /dev/null and captured
  /// a wrapper reports its program's death by signal n as exit code 128 + n
  bool wrapped = false;
  std::vector<std::shared_ptr<UniqueFd>> owned;  ///< descriptors named above that are closed with this
};

enum class LimitHit : std::uint8_t { None, Wall, Cpu, Memory, FileSize, Output, Tasks, Files };

struct ProcessEnd {
  bool exited = false;  ///< it ended by itself, with `exit_code`
  int exit_code = 0;
  int signal = 0;  ///< else the signal that ended it
  /// the signal was for the wrapper, which nobody inside of it can reach
  bool wrapper_ended = false;
  LimitHit limit = LimitHit::None;
  bool killed_by_us = false;  ///< kill() was called while it ran
  std::string out, err;       ///< what it printed, together at most limits.output_bytes (1 MiB if that is 0)
  double wall_seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;  ///< of all its processes together, the most that was seen

  [[nodiscard]] bool success() const {
    return exited && exit_code == 0 && limit == LimitHit::None && !killed_by_us;
  }
};

/// The name of a signal as a person knows it: "SIGSEGV".
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
  /// Ends it and everything it started; returns at once, wait() then returns soon.
  void kill();
  /// Waits for its end; may be called again.
  const ProcessEnd& wait();

 private:
  Process() = default;
  void watch(Command command, std::promise<Result<int>> started);

  std::thread watcher_;  // forks, drains and reaps: the parent-death signal follows the thread that forked
  std::atomic<bool> done_ = false, kill_asked_ = false;
  int pid_ = -1;
  UniqueFd wake_read_, wake_write_;
  ProcessEnd end_;
};

/// Of this process: where the machine's memory ends, the kernel takes it before those that did not say so.
/// Async-signal-safe.
void first_to_go();

/// start() and wait().
Result<ProcessEnd> run(Command command);

}  // namespace cudalabs
