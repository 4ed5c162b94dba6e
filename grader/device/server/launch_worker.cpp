#include "grader/device/server/launch_worker.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace cudalabs {

LaunchWorker::LaunchWorker() : done_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

LaunchWorker::~LaunchWorker() {
  stop();
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (done_ >= 0) close(done_);
}

void LaunchWorker::start(ClientSession& session) {
  cancel_ = false;
  {
    const std::lock_guard lock(mutex_);
    job_ = &session;
    finished_ = false;
  }
  busy_ = true;
  // Started here and not earlier: a thread keeps the rights with which it started, and the process drops
  // some.
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  changed_.notify_all();
}

void LaunchWorker::collect() {
  if (!busy_) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return finished_; });
  busy_ = false;
  eventfd_t count = 0;
  eventfd_read(done_, &count);
}

void LaunchWorker::stop() {
  if (!busy_) return;
  cancel_ = true;
  collect();
}

void LaunchWorker::loop() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return quit_ || job_ != nullptr; });
    if (job_ == nullptr) return;
    ClientSession* job = job_;
    job_ = nullptr;
    lock.unlock();
    job->run_launch(&cancel_);
    lock.lock();
    finished_ = true;
    changed_.notify_all();
    eventfd_write(done_, 1);
  }
}

}  // namespace cudalabs
