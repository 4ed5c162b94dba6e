#pragma once
// Measures how much processor time other processes have had, and how long they waited for it. On a busy
// machine wall time says nothing about which process is slow.

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "grader/base/result.h"

namespace cudalabs {

/// Processor time of one thread, and the time that it waited, ready to run. The latter is 0 if the kernel
/// does not report it.
struct ThreadUse {
  std::chrono::nanoseconds ran{0}, waited{0};
};

struct ProcessorUse {
  /// all threads together, including those that have ended
  std::chrono::nanoseconds ran{0};
  std::map<std::pair<int, int>, ThreadUse> threads;  ///< the living threads, by process and thread number
};

/// Use of these processes and all their descendants since they began. A process that cannot be read (any
/// more) counts nothing.
ProcessorUse processor_use(std::span<const int> pids);

/// The use between two measurements, `wall` apart.
struct ProcessorShare {
  std::chrono::nanoseconds wall{0}, ran{0};
  /// Time that other processes made them wait. Each process counts by the thread that waited longest, less
  /// the time for which its own family can have kept that thread waiting. Threads that only hinder each other
  /// wait for nobody.
  std::chrono::nanoseconds waited{0};

  /// The part of `wall` that the machine denied them: none if they slept, nearly all if they waited for a
  /// processor.
  [[nodiscard]] std::chrono::nanoseconds kept_from() const;
  /// The estimated duration on an idle machine.
  [[nodiscard]] std::chrono::nanoseconds idle_wall() const { return wall - kept_from(); }
  /// They worked, or would have if they had had a processor.
  [[nodiscard]] bool at_work() const;
  /// They had no processor for most of the time, though they were ready to run.
  [[nodiscard]] bool starved() const { return kept_from() * 2 > wall; }
};

/// The part of one processor that this thread gets now if it needs all of it; measured for a third of a
/// second.
double share_of_a_processor();

/// The error that ends grading if this thread gets so little of a processor that no time measurement means
/// anything.
std::optional<Diagnostic> too_busy_to_judge(const Messages& what_was_slow);

/// Number of processors that this machine has, or that this process may use. Read once, because it comes from
/// a file.
unsigned all_processors();

ProcessorShare between(const ProcessorUse& before, const ProcessorUse& after, std::chrono::nanoseconds wall,
                       unsigned processors = all_processors());

}  // namespace cudalabs
