#include "grader/cli/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/base/human.h"
#include "grader/cli/print.h"
#include "grader/diagnostics/language.h"
#include "grader/present/layout.h"
#include "grader/present/terminal/terminal_text.h"

namespace cudalabs::cli {
namespace {

constexpr double kPatience = 2;  // seconds before the first line
constexpr std::chrono::milliseconds kBetweenDrawings{200};

/// "45 s left", "1 min 22 s left", "3 h 5 min left"
std::string time_left(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::min(seconds, 3.6e8)));
  if (whole < 60) return tr("{} s left", whole);
  if (whole < 3600) return tr("{} min {} s left", whole / 60, whole % 60);
  return tr("{} h {} min left", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_text(const SeenLaunch& launch) {
  std::string text = tr("launch {}, {}: {} of {} blocks", launch.number, printable(launch.kernel),
                        human_count(launch.done), human_count(launch.blocks));
  if (launch.done == 0 || launch.seconds <= 0) return text;
  const double rate = static_cast<double>(launch.done) / launch.seconds;
  text += ", " + tr("{} a second", human_factor(rate));
  const std::uint64_t left = launch.blocks - std::min(launch.done, launch.blocks);
  return text + ", " + time_left(static_cast<double>(left) / rate);
}

void ProgressLine::look(LaunchBoard& board) {
  if (board.running == 0) {
    running_.reset();
    take_away();
    board.shown = 0;
    return;
  }
  SeenLaunch seen;
  seen.number = board.launch;
  seen.done = board.blocks_done;
  seen.blocks = board.blocks;
  seen.kernel.assign(board.kernel, std::find(board.kernel, board.kernel + LaunchBoard::kNameBytes, '\0'));
  seen.kernel = seen.kernel.substr(0, seen.kernel.find('('));
  const auto now = std::chrono::steady_clock::now();
  seen.seconds = static_cast<double>(now.time_since_epoch().count() - board.began_ns) / 1e9;
  if (board.running == 0 || board.launch != seen.number) return;  // values of two launches
  running_ = seen;
  if (!terminal_ || seen.seconds < kPatience || now - drawn_ < kBetweenDrawings) return;
  // Sets the flag and then checks again: either this thread sees that the launch has ended, or the launch's
  // thread sees that the line is shown.
  board.shown = 1;
  if (board.running == 0) return;
  drawn_ = now;
  show(seen);
}

void ProgressLine::show(const SeenLaunch& launch) {
  const auto width = static_cast<std::size_t>(std::max(20, ConsoleStyle::for_descriptor(2).width)) - 1;
  write_err("\r" + columns(progress_text(launch), 0, width) + "\x1b[K");
  shown_ = true;
}

void ProgressLine::take_away() {
  if (shown_) write_err("\r\x1b[K");
  shown_ = false;
}

}  // namespace cudalabs::cli
