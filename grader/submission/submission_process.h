#pragma once
// The untrusted process: a student's linked program inside the strongest sandbox that this machine offers,
// connected to the device process and to nothing else.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "grader/base/process/process.h"
#include "grader/base/process/sandbox.h"
#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

enum class SubmissionExit : std::uint8_t {
  Exited,       ///< called exit() or returned from main: `exit_code`
  Crashed,      ///< died of a signal: `signal`
  OutputLimit,  ///< printed more than limits.output_bytes
  MemoryLimit,  ///< used or asked for more than limits.memory_bytes
  TaskLimit,    ///< started too many threads
  FileLimit,    ///< wrote a file larger than the sandbox allows
  Killed,       ///< ended by our kill()
};

struct SubmissionEnd {
  SubmissionExit exit = SubmissionExit::Exited;
  int exit_code = 0;
  std::string signal;    ///< "SIGSEGV"
  Messages message;      ///< for the student
  std::string out, err;  ///< its output, bounded by limits.output_bytes
  /// A signal ended it that no fault of a program raises: it or another program of this machine sent the
  /// signal.
  bool perhaps_by_others = false;
  bool by_others = false;  ///< and the signal hit a process that the submission cannot reach
  double wall_seconds = 0, cpu_seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
};

/// Describes the end of a program that should have gone on. `timed_out`: it was still running at the end of
/// its time, and the grader killed it. If it hit another limit before, that limit says more than the time.
Messages how_it_ended(const SubmissionEnd& end, bool timed_out);

/// What its runtime tells the device about the calls of the host.
struct TellsDevice {
  bool frames = false;        ///< the stack frames of what fails or allocates
  bool stream_order = false;  ///< the order of streams and of the host's own accesses
};

class SubmissionProcess {
 public:
  /// Starts `executable` with `device_fd` (still owned by the
  /// caller, who may close it at once) as CUDALABS_DEVICE_FD.
  static Result<std::unique_ptr<SubmissionProcess>> start(const std::filesystem::path& executable,
                                                          int device_fd, const SubmissionLimits& limits,
                                                          TellsDevice tells = {});
  [[nodiscard]] bool running() const { return process_->running(); }
  void kill() { process_->kill(); }
  /// The program's process number, or that of the wrapper around it.
  [[nodiscard]] int pid() const { return process_->pid(); }
  /// Waits for the end; call kill() first if it may not end by itself. None of its descendants survives this.
  SubmissionEnd wait();
  /// The sandbox around it, for the report.
  [[nodiscard]] SandboxKind sandbox() const { return sandbox_; }

 private:
  SubmissionProcess(std::unique_ptr<Process> process, SandboxKind sandbox, const SubmissionLimits& limits)
      : process_(std::move(process)), sandbox_(sandbox), limits_(limits) {}
  std::unique_ptr<Process> process_;
  SandboxKind sandbox_;
  SubmissionLimits limits_;
};

}  // namespace cudalabs
