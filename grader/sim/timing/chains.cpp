#include "grader/sim/timing/chains.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "grader/sim/executable/program.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Measured on an H200 (bench/estimate/kernels/hand_over.cuh), in clocks.
constexpr u64 kHandOver = 1300;  // from a store until the polling warp sees it and executes the guarded work
constexpr u64 kFence = 280;      // each fence that a warp of the chain passes

/// Programs with more stores are only followed up to this many.
constexpr std::size_t kMaxStores = std::size_t{1} << 20;

/// The waiting time of a warp since the launch began.
struct Depth {
  u64 waited = 0;  ///< until its last wait
  u64 fenced = 0;  ///< fences since then
  [[nodiscard]] u64 all() const { return waited + fenced; }
};
Depth later(const Depth& a, const Depth& b) { return a.all() < b.all() ? b : a; }
using Depths = std::array<Depth, 32>;

/// The release history of a word. A warp that waits for a value need not have waited for every store until it
/// looks: others may have gone round again by then, or may have published more than it needs. So the stores
/// are divided into rounds, in each of which every warp stores at most once.
class Word {
 public:
  /// `adds`: others may have added before, and waiting for a sum means waiting for all its parts.
  void store(u64 warp, Depth depth, bool adds) {
    sum_ = adds;
    if (adds) depth = later(depth, last());
    Touch& touch = touches_[warp];
    if (rounds_.empty() || touch.stored == rounds_.size()) rounds_.push_back({});
    rounds_.back().depth = depth;
    touch = {rounds_.size(), rounds_.size() - 1, ++rounds_.back().stores};
  }
  [[nodiscard]] Depth last() const { return rounds_.empty() ? Depth{} : rounds_.back().depth; }
  /// The depth of a warp that has waited for the word: the first round with a store since the warp's last
  /// store or look. In a decoupled look-back, a block publishes its own part early and its prefix later, so
  /// the next block goes back until it finds a published prefix. If reading and publishing are steps of the
  /// same length, block b has its prefix after sqrt(2 b) of them.
  u64 look(u64 warp) {
    Touch& touch = touches_[warp];
    std::size_t round = touch.round;
    if (touch.stores == rounds_[round].stores && round + 1 < rounds_.size()) ++round;
    touch.round = rounds_.size() - 1;
    touch.stores = rounds_.back().stores;
    const u64 from = rounds_[round].depth.all();
    const Depth end = last();
    if (sum_ || end.all() <= from) return from + kHandOver;
    return end.waited +
           (end.fenced + kHandOver) * kHandOver / (std::max(end.waited, from) - from + kHandOver);
  }

 private:
  struct Round {
    Depth depth;
    u64 stores = 0;
  };
  struct Touch {
    std::size_t stored = 0;  ///< 1 + the round of its last store; 0: none
    std::size_t round = 0;   ///< the newest at the warp's last store or look ...
    u64 stores = 0;          ///< ... and its number of stores then
  };
  bool sum_ = false;
  std::vector<Round> rounds_;
  std::unordered_map<u64, Touch> touches_;  ///< by warp of the launch
};

class ChainWorker : public WorkerObserver {
 public:
  explicit ChainWorker(bool waits) : waits_(waits) {}

  [[nodiscard]] bool watches() const override { return waits_; }
  [[nodiscard]] bool only_global() const override { return true; }
  void resume_block(u64 block) override {
    block_ = block;
    depths_ = &blocks_[block];
  }
  void end_block() override {
    longest = std::max(longest, deepest().all());
    blocks_.erase(block_);
  }
  void barrier(const BarrierOpening&) override { depths_->fill(deepest()); }
  void fence(u32 warp, bool within_block) override {
    Depth& depth = (*depths_)[warp];
    if (depth.waited > 0 && !within_block) depth.fenced += kFence;
  }

  void access(const WarpAccess& a) override {
    if (a.space != AccessSpace::Global) return;
    const u32 at = a.program->source[a.instruction];
    const ptx::Instruction& in = a.program->function->body[at];
    if (!a.program->polls.empty() && a.program->polls[at])
      poll(a, in);
    else if (a.kind == AccessKind::Atomic || (a.kind == AccessKind::Store && ptx::is_strong(in)))
      store(a, in);
  }

  u64 longest = 0;

 private:
  /// A failed attempt to take a lock changes nothing: polls are not stores.
  void poll(const WarpAccess& a, const ptx::Instruction& in) {
    Depth& depth = (*depths_)[a.warp];
    const bool takes = in.has(ptx::Mod::Cas) || in.has(ptx::Mod::Exch);
    for (u32 left = a.mask; left != 0; left &= left - 1) {
      const auto it = words_.find(a.addresses[std::countr_zero(left)]);
      if (it != words_.end())
        depth = later(depth, {takes ? it->second.last().all() + kHandOver : it->second.look(warp(a)), 0});
    }
  }

  void store(const WarpAccess& a, const ptx::Instruction& in) {
    const Depth depth = (*depths_)[a.warp];
    if (stores_ >= kMaxStores) waits_ = false;
    for (u32 left = a.mask; left != 0; left &= left - 1) {
      ++stores_;
      words_[a.addresses[std::countr_zero(left)]].store(
          warp(a), depth, a.kind == AccessKind::Atomic && !in.has(ptx::Mod::Exch));
    }
  }

  [[nodiscard]] Depth deepest() const {
    return *std::ranges::max_element(*depths_, {}, [](const Depth& depth) { return depth.all(); });
  }
  [[nodiscard]] u64 warp(const WarpAccess& a) const { return block_ * 32 + a.warp; }

  bool waits_;
  std::size_t stores_ = 0;
  u64 block_ = 0;
  Depths* depths_ = nullptr;
  std::unordered_map<u64, Depths> blocks_;  ///< blocks that have begun and not ended
  std::unordered_map<u64, Word> words_;     ///< by address
};

}  // namespace

std::unique_ptr<WorkerObserver> ChainObserver::worker(const LaunchInfo& launch) {
  return std::make_unique<ChainWorker>(launch.program->waits);
}

void ChainObserver::merge(WorkerObserver& worker) {
  longest_ = std::max(longest_, static_cast<ChainWorker&>(worker).longest);
}

}  // namespace cudalabs::sim
