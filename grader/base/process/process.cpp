#include "grader/base/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/magic.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>

#include "grader/base/fd.h"
#include "grader/base/process/proc_file.h"
#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kDefaultCapture = 1 << 20;
constexpr auto kLook = std::chrono::milliseconds(10);  // between two looks at memory and tasks
// how long descendants may take to die after the program
constexpr auto kFarewell = std::chrono::milliseconds(1000);
constexpr int kSetupExit = 127;

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return error(msg::no_pipe(std::strerror(errno)), errno == EMFILE ? msg::raise_open_files() : Message());
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

/// A kernel limit that we set. Whoever started us may have set a lower hard limit: a death by that one would
/// say nothing about the program.
struct HardLimit {
  __rlimit_resource resource;
  std::uint64_t (*wanted)(const ProcessLimits&);
  const char* letter;  ///< of the shell's ulimit
  std::uint64_t unit;  ///< the unit of that number
};

constexpr std::array<HardLimit, 4> kHardLimits{{
    {RLIMIT_CPU,
     [](const ProcessLimits& limits) {
       return limits.cpu_seconds > 0 ? static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds)) + 2 : 0;
     },
     "-t", 1},
    {RLIMIT_AS, [](const ProcessLimits& limits) { return limits.address_bytes; }, "-v", 1024},
    {RLIMIT_FSIZE, [](const ProcessLimits& limits) { return limits.file_bytes; }, "-f", 1024},
    {RLIMIT_NOFILE, [](const ProcessLimits& limits) { return limits.open_files; }, "-n", 1},
}};
constexpr int kRefusedLimit = 1 << 16;  // above every errno

/// The message of a child that could not exec the program.
Diagnostic cannot_run(const Command& command, int problem) {
  for (const HardLimit& hard : kHardLimits) {
    if (problem != kRefusedLimit + static_cast<int>(hard.resource)) continue;
    rlimit now{};
    ::getrlimit(hard.resource, &now);
    const std::uint64_t wanted = (hard.wanted(command.limits) + hard.unit - 1) / hard.unit;
    return {{},
            msg::inherited_limit_too_low(now.rlim_max / hard.unit, hard.letter, wanted),
            msg::start_without_limit(hard.letter),
            true};
  }
  return error(msg::program_does_not_run(command.argv[0], std::strerror(problem)));
}

// The code between fork or vfork and exec. It makes only async-signal-safe calls, because other threads of
// the grader may hold any lock. The child shares memory with them; so it writes only to members of this
// object.
class Child {
 public:
  Child(const Command& command, int out, int err, int status)
      : command_(command), out_(out), err_(err), status_(status) {
    for (const auto& word : command.argv) argv_.push_back(const_cast<char*>(word.c_str()));
    argv_.push_back(nullptr);
    for (const auto& word : command.env) env_.push_back(const_cast<char*>(word.c_str()));
    env_.push_back(nullptr);
    moved_.resize(command.fds.size());
  }

  [[noreturn]] void become(pid_t parent) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kSetupExit);
    default_signals();
    first_to_go();
    if (const int problem = descriptors()) fail(problem);
    if (const int refused = limit()) fail(refused);
    if (!command_.cwd.empty() && ::chdir(command_.cwd.c_str()) != 0) fail(errno);
    if (command_.before_exec) {
      if (const int problem = command_.before_exec()) fail(problem);
    }
    if (command_.exec_fd >= 0) {
      ::syscall(SYS_execveat, command_.exec_fd, "", argv_.data(), env_.data(), AT_EMPTY_PATH);
    } else {
      ::execve(argv_[0], argv_.data(), env_.data());
    }
    fail(errno);
  }

 private:
  [[noreturn]] void fail(int problem) const {
    [[maybe_unused]] const auto written = ::write(status_, &problem, sizeof problem);
    ::_exit(kSetupExit);
  }

  static void default_signals() {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; ++number) ::sigaction(number, &plain, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  int descriptors() {
    // First move descriptors out of the way of each other's target numbers, then to their places.
    int highest = 2;
    for (const auto& fd : command_.fds) highest = std::max(highest, fd.theirs);
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      moved_[i] = ::fcntl(command_.fds[i].ours, F_DUPFD_CLOEXEC, highest + 1);
      if (moved_[i] < 0) return errno;
    }
    status_ = ::fcntl(status_, F_DUPFD_CLOEXEC, highest + 1);
    if (!command_.inherit_output) {
      const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (null < 0 || ::dup2(null, 0) < 0 || ::dup2(out_, 1) < 0 || ::dup2(err_, 2) < 0) return errno;
    }
    if (::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */) != 0) {
      for (int fd = 3; fd < 4096; ++fd) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      if (::dup2(moved_[i], command_.fds[i].theirs) < 0) return errno;
    }
    return 0;
  }

  /// 0, or kRefusedLimit and the number of the limit that the kernel refused.
  [[nodiscard]] int limit() const {
    for (const HardLimit& hard : kHardLimits) {
      const std::uint64_t value = hard.wanted(command_.limits);
      if (value == 0) continue;
      // SIGXCPU at the limit, SIGKILL a second later
      const rlimit both{hard.resource == RLIMIT_CPU ? value - 1 : value, value};
      if (::setrlimit(hard.resource, &both) != 0) return kRefusedLimit + static_cast<int>(hard.resource);
    }
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    return 0;
  }

  const Command& command_;
  int out_, err_, status_;
  std::vector<char*> argv_, env_;
  std::vector<int> moved_;
};

// Usage of a process and all its descendants: resident bytes, tasks, and the processor time of living
// descendants and of those that their parents have waited for. Processes come and go meanwhile; a process
// that cannot be read any more counts as gone.
struct Usage {
  std::uint64_t bytes = 0, tasks = 0;
  double cpu_seconds = 0;
};

/// utime, stime, cutime and cstime of /proc/PID/stat, the 14th to 17th field (proc(5)). The second field, the
/// program's name in parentheses, can contain anything.
double processor_seconds(const std::string& proc) {
  const std::string line = proc_text(proc + "/stat");
  const std::size_t name_ends = line.rfind(')');
  if (name_ends == std::string::npos) return 0;
  std::string_view fields(line);
  fields.remove_prefix(name_ends + 1);
  for (int field = 3; field < 14; ++field) {  // a blank precedes each field
    fields.remove_prefix(std::min(fields.size(), std::size_t{1}));
    fields.remove_prefix(std::min(fields.size(), fields.find(' ')));
  }
  std::uint64_t ticks = 0;
  for (std::uint64_t value = 0, field = 0; field < 4 && take_number(fields, value); ++field) ticks += value;
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void add_usage(int pid, Usage& usage, std::vector<int>* family, int depth = 0) {
  if (depth > 64 || usage.tasks > 100000) return;
  const std::string base = "/proc/" + std::to_string(pid);
  std::uint64_t pages = 0, resident = 0;
  const std::string statm = proc_text(base + "/statm");
  if (std::string_view sizes = statm; !take_number(sizes, pages) || !take_number(sizes, resident)) return;
  usage.bytes += resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  usage.cpu_seconds += processor_seconds(base);
  if (family) family->push_back(pid);
  ProcTasks tasks(pid);
  while (tasks.next() != 0) {
    ++usage.tasks;
    const std::string children = tasks.text("children");
    std::string_view all = children;
    for (int child = 0; take_number(all, child);) add_usage(child, usage, family, depth + 1);
  }
}

// Number of files and folders in the /tmp that a process sees, if that file system is in memory and has
// exactly that size. Otherwise it is the machine's /tmp, which a program sees until its sandbox is set up.
std::uint64_t files_in_tmp(int pid, std::uint64_t bytes) {
  struct statfs what {};
  if (::statfs(("/proc/" + std::to_string(pid) + "/root/tmp").c_str(), &what) != 0) return 0;
  const bool own =
      what.f_type == TMPFS_MAGIC && what.f_blocks * static_cast<std::uint64_t>(what.f_bsize) == bytes;
  return own ? what.f_files - what.f_ffree : 0;
}

class Capture {
 public:
  Capture(UniqueFd fd, std::string& text) : fd_(std::move(fd)), text_(text) {
    ::fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] bool open() const { return static_cast<bool>(fd_); }

  // Reads the available bytes, keeps at most `room` of them, and returns how many arrived.
  std::uint64_t drain(std::uint64_t room) {
    std::array<char, 65536> buffer;
    std::uint64_t came = 0;
    for (int turn = 0; open() && turn < 16; ++turn) {  // a flood of output must not prevent the time checks
      const auto got = ::read(fd_.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) break;
      if (got <= 0) {
        fd_.reset();
        break;
      }
      const auto bytes = static_cast<std::uint64_t>(got);
      if (came < room) text_.append(buffer.data(), static_cast<std::size_t>(std::min(bytes, room - came)));
      came += bytes;
    }
    return came;
  }

 private:
  UniqueFd fd_;
  std::string& text_;
};

// Watches one started program until its end.
class Watch {
 public:
  Watch(int pid, const Command& command, ProcessEnd& end, UniqueFd out, UniqueFd err, int wake,
        const std::atomic<bool>& kill_asked)
      : pid_(pid),
        command_(command),
        end_(end),
        out_(std::move(out), end.out),
        err_(std::move(err), end.err),
        pidfd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
        wake_(wake),
        kill_asked_(kill_asked) {}

  void follow() {
    while (!reaped()) {
      if (!killed_) look();
      wait_for_news();
      take_output();
    }
    farewell();
    conclude();
  }

 private:
  bool reaped() {
    rusage used{};
    const auto got = ::wait4(pid_, &status_, WNOHANG, &used);
    if (got == 0 || (got < 0 && errno == EINTR)) return false;
    end_.wall_seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    // The kernel's rusage lacks descendants that nobody has waited for.
    end_.cpu_seconds = std::max(end_.cpu_seconds, seconds(used.ru_utime) + seconds(used.ru_stime));
    if (end_.peak_memory_bytes == 0)
      end_.peak_memory_bytes = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
    return true;
  }

  void look() {
    const ProcessLimits& limits = command_.limits;
    const auto now = Clock::now();
    if (kill_asked_) {
      end_.killed_by_us = true;
      return kill_all();
    }
    if (limits.wall.count() && now - started_ > limits.wall) return stop(LimitHit::Wall);
    if (now < next_look_) return;
    next_look_ = now + kLook;
    Usage usage;
    std::vector<int> family;
    add_usage(pid_, usage, &family);
    end_.peak_memory_bytes = std::max(end_.peak_memory_bytes, usage.bytes);
    end_.cpu_seconds = std::max(end_.cpu_seconds, usage.cpu_seconds);
    if (limits.cpu_seconds > 0 && usage.cpu_seconds > limits.cpu_seconds) return stop(LimitHit::Cpu);
    if (limits.idle.count() && sleeps(usage.cpu_seconds, now)) return stop(LimitHit::Wall);
    if (limits.memory_bytes && usage.bytes > limits.memory_bytes) return stop(LimitHit::Memory);
    if (limits.tasks && usage.tasks > limits.tasks) return stop(LimitHit::Tasks);
    if (limits.tmp_files && !family.empty() &&
        files_in_tmp(family.back(), limits.tmp_bytes) > limits.tmp_files)
      return stop(LimitHit::Files);
  }

  /// True iff no process used a processor for limits.idle. Time in which we ourselves did not run counts as a
  /// pause of the machine.
  bool sleeps(double cpu_seconds, Clock::time_point now) {
    constexpr double kAtWork = 0.02;  // two of the kernel's clock ticks
    const bool stood_still = now - looked_ > std::chrono::seconds(1);
    looked_ = now;
    if (stood_still || cpu_seconds - worked_ > kAtWork) worked_ = cpu_seconds, worked_at_ = now;
    return now - worked_at_ > command_.limits.idle;
  }

  void stop(LimitHit why) {
    end_.limit = why;
    kill_all();
  }

  // Kills from the first to the last process: a dead parent starts no more children.
  void kill_all() {
    killed_ = true;
    Usage usage;
    std::vector<int> family;
    add_usage(pid_, usage, &family);
    ::kill(pid_, SIGKILL);
    ::kill(-pid_, SIGKILL);
    for (const int member : family) ::kill(member, SIGKILL);
  }

  void wait_for_news() {
    std::array<pollfd, 4> news{{{out_.fd(), POLLIN, 0},
                                {err_.fd(), POLLIN, 0},
                                {pidfd_.get(), POLLIN, 0},
                                {killed_ ? -1 : wake_, POLLIN, 0}}};
    ::poll(news.data(), news.size(), static_cast<int>(kLook.count()));
  }

  void take_output() {
    const std::uint64_t limit = command_.limits.output_bytes ? command_.limits.output_bytes : kDefaultCapture;
    for (Capture* stream : {&out_, &err_}) {
      received_ += stream->drain(limit > received_ ? limit - received_ : 0);
    }
    if (command_.limits.output_bytes && received_ > limit && !killed_) stop(LimitHit::Output);
  }

  // Ends processes that the program left in its group; a PID namespace takes a moment to end. All descendants
  // hold the output pipes, so their closing shows that the last one is gone.
  void farewell() {
    ::kill(-pid_, SIGKILL);
    const auto deadline = Clock::now() + kFarewell;
    while ((out_.open() || err_.open()) && Clock::now() < deadline) {
      std::array<pollfd, 2> news{{{out_.fd(), POLLIN, 0}, {err_.fd(), POLLIN, 0}}};
      ::poll(news.data(), news.size(), static_cast<int>(kLook.count()));
      take_output();
    }
  }

  void conclude() {
    end_.exited = WIFEXITED(status_);
    if (end_.exited) end_.exit_code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) end_.signal = WTERMSIG(status_);
    end_.wrapper_ended = command_.wrapped && end_.signal != 0 && !killed_;
    if (command_.wrapped && end_.exited && end_.exit_code > 128 && end_.exit_code < 128 + NSIG) {
      end_.exited = false;
      end_.signal = end_.exit_code - 128;
    }
    if (end_.limit == LimitHit::None && !end_.killed_by_us) {
      // Anybody can send SIGXCPU: a program that has used little processor time has not reached the limit.
      const double limit = command_.limits.cpu_seconds;
      if (end_.signal == SIGXCPU && limit > 0 && end_.cpu_seconds > limit / 2) end_.limit = LimitHit::Cpu;
      if (end_.signal == SIGXFSZ && !end_.wrapper_ended) end_.limit = LimitHit::FileSize;
    }
  }

  int pid_;
  const Command& command_;
  ProcessEnd& end_;
  Capture out_, err_;
  UniqueFd pidfd_;
  int wake_;
  const std::atomic<bool>& kill_asked_;
  Clock::time_point started_ = Clock::now(), next_look_ = started_;
  Clock::time_point looked_ = started_, worked_at_ = started_;
  double worked_ = 0;
  std::uint64_t received_ = 0;
  int status_ = 0;
  bool killed_ = false;
};

}  // namespace

void first_to_go() {
  const UniqueFd score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score) static_cast<void>(::write(score.get(), "1000", 4) == 4);
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

Result<std::unique_ptr<Process>> Process::start(Command command) {
  if (command.argv.empty()) return error(msg::no_program_to_start());
  std::unique_ptr<Process> process(new Process);
  auto wake = make_pipe();
  if (!wake) return wake.problem();
  process->wake_read_ = std::move(wake->read);
  process->wake_write_ = std::move(wake->write);
  std::promise<Result<int>> started;
  auto outcome = started.get_future();
  process->watcher_ = std::thread(&Process::watch, process.get(), std::move(command), std::move(started));
  auto pid = outcome.get();
  if (!pid) return pid.problem();
  process->pid_ = *pid;
  return process;
}

void Process::watch(Command command, std::promise<Result<int>> started) {
  auto out = make_pipe(), err = make_pipe(), status = make_pipe();
  for (const auto* pipe : {&out, &err, &status}) {
    if (!pipe->ok()) {
      done_ = true;
      return started.set_value(pipe->problem());
    }
  }
  Child child(command, out->write.get(), err->write.get(), status->write.get());
  const pid_t parent = ::getpid();
  // fork copies the page tables of a grader that holds large cases, and then each page that it writes: this
  // takes longer than most programs run. The child of vfork shares our memory until exec, and this thread
  // waits for it. A child that changes its user must not use vfork: the kernel checks access to a shared
  // memory by the rights of all processes that share it.
  const pid_t pid = command.before_exec ? ::fork() : ::vfork();
  if (pid == 0) child.become(parent);
  if (pid < 0) {
    done_ = true;
    return started.set_value(error(msg::process_does_not_start(std::strerror(errno))));
  }
  status->write.reset();
  out->write.reset();
  err->write.reset();
  int problem = 0;
  ssize_t got = 0;
  do got = ::read(status->read.get(), &problem, sizeof problem);
  while (got < 0 && errno == EINTR);
  if (got != 0) {
    // A complete errno is the child's message. Anything else says nothing about the child's state.
    const bool told = got == sizeof problem && problem != 0;
    const int why = told ? problem : got < 0 ? errno : 0;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    done_ = true;
    return started.set_value(why != 0 ? cannot_run(command, why)
                                      : error(msg::program_start_broke_off(command.argv[0])));
  }
  status->read.reset();
  command.owned.clear();
  started.set_value(static_cast<int>(pid));
  Watch(pid, command, end_, std::move(out->read), std::move(err->read), wake_read_.get(), kill_asked_)
      .follow();
  done_ = true;
}

Process::~Process() {
  kill();
  wait();
}

void Process::kill() {
  if (kill_asked_.exchange(true) || !wake_write_) return;
  [[maybe_unused]] const auto written = ::write(wake_write_.get(), "k", 1);
}

const ProcessEnd& Process::wait() {
  if (watcher_.joinable()) watcher_.join();
  return end_;
}

Result<ProcessEnd> run(Command command) {
  auto process = Process::start(std::move(command));
  if (!process) return process.problem();
  return (*process)->wait();
}

}  // namespace cudalabs
