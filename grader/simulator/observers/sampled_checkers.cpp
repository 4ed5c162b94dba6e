#include "grader/simulator/observers/sampled_checkers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "grader/simulator/observers/output_races.h"
#include "grader/simulator/program/sampled_blocks.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kMostParts = 8;      ///< of the grid: of each a block is drawn, beside the first and the last
constexpr u64 kBlocksOfPart = 64;  ///< at least: a block that is watched takes several times as long
constexpr u64 kMostEvents = 1u << 14;  ///< accesses, barriers and the like of one block; then it is let go

class SampledWorker : public WorkerObserver {
 public:
  SampledWorker(const std::vector<CheckerObserver*>& checkers, std::span<const DeviceRange> outputs,
                const LaunchInfo& launch, u64 draw)
      : checkers_(checkers),
        outputs_(outputs),
        launch_(launch),
        blocks_(launch.config.grid.count()),
        draw_(draw) {}

  /// A block, and who watches it: in the order of the checkers, null where one has nothing to look at.
  struct Watched {
    std::vector<std::unique_ptr<WorkerObserver>> workers;
    u64 events = 0;
    OutputUses outputs;
  };

  void resume_block(u64 block) override {
    current_ = nullptr;
    if (!is_sampled(block, blocks_, std::min(kMostParts, blocks_ / kBlocksOfPart), draw_)) return;
    const auto [at, fresh] = watched_.try_emplace(block);
    if (fresh) {
      for (const CheckerObserver* c : checkers_) at->second.workers.push_back(c->lone_worker(launch_));
    }
    if (at->second.events >= kMostEvents) return;
    current_ = &at->second;
    each([&](WorkerObserver& w) { w.resume_block(block); });
  }
  [[nodiscard]] bool watches() const override { return current_ != nullptr; }

  void access(const WarpAccess& a) override {
    if (current_ != nullptr) current_->outputs.access(a, outputs_);
    each([&](WorkerObserver& w) { w.access(a); });
  }
  [[nodiscard]] bool takes_shared_loads() const override {
    return std::all_of(current_->workers.begin(), current_->workers.end(),
                       [](const auto& w) { return !w || w->takes_shared_loads(); });
  }
  void shared_loads(const SharedLoads& loads) override {
    each([&](WorkerObserver& w) { w.shared_loads(loads); }, loads.loads.size());
  }
  void barrier(const BarrierOpening& opening) override {
    each([&](WorkerObserver& w) { w.barrier(opening); });
  }
  void warp_sync(const WarpSync& sync) override {
    each([&](WorkerObserver& w) { w.warp_sync(sync); });
  }
  void fence(u32 warp, u32 mask) override {
    if (current_ != nullptr) current_->outputs.fence();
    each([&](WorkerObserver& w) { w.fence(warp, mask); });
  }
  void mbarrier_arrive(u32 warp, u32 offset, bool completes) override {
    each([&](WorkerObserver& w) { w.mbarrier_arrive(warp, offset, completes); });
  }
  void mbarrier_pass(u32 warp, u32 offset) override {
    each([&](WorkerObserver& w) { w.mbarrier_pass(warp, offset); });
  }
  void exit_lanes(const Program& program, u32 instruction, u32 warp, u32 lanes) override {
    each([&](WorkerObserver& w) { w.exit_lanes(program, instruction, warp, lanes); });
  }
  void end_block() override {
    each([](WorkerObserver& w) { w.end_block(); });
    current_ = nullptr;
  }

  std::map<u64, Watched> watched_;

 private:
  template <class F>
  void each(F f, u64 events = 1) {
    if (current_ == nullptr) return;
    for (auto& w : current_->workers) {
      if (w) f(*w);
    }
    if ((current_->events += events) >= kMostEvents) current_ = nullptr;
  }

  const std::vector<CheckerObserver*>& checkers_;
  const std::span<const DeviceRange> outputs_;
  const LaunchInfo launch_;
  const u64 blocks_, draw_;
  Watched* current_ = nullptr;  ///< the running block; null: nobody looks at it, or no longer
};

class SamplingObserver : public LaunchObserver {
 public:
  SamplingObserver(std::vector<CheckerObserver*> checkers, CheckerObserver* races,
                   std::span<const DeviceRange> outputs, u64 draw)
      : checkers_(std::move(checkers)),
        races_(races),
        outputs_(outputs.begin(), outputs.end()),
        draw_(draw) {}

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    launch_ = launch;
    return std::make_unique<SampledWorker>(checkers_, outputs_, launch, draw_);
  }
  void merge(WorkerObserver& worker) override {
    for (auto& [block, watched] : static_cast<SampledWorker&>(worker).watched_) {
      for (std::size_t c = 0; c < checkers_.size(); ++c) {
        if (watched.workers[c]) checkers_[c]->merge(*watched.workers[c]);
      }
      uses_.emplace(block, std::move(watched.outputs));
    }
  }
  /// Blocks of a cooperative launch wait for each other.
  void finish() override {
    if (races_ == nullptr || !launch_ || launch_->config.cooperative) return;
    OutputRaces races(*launch_);
    for (const auto& [block, uses] : uses_) races.add(block, uses);
    races.finish(races_->found);
  }

 private:
  std::vector<CheckerObserver*> checkers_;
  CheckerObserver* races_;
  std::vector<DeviceRange> outputs_;
  std::optional<LaunchInfo> launch_;
  std::map<u64, OutputUses> uses_;  ///< by block
  u64 draw_;
};

}  // namespace

std::unique_ptr<LaunchObserver> make_sampling_observer(std::vector<CheckerObserver*> checkers,
                                                       CheckerObserver* races,
                                                       std::span<const DeviceRange> outputs, u64 launch) {
  return std::make_unique<SamplingObserver>(std::move(checkers), races, outputs, launch);
}

}  // namespace cudalabs::sim
