#include "grader/sim/timing/trace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "grader/sim/counters/banks.h"
#include "grader/sim/executable/atomic_access.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/executable/sampled_blocks.h"
#include "grader/sim/ptx/rules.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kTracedBlocks = 4;
constexpr double kSteps = 131072;                        // for the warps of a full multiprocessor
constexpr double kFewestSteps = 1024, kMaxSteps = 8192;  // for each warp

/// Passes of shared memory and of sectors.
double passes_of(const TracedBlock& block) {
  auto passes = static_cast<double>(block.passes);
  for (const TracedLine& line : block.lines) passes += std::popcount(line.sectors);
  return passes;
}

/// For the shared-memory accesses of a block, by kind and wavefronts: one represents all equal ones.
class AlikeAccesses {
 public:
  AlikeAccesses() { forget(); }
  void forget() {
    for (auto& of_kind : at_) of_kind.fill(TracedStep::kNoAccess);
  }
  std::uint32_t put(const TracedAccess& access, std::vector<TracedAccess>& accesses) {
    std::uint32_t rare = TracedStep::kNoAccess;
    auto& of_kind = at_[static_cast<std::size_t>(access.kind)];
    std::uint32_t& at = access.wavefronts < of_kind.size() ? of_kind[access.wavefronts] : rare;
    if (at == TracedStep::kNoAccess) {
      at = static_cast<std::uint32_t>(accesses.size());
      accesses.push_back(access);
    }
    return at;
  }

 private:
  std::array<std::array<std::uint32_t, kLanes + 1>, 3> at_;
};

class TraceWorker : public WorkerObserver {
 public:
  TraceWorker(const DeviceProfile& profile, const LaunchInfo& launch, std::uint64_t blocks,
              std::uint64_t draw, bool dearest)
      : profile_(profile),
        blocks_(blocks),
        threads_(static_cast<std::uint32_t>(launch.config.block.count())),
        warps_((threads_ + kLanes - 1) / kLanes),
        most_(steps_of_warp()),
        draw_(draw),
        dearest_(dearest) {}

  // A resumed block is no longer traced: how often that happens depends on the workers.
  void resume_block(std::uint64_t block) override {
    close();
    const bool always = is_sampled(block, blocks_, kTracedBlocks);
    if (!always && (draw_ == 0 || !is_sampled(block, blocks_, kTracedBlocks, draw_))) return;
    if (std::find(seen_.begin(), seen_.end(), block) != seen_.end()) return;
    seen_.push_back(block);
    sample_ = always ? 0 : 1;
    now_.block = block;
    now_.warps.assign(warps_, {});
    if (dearest_) windows_.assign(warps_, {});
    looking_ = true;
    cut_ = 0;
    ended_ = 0;
    lanes_left_.clear();
    for (std::uint32_t w = 0; w < warps_; ++w) lanes_left_.push_back(std::min(kLanes, threads_ - w * kLanes));
    function_ = nullptr;
    alike_.forget();
  }
  void end_block() override {
    now_.whole = cut_ == 0 && !dearest_;
    close();
  }
  [[nodiscard]] bool watches() const override { return looking_; }
  [[nodiscard]] bool every_access() const override { return looking_; }
  [[nodiscard]] bool every_step() const override { return looking_; }

  void step(const WarpStep& step) override {
    if (!looking_) return;
    if (step.program != function_) meet(*step.program);
    copied_ = 0;  // a copy of only zeros has no global half
    if (dearest_) {
      Window& window = windows_[step.warp];
      if (window.steps().size() >= most_) window.end();
      window.steps().push_back({step.program, step.program->source[step.instruction], TracedStep::kNoAccess});
      return;
    }
    auto& steps = now_.warps[step.warp];
    if (steps.size() >= most_) {
      // One step more is admitted for each warp, to know that there are more.
      if (steps.size() > most_) return;
      steps.push_back({});
      ++cut_;
      look_on();
      return;
    }
    steps.push_back({step.program, step.program->source[step.instruction], TracedStep::kNoAccess});
  }

  void exit_lanes(const Program& /*program*/, std::uint32_t /*instruction*/, std::uint32_t warp,
                  std::uint32_t lanes) override {
    if (!looking_) return;
    lanes_left_[warp] -= static_cast<std::uint32_t>(std::popcount(lanes));
    if (lanes_left_[warp] > 0 || now_.warps[warp].size() > most_) return;
    ++ended_;
    look_on();
  }

  void access(const WarpAccess& a) override {
    if (!looking_) return;
    to_ = dearest_ ? &windows_[a.warp].current : &now_;
    auto& steps = to_->warps[dearest_ ? 0 : a.warp];
    if (steps.empty() || steps.size() > most_) return;
    TracedStep& step = steps.back();
    if (step.program != a.program || step.instruction != a.program->source[a.instruction]) return;
    if (a.form == AccessForm::Copy) {
      copied_ = wavefronts(a);
      if (step.access != TracedStep::kNoAccess) {
        std::uint16_t& known = to_->accesses[step.access].copied;
        to_->passes -= known;
        to_->passes += copied_;
        known = std::exchange(copied_, 0);
      }
      return;
    }
    if (step.access != TracedStep::kNoAccess && is_reported_in_parts(a)) {
      TracedAccess& known = to_->accesses[step.access];
      if (known.space == a.space && known.first_line + known.lines == to_->lines.size()) {
        to_->sectors -= sectors_from(known.first_line);
        add_lines(a, known.first_line);
        to_->sectors += sectors_from(known.first_line);
        known.lines = static_cast<std::uint32_t>(to_->lines.size()) - known.first_line;
        return;
      }
    }
    TracedAccess access;
    access.kind = a.kind;
    access.space = a.space;
    if (a.space == AccessSpace::Shared) {
      access.wavefronts = wavefronts(a);
      access.loops = a.kind == AccessKind::Atomic && atomic_form(a).kind == AtomicForm::Kind::Loop;
      to_->passes += access.wavefronts;
      if (!access.loops) {
        to_->wavefronts += access.wavefronts;
        step.access = (dearest_ ? windows_[a.warp].alike : alike_).put(access, to_->accesses);
        return;
      }
      access.word = a.offsets[std::countr_zero(a.mask)] / 4;
    }
    step.access = static_cast<std::uint32_t>(to_->accesses.size());
    access.copied = std::exchange(copied_, 0);
    to_->passes += access.copied;
    access.first_line = static_cast<std::uint32_t>(to_->lines.size());
    if (a.space == AccessSpace::Constant) to_->passes += access.wavefronts = places(a);
    if (a.space == AccessSpace::Global) {
      add_lines(a);
      to_->sectors += sectors_from(access.first_line);
    }
    if (a.space == AccessSpace::Local) add_local(a);
    access.lines = static_cast<std::uint32_t>(to_->lines.size()) - access.first_line;
    to_->accesses.push_back(access);
  }

  void close() {
    if (!now_.warps.empty()) {
      for (std::uint32_t warp = 0; dearest_ && warp < warps_; ++warp) {
        windows_[warp].end();
        append(windows_[warp].best, warp);
      }
      now_.cut = cut_ > 0;
      for (auto& steps : now_.warps) steps.resize(std::min<std::size_t>(steps.size(), most_));
      samples[sample_].push_back(std::move(now_));
    }
    now_ = {};
    looking_ = false;
  }

  std::array<std::vector<TracedBlock>, 2> samples;

 private:
  /// The window of one warp; a block has a single window for each warp.
  struct Window {
    TracedBlock current{0, {{}}, {}, {}, {}, 0, 0, 0, false, false}, best = current;
    AlikeAccesses alike;  ///< of `current`
    double dearest = -1;  ///< passes for each step of `best`

    [[nodiscard]] std::vector<TracedStep>& steps() { return current.warps[0]; }
    void end() {
      const auto count = static_cast<double>(steps().size());
      // The remainder at the end may be tiny.
      const double passes =
          passes_of(current) / std::max({count, static_cast<double>(best.warps[0].size()) / 2, 1.0});
      if (passes > dearest) {
        dearest = passes;
        std::swap(best, current);
      }
      steps().clear();
      current.accesses.clear();
      alike.forget();
      current.lines.clear();
      current.passes = current.wavefronts = current.sectors = 0;
    }
  };

  /// Traces as long as some warp has not enough steps.
  void look_on() { looking_ = cut_ + ended_ < warps_; }

  void meet(const Program& function) {
    function_ = &function;
    if (std::ranges::find(now_.functions, function_) == now_.functions.end())
      now_.functions.push_back(function_);
  }

  [[nodiscard]] std::uint64_t sectors_from(std::uint32_t first_line) const {
    std::uint64_t sum = 0;
    for (std::size_t i = first_line; i < to_->lines.size(); ++i)
      sum += static_cast<std::uint64_t>(std::popcount(to_->lines[i].sectors));
    return sum;
  }

  /// Appends the window to the current trace, as the steps of a warp.
  void append(TracedBlock& window, std::uint32_t warp) {
    const auto accesses = static_cast<std::uint32_t>(now_.accesses.size());
    const auto lines = static_cast<std::uint32_t>(now_.lines.size());
    for (TracedStep& step : window.warps[0])
      if (step.access != TracedStep::kNoAccess) step.access += accesses;
    for (TracedAccess& access : window.accesses) access.first_line += lines;
    now_.warps[warp] = std::move(window.warps[0]);
    now_.accesses.insert(now_.accesses.end(), window.accesses.begin(), window.accesses.end());
    now_.lines.insert(now_.lines.end(), window.lines.begin(), window.lines.end());
    now_.passes += window.passes;
    now_.wavefronts += window.wavefronts;
    now_.sectors += window.sectors;
  }

  [[nodiscard]] std::uint32_t steps_of_warp() const {
    const double blocks = std::ceil(static_cast<double>(blocks_) / profile_.multiprocessors);
    const double held = std::min(std::max<double>(profile_.warps_resident, warps_), blocks * warps_);
    return static_cast<std::uint32_t>(std::clamp(kSteps / held, kFewestSteps, kMaxSteps));
  }

  /// Is the access reported in parts: for each texel of a filter, or each 512 bytes of a bulk copy?
  static bool is_reported_in_parts(const WarpAccess& a) {
    if (a.sole_lane != WarpAccess::kNoLane) return true;
    const ptx::Instruction& in = a.program->function->body[a.program->source[a.instruction]];
    return a.kind == AccessKind::Load && ptx::rule_of(in.op).category == "Texture";
  }

  /// `joined`: lines from there on belong to the same access, reported before.
  void add_lines(const WarpAccess& a, std::optional<std::size_t> joined = {}) {
    // Lanes that a device serves together share their sectors.
    const auto together = static_cast<std::uint32_t>(profile_.shared_lanes);
    const std::uint32_t group = together >= kLanes ? kAllLanes : (1u << together) - 1;
    for (std::uint32_t shift = 0; shift < kLanes; shift += together) {
      if (const std::uint32_t mask = a.mask & (group << shift); mask != 0)
        add_lines(a, mask, joined.value_or(to_->lines.size()));
    }
  }

  void add_lines(const WarpAccess& a, std::uint32_t mask, std::size_t first) {
    // Neighbouring lanes usually access the same sector.
    std::uint64_t sector = ~std::uint64_t{0};
    std::uint32_t bytes = 0;
    const auto end_sector = [&] {
      if (bytes == 0) return;
      TracedLine& line = line_at(first, sector / kSectorsOfLine);
      const auto bit = static_cast<std::uint8_t>(1u << sector % kSectorsOfLine);
      line.sectors |= bit;
      if (bytes < kSectorBytes) line.partial |= bit;
    };
    for (; mask != 0; mask &= mask - 1) {
      const std::uint64_t address = a.addresses[std::countr_zero(mask)];
      if (address / kSectorBytes != sector) {
        end_sector();
        sector = address / kSectorBytes;
        bytes = 0;
      }
      bytes += a.width;
    }
    end_sector();
  }

  TracedLine& line_at(std::size_t first, std::uint64_t line) {
    const auto it = std::find_if(to_->lines.begin() + static_cast<std::ptrdiff_t>(first), to_->lines.end(),
                                 [line](const TracedLine& other) { return other.line == line; });
    return it == to_->lines.end() ? to_->lines.emplace_back(TracedLine{line, 0, 0}) : *it;
  }

  /// Word w of lane l is at (w * 32 + l) * 4 in the warp's local memory.
  void add_local(const WarpAccess& a) {
    const std::size_t first = to_->lines.size();
    for (std::uint32_t mask = a.mask; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
      const std::uint64_t word = a.offsets[lane] / 4;
      line_at(first, kLocalLines + (std::uint64_t{a.warp} << 24) + word).sectors |=
          static_cast<std::uint8_t>(1u << lane / 8);
    }
  }

  /// The number of distinct addresses.
  static std::uint16_t places(const WarpAccess& a) {
    std::array<std::uint64_t, kLanes> addresses;
    std::size_t count = 0;
    for (std::uint32_t mask = a.mask; mask != 0; mask &= mask - 1)
      addresses[count++] = a.addresses[std::countr_zero(mask)];
    const auto end = addresses.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(addresses.begin(), end);
    return static_cast<std::uint16_t>(std::unique(addresses.begin(), end) - addresses.begin());
  }

  std::uint16_t wavefronts(const WarpAccess& a) {
    if (a.program != memos_of_) {
      memos_of_ = a.program;
      memos_ = &memos_by_program_[a.program];
      memos_->resize(a.program->code.size());
    }
    Memo& memo = (*memos_)[a.instruction];
    if (a.shape != 0 && memo.shape == a.shape) return static_cast<std::uint16_t>(memo.count);
    memo.shape = a.shape;
    std::array<std::uint32_t, kLanes> relative;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) relative[lane] = a.offsets[lane] - a.offsets[0];
    if (memo.mask != a.mask || memo.relative != relative) {
      memo.mask = a.mask;
      memo.relative = relative;
      memo.count = a.kind == AccessKind::Atomic
                       ? atomic_passes(a)
                       : bank_passes_of(banks_of(profile_), a.width, a.offsets, a.mask).wavefronts;
    }
    return static_cast<std::uint16_t>(memo.count);
  }

  /// Lanes that access the same word take turns.
  static std::uint32_t atomic_passes(const WarpAccess& a) {
    std::array<std::uint32_t, kLanes> words;
    std::size_t count = 0;
    for (std::uint32_t mask = atomic_lanes(a); mask != 0; mask &= mask - 1)
      words[count++] = a.offsets[std::countr_zero(mask)] / 4;
    std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
    std::uint32_t most = 0, run = 0;
    for (std::size_t i = 0; i < count; ++i) {
      run = i > 0 && words[i] == words[i - 1] ? run + 1 : 1;
      most = std::max(most, run);
    }
    return most;
  }

  static constexpr std::uint64_t kLocalLines = std::uint64_t{1} << 60;

  struct Memo {
    std::array<std::uint32_t, kLanes> relative{};
    std::uint64_t shape = 0;  ///< that of WarpAccess
    std::uint32_t mask = 0, count = 0;
  };

  const DeviceProfile& profile_;
  std::uint64_t blocks_;
  std::uint32_t threads_, warps_, most_;
  std::uint32_t cut_ = 0, ended_ = 0;      ///< warps that have enough steps, and warps that ended
  std::vector<std::uint32_t> lanes_left_;  ///< by warp
  std::uint64_t draw_;
  const bool dearest_;
  bool looking_ = false;
  std::size_t sample_ = 0;
  std::uint16_t copied_ = 0;           // reported before its global half
  const Program* function_ = nullptr;  ///< function of the last step
  TracedBlock now_;
  AlikeAccesses alike_;          ///< of `now_`
  std::vector<Window> windows_;  ///< one for each warp
  TracedBlock* to_ = nullptr;    ///< destination of the current access
  std::vector<std::uint64_t> seen_;
  std::unordered_map<const Program*, std::vector<Memo>> memos_by_program_;  ///< by instruction
  const Program* memos_of_ = nullptr;
  std::vector<Memo>* memos_ = nullptr;  ///< those of that program
};

}  // namespace

std::unique_ptr<WorkerObserver> TraceObserver::worker(const LaunchInfo& launch) {
  return std::make_unique<TraceWorker>(profile_, launch, one_ ? 1 : launch.config.grid.count(), draw_,
                                       dearest_);
}

void TraceObserver::merge(WorkerObserver& worker) {
  auto& traced = static_cast<TraceWorker&>(worker);
  traced.close();
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    for (TracedBlock& block : traced.samples[s]) samples_[s].push_back(std::move(block));
  }
}

bool TraceObserver::is_odd() const {
  constexpr double kOdd = 2;  // similar blocks of one kernel differ by less
  const auto passes_of_step = [](const std::vector<TracedBlock>& blocks) {
    double passes = 0, steps = 0;
    for (const TracedBlock& block : blocks) {
      passes += static_cast<double>(block.passes + block.lines.size());
      for (const auto& warp : block.warps) steps += static_cast<double>(warp.size());
    }
    return passes / std::max(steps, 1.0);
  };
  return passes_of_step(samples_[1]) > kOdd * passes_of_step(samples_[0]);
}

std::vector<TracedBlock> TraceObserver::take(bool drawn) {
  std::vector<TracedBlock> blocks = std::move(samples_[drawn ? 1 : 0]);
  std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
  return blocks;
}

}  // namespace cudalabs::sim
