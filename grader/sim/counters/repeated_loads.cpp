#include "grader/sim/counters/repeated_loads.h"

#include <bit>
#include <map>
#include <vector>

#include "grader/sim/counters/last_loads.h"
#include "grader/sim/executable/sampled_blocks.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kBlocks = 8;  ///< examined, of a large grid

class RepeatedLoadsWorker : public WorkerObserver {
 public:
  RepeatedLoadsWorker(const LaunchConfig& config, std::uint64_t draw)
      : blocks_(config.grid.count()),
        warps_(static_cast<std::size_t>((config.block.count() + kLanes - 1) / kLanes)),
        draw_(draw) {}

  void resume_block(std::uint64_t block) override {
    current_ = nullptr;
    if (!is_drawn(block, blocks_, kBlocks, draw_)) return;
    block_ = block;
    current_ = &running_[block];
    current_->resize(warps_);
  }
  void end_block() override {
    if (current_ == nullptr) return;
    running_.erase(block_);
    current_ = nullptr;
  }
  [[nodiscard]] bool watches() const override { return current_ != nullptr; }

  void access(const WarpAccess& a) override {
    if (current_ == nullptr || a.kind != AccessKind::Load || a.form == AccessForm::Copy) return;
    LastLoads& last = (*current_)[a.warp];
    const auto all = static_cast<std::uint64_t>(std::popcount(a.mask));
    if (a.space == AccessSpace::Shared) {
      loads.shared_bytes += all * a.width;
      loads.shared_bytes_again += std::uint64_t{last.add(a.mask, a.offsets, a.spacing)} * a.width;
    } else if (a.space == AccessSpace::Global) {
      loads.global += all;
      loads.global_bytes += all * a.width;
      loads.global_bytes_again += std::uint64_t{last.add(a.mask, a.addresses, a.spacing)} * a.width;
    }
  }

  // Behind a barrier or a fence there may be another value: it must be loaded.
  void barrier(const BarrierOpening& opening) override {
    for (std::uint32_t warps = opening.warps; warps != 0; warps &= warps - 1)
      forget(static_cast<std::uint32_t>(std::countr_zero(warps)));
  }
  void warp_sync(const WarpSync& sync) override { forget(sync.warp); }
  void fence(std::uint32_t warp, bool /*within_block*/) override { forget(warp); }
  void mbarrier_pass(std::uint32_t warp, std::uint32_t /*offset*/) override { forget(warp); }

  RepeatedLoads loads;

 private:
  void forget(std::uint32_t warp) {
    if (current_ != nullptr) (*current_)[warp].forget();
  }

  const std::uint64_t blocks_;
  const std::size_t warps_;
  const std::uint64_t draw_;
  std::map<std::uint64_t, std::vector<LastLoads>> running_;  ///< by block, and warp
  std::uint64_t block_ = 0;
  std::vector<LastLoads>* current_ = nullptr;  ///< of the running block; null: it is not examined
};

}  // namespace

std::unique_ptr<WorkerObserver> RepeatedLoadsObserver::worker(const LaunchInfo& launch) {
  return std::make_unique<RepeatedLoadsWorker>(launch.config, draw_);
}

void RepeatedLoadsObserver::merge(WorkerObserver& worker) {
  const RepeatedLoads& more = static_cast<RepeatedLoadsWorker&>(worker).loads;
  loads_.shared_bytes += more.shared_bytes;
  loads_.shared_bytes_again += more.shared_bytes_again;
  loads_.global_bytes += more.global_bytes;
  loads_.global_bytes_again += more.global_bytes_again;
  loads_.global += more.global;
}

}  // namespace cudalabs::sim
