#include "grader/base/crash_note.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <utility>

namespace cudalabs {
namespace {

constexpr int kCouldNotGrade = 3;
constexpr std::size_t kStackBytes = std::size_t{64} << 10;
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

// A signal handler may access only plain pointers that are set before a crash.
thread_local const char* text_now = nullptr;
thread_local const char* hint_now = nullptr;

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

void tell(int signal) {
  if (text_now == nullptr) {  // a crash in our own code: restores the old handlers
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before[i], nullptr);
    return;  // and the same instruction crashes again
  }
  put("grader: ");
  put(text_now);
  put(" (");
  put(name_of(signal));
  put(")\n  hint: ");
  put(hint_now);
  put("\n");
  ::_exit(kCouldNotGrade);
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
  return true;
}

}  // namespace

CrashNote::CrashNote(std::string text, std::string hint) : text_(std::move(text)), hint_(std::move(hint)) {
  [[maybe_unused]] static const bool installed = install();
  [[maybe_unused]] thread_local const bool own_stack = (use_own_stack(), true);
  hint_now = hint_.c_str();
  text_now = text_.c_str();
}

CrashNote::~CrashNote() { text_now = nullptr; }

}  // namespace cudalabs
