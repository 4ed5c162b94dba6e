#include "grader/sim/checkers/sync/synccheck.h"

#include <bit>

#include "grader/sim/checkers/base/checker_worker.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

enum class Misuse : std::uint8_t { LeftBeforeBarrier, NotInMask, LeftButNamed, MasksDiffer, Elsewhere };

struct Example {
  u32 thread = 0, other_thread = 0, members = 0;
  u32 reached = 0;  ///< LeftBeforeBarrier: threads that have not exited
};

class SyncWorker : public CheckerWorker {
 public:
  explicit SyncWorker(const LaunchInfo& launch) : CheckerWorker(launch) {}

  void resume_block(u64 block) override { block_ = block; }
  [[nodiscard]] bool takes_shared_loads() const override { return true; }
  void end_block() override { left_.erase(block_); }

  void exit_lanes(const Program& program, u32 instruction, u32 warp, u32 lanes) override {
    const u32 where = site(&program, instruction);
    left_[block_].push_back({warp, lanes, where});
  }

  void barrier(const BarrierOpening& opening) override {
    if (opening.counted) return;
    u32 gone = 0;
    for (const u32 lanes : opening.exited) gone += static_cast<u32>(std::popcount(lanes));
    if (gone == 0) return;
    u32 thread = ~u32{0}, where = kNoSite;
    for (const Left& l : left_[block_]) {
      const u32 lowest = l.warp * kLanes + static_cast<u32>(std::countr_zero(l.lanes));
      if (lowest >= thread) continue;
      thread = lowest;
      where = l.site;
    }
    const u32 here = opening.warp * kLanes + opening.lane;
    const auto threads = static_cast<u32>(launch_.config.block.count());
    seen_[{Misuse::LeftBeforeBarrier, site(opening.program, opening.instruction), where}].add(
        block_, here, {here, thread, 0, threads - gone});
  }

  void warp_sync(const WarpSync& s) override {
    const u32 where = site(s.program, s.instruction);
    const auto tell = [&](Misuse misuse, u32 lane, u32 other, u32 other_site) {
      seen_[{misuse, where, other_site}].add(
          block_, s.warp * kLanes + lane,
          {s.warp * kLanes + lane, s.warp * kLanes + other, s.members[lane], 0});
    };
    const auto leader = static_cast<u32>(std::countr_zero(s.mask));
    if (s.apart && instruction(where).op != ptx::Op::BarWarp) tell(Misuse::Elsewhere, leader, 0, kNoSite);
    bool usual = true;
    for (u32 left = s.mask; left != 0; left &= left - 1) {
      const u32 members = s.members[std::countr_zero(left)];
      usual =
          usual && members == s.members[leader] && (members & s.mask) == s.mask && (members & s.exited) == 0;
    }
    if (usual) return;
    for (u32 left = s.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      const u32 members = s.members[lane];
      if (((members >> lane) & 1) == 0) {
        tell(Misuse::NotInMask, lane, 0, kNoSite);
        continue;  // the other lanes in its mask are irrelevant then
      }
      if (const u32 gone = members & s.exited; gone != 0) {
        const auto other = static_cast<u32>(std::countr_zero(gone));
        u32 place = kNoSite;
        for (const Left& l : left_[block_]) {
          if (l.warp == s.warp && ((l.lanes >> other) & 1) != 0) place = l.site;
        }
        tell(Misuse::LeftButNamed, lane, other, place);
      }
      for (u32 rest = members & s.mask; rest != 0; rest &= rest - 1) {
        const auto other = static_cast<u32>(std::countr_zero(rest));
        // A lane that the other does not name has been reported already.
        if (s.members[other] == members || ((s.members[other] >> other) & 1) == 0) continue;
        tell(Misuse::MasksDiffer, lane, other, where);
        break;
      }
    }
  }

  void finish(FindingList& found) const {
    for (const auto& [key, seen] : seen_) found.add(finding(key, seen));
  }

 private:
  using Key = std::tuple<Misuse, u32, u32>;
  struct Left {
    u32 warp = 0, lanes = 0, site = 0;
  };

  static const char* call_name(const ptx::Instruction& in) {
    switch (in.op) {
      case ptx::Op::BarWarp: return "__syncwarp()";
      case ptx::Op::Shfl: return "__shfl_sync()";
      case ptx::Op::Match: return "__match_sync()";
      case ptx::Op::Redux: return "__reduce_sync()";
      case ptx::Op::Vote:
        return in.has(ptx::Mod::All)   ? "__all_sync()"
               : in.has(ptx::Mod::Any) ? "__any_sync()"
                                       : "__ballot_sync()";
      default: return "warp-wide call";
    }
  }

  static std::string hex(u32 value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", value);
    return text;
  }

  [[nodiscard]] Finding finding(const Key& key, const Seen<Example>& seen) const {
    const auto& [misuse, where, other] = key;
    const Example& e = seen.example;
    const std::string call =
        misuse == Misuse::LeftBeforeBarrier ? "__syncthreads()" : call_name(instruction(where));
    const std::string lane = "lane " + std::to_string(e.thread % kLanes),
                      other_lane = "lane " + std::to_string(e.other_thread % kLanes);
    Finding f;
    f.checker = Checker::Synccheck;
    f.kernel = launch_.program->kernel;
    f.count = seen.count;
    f.here = side(where, "called", seen.block, e.thread);
    switch (misuse) {
      case Misuse::LeftBeforeBarrier: {
        const auto threads = static_cast<u32>(launch_.config.block.count());
        f.severity = Severity::Warning;  // devices since Volta do not wait for exited threads
        f.kind = kMissedBarrier;
        f.message = call + " is reached by " + std::to_string(e.reached) + " of the block's " +
                    std::to_string(threads) + " threads only: the others have left the kernel";
        f.here.what = "waited for";
        f.other = side(other, "left", seen.block, e.other_thread);
        f.advice =
            "Let all threads of the block reach every __syncthreads(): it must stand outside of an if that "
            "only some of them enter, and none may return before it.";
        break;
      }
      case Misuse::NotInMask:
        f.kind = "not in its own mask";
        f.message = lane + " calls " + call + " with mask " + hex(e.members) + ", which does not name it";
        f.advice =
            "A mask must name exactly the lanes that make the call; compute it with __ballot_sync() before "
            "the branch.";
        break;
      case Misuse::LeftButNamed:
        f.severity = Severity::Warning;  // likewise
        f.kind = "mask names a lane that has left";
        f.message = "the mask " + hex(e.members) + " of " + call + " names " + other_lane +
                    ", which has left the kernel";
        if (other != kNoSite) f.other = side(other, "left", seen.block, e.other_thread);
        f.advice =
            "Keep all lanes until the last warp-wide call, which stands outside of an if that only some "
            "enter, or leave those that return out of the mask.";
        break;
      case Misuse::MasksDiffer:
        f.kind = "masks differ";
        f.message = lane + " calls " + call + " with mask " + hex(e.members) + ", but " + other_lane +
                    ", which it names, gives another";
        f.advice = "All lanes that a mask names must give the same mask.";
        break;
      case Misuse::Elsewhere:
        f.kind = "lanes of the mask are elsewhere";
        f.message =
            "lanes that the mask " + hex(e.members) + " of " + call + " names wait at another warp-wide call";
        f.advice = "Every lane named in the mask must reach the same call: move it out of the if.";
        break;
    }
    return f;
  }

  u64 block_ = 0;
  std::unordered_map<u64, std::vector<Left>> left_;  ///< by block: which threads exited where
  std::map<Key, Seen<Example>> seen_;
};

class Synccheck : public CheckerObserver {
 public:
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override { return lone_worker(launch); }
  [[nodiscard]] std::unique_ptr<WorkerObserver> lone_worker(const LaunchInfo& launch) const override {
    return std::make_unique<SyncWorker>(launch);
  }
  void merge(WorkerObserver& worker) override { static_cast<SyncWorker&>(worker).finish(found); }
};

}  // namespace

std::unique_ptr<CheckerObserver> make_synccheck() { return std::make_unique<Synccheck>(); }

}  // namespace cudalabs::sim
