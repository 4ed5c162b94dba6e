#include "grader/cli/busy_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"
#include "grader/present/terminal/terminal_text.h"

namespace cudalabs::cli::busy_line {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::milliseconds kBetweenDrawings{500};

class Line {
 public:
  /// Never destroyed: its thread runs until the process ends.
  static Line& get() {
    static Line* const line = new Line;
    return *line;
  }

  void show(const Message& what) {
    if (!terminal_) return;
    const std::lock_guard lock(mutex_);
    erase();
    what_ = printable(rendered(what));
    begin_ = Clock::now();
    if (!std::exchange(started_, true)) std::thread([this] { draw_again_and_again(); }).detach();
    changed_.notify_one();
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    erase();
    what_.clear();
  }

  void make_room() {
    const std::lock_guard lock(mutex_);
    erase();
  }

 private:
  [[noreturn]] void draw_again_and_again() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (what_.empty())
        changed_.wait(lock);
      else
        changed_.wait_for(lock, kBetweenDrawings);
      if (!what_.empty() && Clock::now() - begin_ >= kPatience) draw();
    }
  }

  void draw() {
    const auto width = static_cast<std::size_t>(std::max(20, ConsoleStyle::for_descriptor(2).width)) - 1;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
    const std::string time = tr(": {} s", seconds);
    write("\r" + columns(what_, 0, width - std::min(width, display_width(time))) + time + "\x1b[K");
    shown_ = true;
  }

  void erase() {
    if (std::exchange(shown_, false)) write("\r\x1b[K");
  }

  static void write(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

  const bool terminal_ = ::isatty(STDERR_FILENO) != 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;  ///< empty: there is nothing to show
  Clock::time_point begin_;
  bool started_ = false, shown_ = false;
};

}  // namespace

void show(const Message& what) { Line::get().show(what); }
void stop() { Line::get().stop(); }
void make_room() { Line::get().make_room(); }

}  // namespace cudalabs::cli::busy_line
