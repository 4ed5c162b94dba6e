#include "grader/sim/checkers/sampled_checkers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/sim/checkers/race/block_races.h"
#include "grader/sim/executable/sampled_blocks.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kMaxParts = 8;          ///< of the grid: a block is sampled from each, beside first and last
constexpr u64 kBlocksOfPart = 64;     ///< at least: watching takes several times as long
constexpr u64 kMaxEvents = 1u << 14;  ///< accesses, barriers etc. of a block; then watching stops

class SampledWorker : public WorkerObserver {
 public:
  SampledWorker(const std::vector<CheckerObserver*>& checkers, std::unique_ptr<BlockRaces> races,
                const LaunchInfo& launch, u64 draw)
      : races(std::move(races)),
        checkers_(checkers),
        launch_(launch),
        blocks_(launch.config.grid.count()),
        draw_(draw) {}

  /// A block and its workers, in the order of the checkers; null for a checker that has nothing to check.
  struct Watched {
    std::vector<std::unique_ptr<WorkerObserver>> workers;
    u64 events = 0;
  };

  void resume_block(u64 block) override {
    current_ = nullptr;
    if (races) races->resume_block(block);
    if (!is_sampled(block, blocks_, std::min(kMaxParts, blocks_ / kBlocksOfPart), draw_)) return;
    const auto [at, fresh] = watched.try_emplace(block);
    if (fresh) {
      for (const CheckerObserver* c : checkers_)
        at->second.workers.push_back(c->single_block_worker(launch_));
    }
    if (at->second.events >= kMaxEvents) return;
    current_ = &at->second;
    each([&](WorkerObserver& w) { w.resume_block(block); });
  }
  [[nodiscard]] bool watches() const override { return current_ != nullptr || (races && races->watches()); }
  [[nodiscard]] bool only_global() const override { return current_ == nullptr; }

  [[nodiscard]] std::span<const DeviceRange> unflushed_loads() const override {
    return current_ == nullptr && races ? races->unflushed_loads() : std::span<const DeviceRange>();
  }

  void access(const WarpAccess& a) override {
    if (races) races->access(a);
    each([&](WorkerObserver& w) { w.access(a); });
  }
  [[nodiscard]] bool takes_shared_loads() const override {
    if (current_ == nullptr) return true;
    return std::all_of(current_->workers.begin(), current_->workers.end(),
                       [](const auto& w) { return !w || w->takes_shared_loads(); });
  }
  void shared_loads(const SharedLoads& loads) override {
    if (current_ == nullptr) return;
    // The number of checked loads must not depend on how many of them are reported at a time.
    SharedLoads seen = loads;
    seen.loads = loads.loads.first(std::min<std::size_t>(loads.loads.size(), kMaxEvents - current_->events));
    each([&](WorkerObserver& w) { w.shared_loads(seen); }, seen.loads.size());
  }
  void copy_landed(const WarpAccess& a) override {
    each([&](WorkerObserver& w) { w.copy_landed(a); });
  }
  void barrier(const BarrierOpening& opening) override {
    each([&](WorkerObserver& w) { w.barrier(opening); });
  }
  void barrier_arrive(u32 warp, u32 id) override {
    each([&](WorkerObserver& w) { w.barrier_arrive(warp, id); });
  }
  void warp_sync(const WarpSync& sync) override {
    each([&](WorkerObserver& w) { w.warp_sync(sync); });
  }
  void fence(u32 warp, bool within_block) override {
    each([&](WorkerObserver& w) { w.fence(warp, within_block); });
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
    if (races) races->end_block();
    each([](WorkerObserver& w) { w.end_block(); });
    current_ = nullptr;
  }

  std::map<u64, Watched> watched;
  const std::unique_ptr<BlockRaces> races;  ///< null: not requested

 private:
  template <class F>
  void each(F f, u64 events = 1) {
    if (current_ == nullptr) return;
    for (auto& w : current_->workers) {
      if (w) f(*w);
    }
    if ((current_->events += events) >= kMaxEvents) current_ = nullptr;
  }

  const std::vector<CheckerObserver*>& checkers_;
  const LaunchInfo launch_;
  const u64 blocks_, draw_;
  Watched* current_ = nullptr;  ///< the running block; null: it is not watched, or no longer
};

class SamplingObserver : public LaunchObserver {
 public:
  SamplingObserver(std::vector<CheckerObserver*> checkers, CheckerObserver* races,
                   std::span<const DeviceRange> inputs, u64 draw)
      : checkers_(std::move(checkers)), races_(races), inputs_(inputs.begin(), inputs.end()), draw_(draw) {}

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    auto races = races_ != nullptr ? std::make_unique<BlockRaces>(launch, inputs_) : nullptr;
    if (races && !of_all_) of_all_ = std::make_unique<BlockRaces>(launch, inputs_);
    return std::make_unique<SampledWorker>(checkers_, std::move(races), launch, draw_);
  }
  void merge(WorkerObserver& worker) override {
    auto& sampled = static_cast<SampledWorker&>(worker);
    for (auto& [block, watched] : sampled.watched) {
      for (std::size_t c = 0; c < checkers_.size(); ++c) {
        if (watched.workers[c]) checkers_[c]->merge(*watched.workers[c]);
      }
    }
    if (sampled.races) of_all_->join(*sampled.races);
  }
  void finish() override {
    if (of_all_) of_all_->finish(races_->found);
  }

 private:
  std::vector<CheckerObserver*> checkers_;
  CheckerObserver* races_;
  std::vector<DeviceRange> inputs_;
  std::unique_ptr<BlockRaces> of_all_;
  u64 draw_;
};

}  // namespace

std::unique_ptr<LaunchObserver> make_sampling_observer(std::vector<CheckerObserver*> checkers,
                                                       CheckerObserver* races,
                                                       std::span<const DeviceRange> inputs, u64 launch) {
  return std::make_unique<SamplingObserver>(std::move(checkers), races, inputs, launch);
}

}  // namespace cudalabs::sim
