// Detects barriers that part of a block never reaches, and warp-wide calls with a wrong mask.

#include <bit>

#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/checkers/base/checker_worker.h"
#include "grader/sim/ptx/warp_forms.h"

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
    const auto form = ptx::warp_form_of(in);
    return form ? ptx::warp_forms()[*form].call : "warp-wide call";  // a matrix instruction
  }

  static std::string hex(u32 value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", value);
    return text;
  }

  [[nodiscard]] Finding finding(const Key& key, const Seen<Example>& seen) const {
    const auto& [misuse, where, other] = key;
    const Example& e = seen.example;
    const u32 lane = e.thread % kLanes, other_lane = e.other_thread % kLanes;
    const std::string mask = hex(e.members);
    Finding f;
    f.checker = Checker::Synccheck;
    f.kernel = launch_.program->kernel;
    f.count = seen.count;
    f.here = side(where, msg::did_call(), seen.block, e.thread);
    switch (misuse) {
      case Misuse::LeftBeforeBarrier:
        f.severity = Severity::Warning;  // devices since Volta do not wait for exited threads
        f.kind = "barrier not reached by all";
        f.message =
            msg::barrier_not_reached_by_all("__syncthreads()", e.reached, launch_.config.block.count());
        f.here.what = msg::did_wait();
        f.other = side(other, msg::did_leave(), seen.block, e.other_thread);
        f.advice = msg::advice_reach_every_barrier();
        break;
      case Misuse::NotInMask:
        f.kind = "not in its own mask";
        f.message = msg::lane_not_in_own_mask(lane, call_name(instruction(where)), mask);
        f.advice = msg::advice_mask_of_callers();
        break;
      case Misuse::LeftButNamed:
        f.severity = Severity::Warning;  // likewise
        f.kind = "mask names a lane that has left";
        f.message = msg::mask_names_exited_lane(mask, call_name(instruction(where)), other_lane);
        if (other != kNoSite) f.other = side(other, msg::did_leave(), seen.block, e.other_thread);
        f.advice = msg::advice_keep_lanes();
        break;
      case Misuse::MasksDiffer:
        f.kind = "masks differ";
        f.message = msg::masks_differ(lane, call_name(instruction(where)), mask, other_lane);
        f.advice = msg::advice_same_mask();
        break;
      case Misuse::Elsewhere:
        f.kind = "lanes of the mask are elsewhere";
        f.message = msg::mask_lanes_elsewhere(mask, call_name(instruction(where)));
        f.advice = msg::advice_reach_same_call();
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
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    return single_block_worker(launch);
  }
  [[nodiscard]] std::unique_ptr<WorkerObserver> single_block_worker(const LaunchInfo& launch) const override {
    return std::make_unique<SyncWorker>(launch);
  }
  void merge(WorkerObserver& worker) override { static_cast<SyncWorker&>(worker).finish(found); }
};

}  // namespace

std::unique_ptr<CheckerObserver> make_synccheck() { return std::make_unique<Synccheck>(); }

}  // namespace cudalabs::sim
