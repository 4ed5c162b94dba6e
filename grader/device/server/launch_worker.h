#pragma once
// Runs launches on a separate thread, so that the device process can answer its grader while a kernel runs.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "grader/device/server/client_session.h"

namespace cudalabs {

class LaunchWorker {
 public:
  LaunchWorker();
  ~LaunchWorker();  ///< cancels a running launch and waits for it
  LaunchWorker(const LaunchWorker&) = delete;
  LaunchWorker& operator=(const LaunchWorker&) = delete;

  /// Runs the session's accepted launch; nothing else may use the device until collect() or stop().
  void start(ClientSession& session);
  [[nodiscard]] bool busy() const { return busy_; }
  /// Becomes readable when the launch is done.
  [[nodiscard]] int done_descriptor() const { return done_; }
  /// Marks the launch as collected; waits if it is not done.
  void collect();
  /// Cancels the running launch, if there is one, and waits for its end.
  void stop();

 private:
  void loop();

  int done_;
  bool busy_ = false;  ///< seen from the owner: started and not collected
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  ClientSession* job_ = nullptr;
  bool finished_ = true;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace cudalabs
