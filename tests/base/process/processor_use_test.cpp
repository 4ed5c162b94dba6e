#include "grader/base/process/processor_use.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace std::chrono_literals;

namespace {

/// Child processes that spin on one processor together, or sleep.
class Children {
 public:
  Children(int count, bool spin) {
    for (int i = 0; i < count; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) {
        while (spin) (void)::sched_getcpu();
        for (;;) ::pause();
      }
      pids_.push_back(pid);
    }
  }
  ~Children() {
    for (const int pid : pids_) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  [[nodiscard]] const std::vector<int>& pids() const { return pids_; }

 private:
  std::vector<int> pids_;
};

ProcessorShare watched(std::span<const int> pids, std::chrono::nanoseconds wall) {
  const ProcessorUse before = processor_use(pids);
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(wall);
  return between(before, processor_use(pids), std::chrono::steady_clock::now() - begin);
}

}  // namespace

TEST_CASE("who sleeps was kept from nothing, and is not at work") {
  const Children sleeping(2, false);
  const ProcessorShare share = watched(sleeping.pids(), 200ms);
  CHECK_FALSE(share.at_work());
  CHECK_FALSE(share.starved());
  CHECK(share.idle_wall() > share.wall / 2);
}

TEST_CASE("who shares a processor with seven others stands in line for most of the time") {
  cpu_set_t mine, before;
  ::sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&mine);
  CPU_SET(::sched_getcpu(), &mine);
  ::sched_setaffinity(0, sizeof mine, &mine);  // all children inherit it
  const Children spinning(8, true);
  ::sched_setaffinity(0, sizeof before, &before);
  std::this_thread::sleep_for(100ms);  // until each has started
  const std::array one{spinning.pids().front()};
  const ProcessorShare share = watched(one, 800ms);
  INFO("ran " << share.ran.count() << " ns, waited " << share.waited.count() << " ns");
  CHECK(share.ran > 0ns);
  CHECK(share.at_work());
  CHECK(share.starved());
  ::sched_setaffinity(0, sizeof mine, &mine);
  CHECK(share_of_a_processor() < 0.5);
  ::sched_setaffinity(0, sizeof before, &before);
  CHECK(share.idle_wall() < share.wall / 2);
}

TEST_CASE("the time on an idle machine is told from what ran and what waited") {
  const auto idle = [](auto wall, auto ran, auto waited) {
    return ProcessorShare{wall, ran, waited}.idle_wall();
  };
  CHECK(idle(10s, 10s, 0s) == 10s);  // one thread that never waits
  CHECK(idle(10s, 1s, 9s) == 1s);    // one thread that nearly always waits
  CHECK(idle(10s, 20s, 0s) == 10s);  // two threads
  CHECK(idle(10s, 1s, 15s) == 0s);   // several processes that always wait
  CHECK(idle(10s, 0s, 0s) == 10s);   // asleep
  CHECK(idle(10s, 1s, 1s) == 9s);    // mostly asleep
  CHECK_FALSE(ProcessorShare{10s, 100ms, 0s}.at_work());
  CHECK(ProcessorShare{10s, 300ms, 0s}.at_work());
  CHECK(ProcessorShare{10s, 10ms, 9s}.at_work());
  // The times of a thread are lost when it ends.
  const ProcessorShare after_an_end = between({5s, {{{1, 1}, {5s, 5s}}}}, {1s, {}}, 10s);
  CHECK(after_an_end.ran == 0s);
  CHECK(after_an_end.waited == 0s);
}

TEST_CASE("threads that crowd a machine by themselves are kept from nothing") {
  const auto waited = [](std::map<std::pair<int, int>, ThreadUse> threads, unsigned processors) {
    std::chrono::nanoseconds ran{0};
    for (const auto& [id, use] : threads) ran += use.ran;
    return between({}, {ran, std::move(threads)}, 10s, processors).waited;
  };
  // Each of forty threads runs for a quarter of a second of ten, and waits for the others half of their time.
  std::map<std::pair<int, int>, ThreadUse> crowd;
  for (int thread = 0; thread < 40; ++thread) crowd[{1, thread}] = {250ms, 4800ms};
  CHECK(waited(crowd, 2) == 0s);
  CHECK(waited({{{1, 1}, {5s, 5s}}, {{1, 2}, {5s, 5s}}, {{1, 3}, {5s, 5s}}, {{1, 4}, {5s, 5s}}}, 2) == 0s);
  // Two workers and a client that wait for other processes.
  CHECK(waited({{{1, 1}, {1s, 8s}}, {{1, 2}, {1s, 8s}}, {{2, 2}, {0s, 1s}}}, 2) == 7500ms);
  CHECK(waited({{{1, 1}, {1s, 9s}}}, 2) == 9s);
}
