#pragma once
// How much of the processors other processes have had, and how long they stood in line for them. On a busy
// machine the wall clock runs for everybody, and says nothing about who is slow.

#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "grader/support/result.h"

namespace cudalabs {

/// What one thread had of the processors, and how long it stood in line, ready to run; the latter is 0 where
/// the kernel does not tell.
struct ThreadUse {
  std::chrono::nanoseconds ran{0}, waited{0};
};

struct ProcessorUse {
  std::chrono::nanoseconds ran{0};                   ///< all threads together, those that have ended too
  std::map<std::pair<int, int>, ThreadUse> threads;  ///< the living ones, by process and number
};

/// Of these processes and all their descendants, since they began. What cannot be read
/// (any more) counts nothing.
ProcessorUse processor_use(std::span<const int> pids);

/// What they had between two looks, `wall` apart.
struct ProcessorShare {
  std::chrono::nanoseconds wall{0}, ran{0};
  /// That others made them wait: of each process the thread that waited longest, less what its own family can
  /// have kept it from the processors. A crowd of threads that stand in each other's way waits for nobody.
  std::chrono::nanoseconds waited{0};

  /// The part of `wall` that the machine kept from them: none where they slept, all but nothing
  /// where they stood in line.
  [[nodiscard]] std::chrono::nanoseconds kept_from() const;
  /// How long it would have taken on an idle machine, as far as one can tell.
  [[nodiscard]] std::chrono::nanoseconds idle_wall() const { return wall - kept_from(); }
  /// They worked, or would have if they had been let.
  [[nodiscard]] bool at_work() const;
  /// For most of the time they were not let.
  [[nodiscard]] bool starved() const { return kept_from() * 2 > wall; }
};

/// The part of one processor that this thread gets now, if it wants all of it: tried for a third of a second.
double share_of_a_processor();

/// With so little of a processor nothing can be said of who is slow: the error that grading ends with then.
std::optional<Diagnostic> too_busy_to_judge(const std::string& what_was_slow);

/// Of this machine, or of what this process may use of it; asked once, as the answer stands in a file.
unsigned all_processors();

ProcessorShare between(const ProcessorUse& before, const ProcessorUse& after, std::chrono::nanoseconds wall,
                       unsigned processors = all_processors());

}  // namespace cudalabs
