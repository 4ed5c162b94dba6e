#include "grader/device/backends/simulator/launch_progress.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace cudalabs {
namespace {

class BlockCounter : public sim::WorkerObserver {
 public:
  BlockCounter(LaunchBoard& board, std::uint64_t step) : board_(board), step_(step) {}
  [[nodiscard]] bool every_access() const override { return false; }
  void end_block() override {
    if (++not_reported_ < step_) return;
    board_.blocks_done.fetch_add(std::exchange(not_reported_, 0), std::memory_order_relaxed);
  }

 private:
  LaunchBoard& board_;
  std::uint64_t step_, not_reported_ = 0;
};

}  // namespace

LaunchProgress::LaunchProgress(LaunchBoard* board, const std::string& kernel, std::uint64_t blocks)
    : board_(board) {
  if (board_ == nullptr) return;
  const std::size_t length = std::min(kernel.size(), LaunchBoard::kNameBytes - 1);
  std::memcpy(board_->kernel, kernel.data(), length);
  board_->kernel[length] = '\0';
  board_->launch += 1;
  board_->blocks = blocks;
  board_->blocks_done = 0;
  board_->began_ns = std::chrono::steady_clock::now().time_since_epoch().count();
  board_->running = 1;
}

LaunchProgress::~LaunchProgress() {
  if (board_ == nullptr) return;
  board_->running = 0;
  // The program must find its terminal as it left it, so wait for the grader; but not for one that hangs.
  constexpr std::chrono::milliseconds kRound{1};
  for (int round = 0; board_->shown != 0 && round < 1000; ++round) std::this_thread::sleep_for(kRound);
}

std::unique_ptr<sim::WorkerObserver> LaunchProgress::worker(const sim::LaunchInfo& launch) {
  // With many blocks not each is counted by itself: workers with short blocks would wait for one another.
  const std::uint64_t step = std::clamp<std::uint64_t>(launch.config.grid.count() / 256, 1, 64);
  return std::make_unique<BlockCounter>(*board_, step);
}

}  // namespace cudalabs
