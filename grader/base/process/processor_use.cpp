#include "grader/base/process/processor_use.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>

#include "grader/base/process/proc_file.h"
#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

using std::chrono::nanoseconds;

constexpr int kDeepest = 64;  // maximum depth of generations of processes
/// A process that got less than 1/kMinShare of the time and did not wait for a processor is not at work.
constexpr int kMinShare = 50;

nanoseconds processor_clock(int pid) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return nanoseconds{0};
  return std::chrono::seconds(used.tv_sec) + nanoseconds(used.tv_nsec);
}

void add_family(int pid, ProcessorUse& use, int depth) {
  if (pid <= 0 || depth > kDeepest) return;
  use.ran += processor_clock(pid);
  ProcTasks tasks(pid);
  for (int task = tasks.next(); task != 0; task = tasks.next()) {
    // "ran waited slices", in nanoseconds (Documentation/scheduler/sched-stats.rst of the kernel)
    const std::string times = tasks.text("schedstat"), children = tasks.text("children");
    std::string_view line = times, all = children;
    if (nanoseconds::rep ran = 0, waited = 0; take_number(line, ran) && take_number(line, waited))
      use.threads[{pid, task}] = {nanoseconds(ran), nanoseconds(waited)};
    for (int child = 0; take_number(all, child);) add_family(child, use, depth + 1);
  }
}

}  // namespace

ProcessorUse processor_use(std::span<const int> pids) {
  ProcessorUse use;
  for (const int pid : pids) add_family(pid, use, 0);
  return use;
}

double share_of_a_processor() {
  const auto used = [] {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
  };
  const auto before = used();
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::duration<double> wall{0};
  while (wall < std::chrono::milliseconds(330)) wall = std::chrono::steady_clock::now() - begin;
  return std::chrono::duration<double>(used() - before) / wall;
}

std::optional<Diagnostic> too_busy_to_judge(const Messages& what_was_slow) {
  constexpr double kMinOfOne = 0.1;
  if (share_of_a_processor() >= kMinOfOne) return std::nullopt;
  return Diagnostic{{}, msg::machine_too_busy(what_was_slow), msg::grade_when_less_busy(), true};
}

unsigned all_processors() {
  static const unsigned count = std::thread::hardware_concurrency();
  return count;
}

ProcessorShare between(const ProcessorUse& before, const ProcessorUse& after, nanoseconds wall,
                       unsigned processors) {
  ProcessorShare share{wall, std::max(after.ran - before.ran, nanoseconds{0}), {}};
  std::map<int, nanoseconds> longest;  // by process: waits of its threads overlap, so only the longest counts
  for (const auto& [id, now] : after.threads) {
    const auto then = before.threads.find(id);
    const ThreadUse since = then == before.threads.end() ? ThreadUse{} : then->second;
    const nanoseconds others = std::max(share.ran - (now.ran - since.ran), nanoseconds{0});
    nanoseconds& most = longest[id.first];
    most = std::max(most, now.waited - since.waited - others / std::max(processors, 1U));
  }
  for (const auto& [pid, waited] : longest) share.waited += waited;
  return share;
}

nanoseconds ProcessorShare::kept_from() const { return std::min(waited, wall); }

bool ProcessorShare::at_work() const { return starved() || ran * kMinShare >= wall; }

}  // namespace cudalabs
