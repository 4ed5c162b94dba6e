#include "grader/base/crash_note.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "grader/base/own_pages.h"

namespace cudalabs {
namespace {

constexpr int kCouldNotGrade = 3;
constexpr std::size_t kStackBytes = std::size_t{64} << 10;
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A signal handler may access only plain pointers that are set before a crash.
thread_local const char* text_now = nullptr;
thread_local const char* hint_now = nullptr;
thread_local const CallLimits* limits_now = nullptr;
thread_local double seconds_now = 0;          // of the processor, since the call began
thread_local std::uint64_t bytes_before = 0;  // of the process
thread_local timer_t timer_now{};
thread_local bool ticks_now = false;  // timer_now is one
thread_local timer_t wall_timer_now{};
thread_local bool waits_now = false;  // wall_timer_now is one
thread_local double tick_now = 0;

constexpr double kTick = 0.5;  // seconds of the processor from one look at the limits to the next
const int kTickSignal = SIGRTMIN + 5, kWallSignal = SIGRTMIN + 6;

std::array<struct sigaction, kSignals.size()> before;

void put(const char* text) {
  for (std::size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = ::write(STDERR_FILENO, text, left);
    if (written <= 0) return;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
}

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV: memory that is not there, or no stack left";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE: division of an integer by zero";
    case SIGILL: return "SIGILL";
    default: return "SIGABRT: abort(), a failed assert or an exception that nobody catches";
  }
}

[[noreturn]] void end_with(const char* hint) {
  put("\n  hint: ");
  put(hint);
  put("\n");
  ::_exit(kCouldNotGrade);
}

void tell(int signal) {
  if (text_now == nullptr) {  // a crash in our own code: restores the old handlers
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
    return;  // and the same instruction crashes again
  }
  put("grader: ");
  put(text_now);
  put(" (");
  put(name_of(signal));
  put(")");
  end_with(hint_now);
}

/// The resident bytes of the process.
std::uint64_t resident_bytes() {
  const int statm = ::open(kStatm, O_RDONLY | O_CLOEXEC);
  if (statm < 0) return 0;
  const std::uint64_t pages = read_own_pages(statm).resident;
  ::close(statm);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Of the lines FILE:LINE, one for each inlined function, that of `source`, or if `any` will do the first.
/// Null: there is none.
char* line_to_tell(char* lines, const char* source, bool any) {
  char *first = nullptr, *rest = nullptr;
  for (char* line = ::strtok_r(lines, "\n", &rest); line != nullptr;
       line = ::strtok_r(nullptr, "\n", &rest)) {
    if (line[0] == '?') continue;
    if (char* const note = std::strchr(line, ' ')) *note = '\0';
    if (std::strncmp(line, source, std::strlen(source)) == 0) return line;
    if (first == nullptr) first = line;
  }
  return any ? first : nullptr;
}

/// Writes " (FILE:LINE)" for a place in a library; false if no tool of the compiler's knows the line.
bool put_line(const char* library, const char* source, bool any, std::uintptr_t offset) {
  std::array<char, 24> address{'0', 'x'};
  std::to_chars(address.data() + 2, address.data() + address.size() - 1, offset, 16);
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::execlp("addr2line", "addr2line", "-i", "-s", "-e", library, address.data(), nullptr);
    ::_exit(1);
  }
  ::close(pipe[1]);
  std::array<char, 1024> text{};
  std::size_t length = 0;
  for (ssize_t more = 1; more > 0 && length < text.size() - 1; length += static_cast<std::size_t>(more))
    more = std::max<ssize_t>(::read(pipe[0], text.data() + length, text.size() - 1 - length), 0);
  ::close(pipe[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  const char* const line = line_to_tell(text.data(), source, any);
  if (line == nullptr) return false;
  put(" (");
  put(line);
  put(")");
  return true;
}

/// Writes the line of the library that runs, or that has called what runs: one of its main file, if there is
/// any.
void put_place(const char* library, const char* source) {
  std::array<void*, 64> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (const bool any : {false, true}) {
    for (int i = 0; i < count; ++i) {
      Dl_info info{};
      if (::dladdr(frames[static_cast<std::size_t>(i)], &info) == 0 || info.dli_fname == nullptr) continue;
      if (std::strcmp(info.dli_fname, library) != 0) continue;
      const auto place = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]) -
                         reinterpret_cast<std::uintptr_t>(info.dli_fbase);
      if (put_line(library, source, any, place - 1)) return;  // a return address is behind its call
    }
  }
}

[[noreturn]] void tell_limit(const char* what) {
  put("grader: ");
  put(limits_now->text.c_str());
  put(what);
  put_place(limits_now->library.c_str(), limits_now->source.c_str());
  end_with(limits_now->hint.c_str());
}

void look_at_limits(int signal) {
  if (limits_now == nullptr) return;
  if (signal == kTickSignal) seconds_now += tick_now;
  if (signal == kWallSignal || seconds_now >= limits_now->seconds) tell_limit(" does not end");
  if (resident_bytes() > bytes_before + limits_now->bytes) tell_limit(" takes too much memory");
}

/// Code that calls exit() would end us with its own status.
void tell_exit() {
  if (limits_now == nullptr) return;
  tell_limit(" calls exit()");
}

/// A timer of this thread; false if there is none.
bool make_timer(clockid_t clock, int signal, timer_t& timer) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  return ::timer_create(clock, &event, &timer) == 0;
}

/// Lets look_at_limits() be called from time to time in this thread, and if the call takes far too long
/// without the processor.
void start_ticking(double seconds) {
  constexpr double kWaiting = 20, kShare = 0.25;  // other processes may leave us a part of the processor
  waits_now = make_timer(CLOCK_MONOTONIC, kWallSignal, wall_timer_now);
  if (waits_now) {
    const itimerspec once{{}, {static_cast<time_t>(kWaiting + seconds / kShare), 0}};
    ::timer_settime(wall_timer_now, 0, &once, nullptr);
  }
  ticks_now = make_timer(CLOCK_THREAD_CPUTIME_ID, kTickSignal, timer_now);
  if (!ticks_now) return;
  tick_now = std::min(kTick, seconds / 2);
  constexpr long kNanoseconds = 1'000'000'000;
  const timespec tick{0, static_cast<long>(tick_now * kNanoseconds)};
  const itimerspec often{tick, tick};
  ::timer_settime(timer_now, 0, &often, nullptr);
}

/// The handler needs its own stack: endless recursion uses up the thread's.
void use_own_stack() {
  thread_local std::array<char, kStackBytes> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  ::sigaltstack(&stack, nullptr);
}

bool install() {
  struct sigaction action {};
  action.sa_handler = tell;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
  action.sa_handler = look_at_limits;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  for (const int signal : {kTickSignal, kWallSignal}) ::sigaction(signal, &action, nullptr);
  std::atexit(tell_exit);
  std::array<void*, 1> frame{};
  ::backtrace(frame.data(), 1);  // it loads what it needs at its first call, which a handler must not do
  return true;
}

}  // namespace

void end_by_fault(const std::string& text, const std::string& hint) {
  put("grader: ");
  put(text.c_str());
  end_with(hint.c_str());
}

CrashNote::CrashNote(std::string text, std::string hint, CallLimits limits)
    : text_(std::move(text)), hint_(std::move(hint)), limits_(std::move(limits)) {
  [[maybe_unused]] static const bool installed = install();
  [[maybe_unused]] thread_local const bool own_stack = (use_own_stack(), true);
  hint_now = hint_.c_str();
  text_now = text_.c_str();
  seconds_now = 0;
  bytes_before = resident_bytes();
  limits_now = &limits_;
  start_ticking(limits_.seconds);
}

CrashNote::~CrashNote() {
  if (ticks_now) ::timer_delete(timer_now);
  if (waits_now) ::timer_delete(wall_timer_now);
  limits_now = nullptr;
  text_now = nullptr;
}

}  // namespace cudalabs
