#include "grader/cli/interrupt.h"

#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace cudalabs::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free, "written by a signal handler");

void on_signal(int signal) {
  received.store(signal);
  interrupted.store(true);
}

/// Direct children of this process, from /proc.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream file(task.path() / "children");
    for (pid_t pid = 0; file >> pid;) found.push_back(pid);
  }
  return found;
}

/// Kills the children until the main thread has unwound: when a child that it waits for dies, the wait ends.
void watch() {
  using namespace std::chrono_literals;
  constexpr int kPatience = 200;  // rounds of 50 ms; after 10 s the hang is not caused by a child
  while (!interrupted.load()) std::this_thread::sleep_for(50ms);
  for (int round = 0; round < kPatience; ++round) {
    // Stops all children first, so that no program continues after its device has been killed.
    for (const int signal : {SIGSTOP, SIGKILL}) {
      for (const pid_t pid : children()) ::kill(pid, signal);
    }
    std::this_thread::sleep_for(50ms);
  }
  ::_exit(128 + received.load());
}

}  // namespace

Interrupt::Interrupt() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  std::thread(watch).detach();
}

Interrupt::~Interrupt() {
  const int signal = received.load();
  if (signal == 0) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

const std::atomic<bool>* Interrupt::flag() const { return &interrupted; }

}  // namespace cudalabs::cli
