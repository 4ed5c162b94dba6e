#include "grader/submission/submission_process.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/diagnostics/messages/run.h"

namespace cudalabs {
namespace {

constexpr int kDeviceFd = 3;
constexpr std::uint64_t kTasks = 128;           // threads of one submission
constexpr std::uint64_t kFileBytes = 16 << 20;  // of a file in its private /tmp
constexpr std::uint64_t kOpenFiles = 64;

constexpr std::uint64_t mebibytes(std::uint64_t bytes) { return bytes >> 20; }

/// True for a signal of a fault, of abort() or of the filter.
bool is_of_fault(int signal) {
  constexpr std::array kFaults{SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP, SIGSYS};
  return std::ranges::find(kFaults, signal) != kFaults.end();
}

}  // namespace

Messages how_it_ended(const SubmissionEnd& end, bool timed_out) {
  using enum SubmissionExit;
  const bool is_limit =
      end.exit == OutputLimit || end.exit == FileLimit || end.exit == MemoryLimit || end.exit == TaskLimit;
  if (timed_out && !is_limit) return msg::program_stuck();
  if (end.exit == Exited) return msg::exit_called(end.exit_code);
  return end.exit == Killed ? Messages(msg::device_connection_closed()) : end.message;
}

Result<std::unique_ptr<SubmissionProcess>> SubmissionProcess::start(const std::filesystem::path& executable,
                                                                    int device_fd,
                                                                    const SubmissionLimits& limits,
                                                                    TellsDevice tells) {
  const logging::Timed timed(logging::Metric::StartProgram);
  Command command;
  command.argv = {std::filesystem::absolute(executable).string()};
  command.env = {"CUDALABS_DEVICE_FD=" + std::to_string(kDeviceFd)};
  if (tells.frames) command.env.emplace_back("CUDALABS_CALL_FRAMES=1");
  if (tells.stream_order) command.env.emplace_back("CUDALABS_STREAM_ORDER=check");
  command.fds = {{device_fd, kDeviceFd}};
  command.limits.memory_bytes = limits.memory_bytes;
  // Untouched memory is free (a thread's arena reserves 64 MiB), so this is only a second limit: it bounds
  // the memory that can be touched between two looks.
  command.limits.address_bytes = 2 * limits.memory_bytes + (std::uint64_t{2} << 30);
  command.limits.output_bytes = limits.output_bytes;
  command.limits.tasks = kTasks;
  command.limits.file_bytes = kFileBytes;
  command.limits.open_files = kOpenFiles;

  SandboxSpec spec;
  spec.untrusted_program = true;
  spec.largest_mapping = limits.memory_bytes;
  const SandboxKind kind = usable_sandbox();
  auto inside = sandboxed(std::move(command), spec, kind);
  if (!inside) return inside.problem();
  auto process = Process::start(std::move(*inside));
  if (!process) return process.problem();
  logging::debug(logging::Stage::Run, [&] {
    return fmt::format("started {} in {}, process {}", executable.string(), spelling(kind),
                       (*process)->pid());
  });
  return std::unique_ptr<SubmissionProcess>(new SubmissionProcess(std::move(*process), kind, limits));
}

SubmissionEnd SubmissionProcess::wait() {
  const ProcessEnd& process = process_->wait();
  SubmissionEnd end;
  end.exit_code = process.exit_code;
  end.out = process.out;
  end.err = process.err;
  end.wall_seconds = process.wall_seconds;
  end.cpu_seconds = process.cpu_seconds;
  end.peak_memory_bytes = process.peak_memory_bytes;
  if (process.signal != 0) end.signal = signal_name(process.signal);
  logging::debug(logging::Stage::Run, [&] {
    return fmt::format("process {} ended: exit {} {}, {:.3f} s, {:.3f} s of processor, {} MiB{}",
                       process_->pid(), end.exit_code, end.signal, end.wall_seconds, end.cpu_seconds,
                       end.peak_memory_bytes >> 20, process.killed_by_us ? ", by the grader" : "");
  });
  logging::trace(logging::Stage::Run, [&] { return "it printed: " + end.out + end.err; });
  const bool by_us =
      process.killed_by_us || (process.limit != LimitHit::None && process.limit != LimitHit::FileSize);
  end.by_others = process.wrapper_ended && !by_us;
  end.perhaps_by_others = end.by_others || (process.signal != 0 && !is_of_fault(process.signal) && !by_us);

  // The filter kills with SIGSYS only for a mapping above the limit. An allocation that the address limit
  // refuses ends as an uncaught bad_alloc.
  const bool refused_memory =
      process.signal == SIGSYS ||
      (process.signal == SIGABRT && process.err.find("std::bad_alloc") != std::string::npos);
  if (process.limit == LimitHit::Memory ||
      (process.limit == LimitHit::None && refused_memory && !process.killed_by_us)) {
    end.exit = SubmissionExit::MemoryLimit;
    end.message = msg::host_memory_limit(mebibytes(limits_.memory_bytes));
  } else if (process.limit == LimitHit::Output) {
    end.exit = SubmissionExit::OutputLimit;
    end.message = {msg::printed_too_much(mebibytes(limits_.output_bytes)), msg::remove_debugging_output()};
  } else if (process.limit == LimitHit::Tasks) {
    end.exit = SubmissionExit::TaskLimit;
    end.message = msg::too_many_threads(kTasks);
  } else if (process.limit == LimitHit::FileSize) {
    end.exit = SubmissionExit::FileLimit;
    end.message = msg::file_too_large(mebibytes(kFileBytes));
  } else if (process.limit == LimitHit::Files) {
    end.exit = SubmissionExit::FileLimit;
    end.message = msg::too_many_files(SandboxSpec{}.tmp_files);
  } else if (process.killed_by_us) {
    end.exit = SubmissionExit::Killed;
    end.message = msg::ended_by_grader();
  } else if (process.exited) {
    end.exit = SubmissionExit::Exited;
    end.message = msg::ended_itself(process.exit_code);
  } else {
    end.exit = SubmissionExit::Crashed;
    end.message = msg::crashed(end.signal);
  }
  return end;
}

}  // namespace cudalabs
