#include "grader/cudart/streams/host_access_tracker.h"

#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <iterator>

#include "grader/cudart/streams/stream_order.h"

namespace cudalabs::cudart {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr int kMaxFaults = 2000;  ///< per page; later faults are not checked

struct Passing {
  std::uint64_t page = 0;
  int protection = 0;
};
/// The pages that were opened for the current instruction. One instruction accesses few pages.
thread_local std::array<Passing, 8> passing;
thread_local std::size_t passing_count = 0;

struct sigaction other_fault, other_trap;

void protect(std::uint64_t page, std::uint64_t bytes, int protection) {
  static_cast<void>(mprotect(reinterpret_cast<void*>(page), bytes, protection));
}

/// Passes on a signal that is not ours to its previous handler.
void pass_on(const struct sigaction& other, int signal, siginfo_t* info, void* context) {
  if ((other.sa_flags & SA_SIGINFO) != 0) {
    other.sa_sigaction(signal, info, context);
  } else if (other.sa_handler != SIG_DFL && other.sa_handler != SIG_IGN) {
    other.sa_handler(signal);
  } else {
    sigaction(signal, &other, nullptr);  // the signal repeats, and ends the program
  }
}

#ifdef __x86_64__
constexpr greg_t kTrapFlag = 0x100;
bool is_write(const ucontext_t& at) { return (at.uc_mcontext.gregs[REG_ERR] & 2) != 0; }
std::uint64_t instruction_of(const ucontext_t& at) {
  return static_cast<std::uint64_t>(at.uc_mcontext.gregs[REG_RIP]);
}
void step_from(ucontext_t& at) { at.uc_mcontext.gregs[REG_EFL] |= kTrapFlag; }
bool can_step() { return true; }
#else
bool is_write(const ucontext_t&) { return false; }
std::uint64_t instruction_of(const ucontext_t&) { return 0; }
void step_from(ucontext_t&) {}
bool can_step() { return false; }
#endif

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  auto& at = *static_cast<ucontext_t*>(context);
  bool step = false;
  if (!HostAccessTracker::get().fault(reinterpret_cast<std::uint64_t>(info->si_addr), is_write(at),
                                      instruction_of(at), step))
    pass_on(other_fault, signal, info, context);
  else if (step)
    step_from(at);
  errno = error;
}

void on_trap(int signal, siginfo_t* info, void* context) {
  if (passing_count == 0) return pass_on(other_trap, signal, info, context);
  HostAccessTracker::stepped();
#ifdef __x86_64__
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
#endif
}

void listen(int signal, void (*handler)(int, siginfo_t*, void*), struct sigaction& other) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, &other);
}

}  // namespace

HostAccessTracker& HostAccessTracker::get() {
  static auto* const watch = new HostAccessTracker;
  return *watch;
}

void HostAccessTracker::watch(const HostRange& range) {
  Closed pages{range.begin / kPage * kPage, (range.end + kPage - 1) / kPage * kPage, range.writes};
  // Memory near a range that the program has registered itself may hold anything, such as malloc()'s data.
  const unsigned* flags = Managed::get().pinned_flags(reinterpret_cast<const void*>(range.begin));
  if (flags != nullptr && (*flags & Managed::kRegistered) != 0) {
    pages.begin = (range.begin + kPage - 1) / kPage * kPage;
    pages.end = range.end / kPage * kPage;
  }
  if (pages.begin >= pages.end) return;
  const bool known = std::ranges::any_of(next_, [&](const Closed& c) {
    return c.begin <= pages.begin && c.end >= pages.end && (c.writes || !pages.writes);
  });
  if (!known) next_.push_back(pages);
}

void HostAccessTracker::close() {
  if (next_.empty()) return;
  if (!listens_) {
    listens_ = true;
    void* frame = nullptr;
    backtrace(&frame, 1);  // loads its libraries now, because a handler must not
    listen(SIGSEGV, on_fault, other_fault);
    listen(SIGTRAP, on_trap, other_trap);
  }
  closed_ = std::move(next_);
  for (const Closed& one : closed_) {
    std::uint64_t& end = ever_closed_[one.begin];
    end = std::max(end, one.end);
  }
  next_.clear();
  for (const bool writes : {false, true}) {
    for (const Closed& one : closed_) {
      if (one.writes == writes) protect(one.begin, one.end - one.begin, writes ? PROT_NONE : PROT_READ);
    }
  }
}

void HostAccessTracker::open() {
  for (const Closed& one : closed_) protect(one.begin, one.end - one.begin, PROT_READ | PROT_WRITE);
  closed_.clear();
}

/// True iff another thread's call has opened the page meanwhile. Faults that repeat have another reason.
bool HostAccessTracker::was_closed(std::uint64_t page) {
  constexpr int kMaxAgain = 100;
  const auto after = ever_closed_.upper_bound(page);
  return after != ever_closed_.begin() && page < std::prev(after)->second && ++again_ < kMaxAgain;
}

bool HostAccessTracker::fault(std::uint64_t address, bool writes, std::uint64_t exact, bool& step) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  const std::uint64_t page = address / kPage * kPage;
  bool readable = true, ours = false;
  for (const Closed& one : closed_) {
    if (page < one.begin || page >= one.end) continue;
    ours = true;
    readable = readable && !one.writes;
  }
  if (!ours) {
    if (!was_closed(page)) return false;
    protect(page, kPage, PROT_READ | PROT_WRITE);  // a finished instruction may have closed it again
    return true;
  }
  again_ = 0;
  writes = writes || readable;
  sim::StreamUse use =
      StreamOrder::get().host_touches(runtime, address, 1, writes, page, kPage, call_frames(exact));
  if (++faults_[page] > kMaxFaults || !can_step()) use = sim::StreamUse::Nobody;
  if (use == sim::StreamUse::Reads && !writes) {
    protect(page, kPage, PROT_READ);
    return true;
  }
  protect(page, kPage, PROT_READ | PROT_WRITE);
  if (use == sim::StreamUse::Nobody || passing_count == passing.size()) return true;
  passing[passing_count++] = {page, use == sim::StreamUse::Reads ? PROT_READ : PROT_NONE};
  step = true;
  return true;
}

void HostAccessTracker::passes(const void* bytes, std::uint64_t count, bool writes) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  const auto begin = reinterpret_cast<std::uint64_t>(bytes), end = begin + count;
  const auto meets = [&](const Closed& one) { return one.begin < end && begin < one.end; };
  if (count == 0 || std::ranges::none_of(closed_, meets)) return;
  static_cast<void>(StreamOrder::get().host_touches(runtime, begin, count, writes, 0, 0, call_frames()));
  for (const Closed& one : closed_) {
    const std::uint64_t first = std::max(one.begin, begin / kPage * kPage);
    const std::uint64_t last = std::min(one.end, (end + kPage - 1) / kPage * kPage);
    if (first < last) protect(first, last - first, PROT_READ | PROT_WRITE);
  }
}

void HostAccessTracker::stepped() {
  for (std::size_t i = 0; i < passing_count; ++i) protect(passing[i].page, kPage, passing[i].protection);
  passing_count = 0;
}

}  // namespace cudalabs::cudart
