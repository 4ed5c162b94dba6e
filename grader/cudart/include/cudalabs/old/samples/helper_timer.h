#pragma once
// The timers of NVIDIA's samples, in milliseconds of the host's clock.

#include <chrono>

class StopWatchInterface {
 public:
  void start() {
    begin_ = std::chrono::steady_clock::now();
    running_ = true;
  }
  void stop() {
    if (!running_) return;
    last_ = since();
    total_ += last_;
    ++sessions_;
    running_ = false;
  }
  void reset() {
    total_ = last_ = 0;
    sessions_ = 0;
    if (running_) start();
  }
  float getTime() { return static_cast<float>(running_ ? total_ + since() : total_); }
  float getAverageTime() { return sessions_ > 0 ? static_cast<float>(total_ / sessions_) : 0.0f; }

 private:
  double since() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }
  std::chrono::steady_clock::time_point begin_;
  double total_ = 0, last_ = 0;
  int sessions_ = 0;
  bool running_ = false;
};

static inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
static inline bool sdkStartTimer(StopWatchInterface** timer) { return (*timer)->start(), true; }
static inline bool sdkStopTimer(StopWatchInterface** timer) { return (*timer)->stop(), true; }
static inline bool sdkResetTimer(StopWatchInterface** timer) { return (*timer)->reset(), true; }
static inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
static inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->getAverageTime(); }
