#include "grader/device/main/bounds.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <thread>

#include "grader/base/own_pages.h"
#include "grader/base/process/process.h"
#include "grader/device/protocol/control.h"
#include "grader/device/server/current_work.h"
#include "grader/diagnostics/messages/device.h"

namespace cudalabs {
namespace {

constexpr auto kLook = std::chrono::milliseconds(10);
/// per thread: its stack, and the beginning of its arena
constexpr std::uint64_t kUntouched = std::uint64_t{16} << 20;
/// more than a process touches between two looks
constexpr std::uint64_t kBetweenLooks = std::uint64_t{1} << 30;

[[noreturn]] void end_without_memory() { ::_exit(out_of_memory_status(current_work)); }

void watch(int statm, std::uint64_t most_pages) {
  for (;; std::this_thread::sleep_for(kLook)) {
    if (read_own_pages(statm).resident > most_pages) end_without_memory();
  }
}

}  // namespace

void become_expendable() {
  // The order matters: a process that is not dumpable cannot write to its own files below /proc either.
  first_to_go();
  ::prctl(PR_SET_DUMPABLE, 0);  // prevents ptrace by a submission of the same user
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

Result<void> bound_memory(std::uint64_t bytes) {
  const int statm = ::open(kStatm, O_RDONLY | O_CLOEXEC);
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  if (statm < 0) return error(msg::device_without_proc(std::strerror(errno)));
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer's shadow is many times larger than the memory in use
  const std::uint64_t untouched = std::max(1u, std::thread::hardware_concurrency()) * kUntouched;
  const std::uint64_t data = read_own_pages(statm).data * page + bytes + kBetweenLooks + untouched;
  const rlimit fence{data, data};
  ::setrlimit(RLIMIT_DATA, &fence);
#endif
  std::set_new_handler(end_without_memory);
  std::set_terminate([] {
    if (const auto thrown = std::current_exception()) {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::bad_alloc&) {
        end_without_memory();
      } catch (...) {
      }
    }
    std::abort();
  });
  std::thread(watch, statm, bytes / page).detach();
  return {};
}

void bound_files() {
  constexpr rlim_t kMax = 32;
  const rlimit number{kMax, kMax}, bytes{protocol::kMaxOutcome, protocol::kMaxOutcome};
  ::setrlimit(RLIMIT_NOFILE, &number);
  ::setrlimit(RLIMIT_FSIZE, &bytes);
}

}  // namespace cudalabs
