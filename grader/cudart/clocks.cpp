// The clocks of the C and C++ libraries for programs under `grader run --clock estimated`. The linker
// replaces the libraries' functions with these (--wrap, grader/toolchain/program/program.cpp); otherwise
// nobody calls them.

#include <sys/time.h>

#include "grader/cudart/host_clock.h"

using cudalabs::cudart::HostClock;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

timespec timespec_of(std::int64_t ns) { return {ns / kSecond, ns % kSecond}; }

std::int64_t wall_time() { return HostClock::get().now(CLOCK_REALTIME); }
/// A clock of whole seconds seeds generators, and times no kernel.
std::int64_t wall_seconds() { return HostClock::get().now(CLOCK_REALTIME, HostClock::Use::Other) / kSecond; }

}  // namespace

extern "C" {

int __wrap_clock_gettime(clockid_t clock, timespec* time) {
  const std::int64_t ns = HostClock::get().now(clock);
  if (ns < 0) return -1;
  *time = timespec_of(ns);
  return 0;
}

int __wrap_gettimeofday(timeval* time, void*) {
  const std::int64_t ns = wall_time();
  if (time != nullptr) *time = {ns / kSecond, ns % kSecond / 1000};
  return 0;
}

int __wrap_timespec_get(timespec* time, int base) {
  if (base != TIME_UTC) return 0;
  *time = timespec_of(wall_time());
  return base;
}

time_t __wrap_time(time_t* time) {
  const time_t seconds = wall_seconds();
  if (time != nullptr) *time = seconds;
  return seconds;
}

/// A program that waits for a card keeps its processor busy.
clock_t __wrap_clock() {
  return static_cast<clock_t>(HostClock::get().now(CLOCK_PROCESS_CPUTIME_ID) / (kSecond / CLOCKS_PER_SEC));
}

double __wrap_omp_get_wtime() {
  return static_cast<double>(HostClock::get().now(CLOCK_MONOTONIC)) / static_cast<double>(kSecond);
}

/// std::chrono::steady_clock::now() and system_clock::now(); the ABI of a time point is that of its integer.
std::int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv() { return HostClock::get().now(CLOCK_MONOTONIC); }
std::int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv() { return wall_time(); }
}
