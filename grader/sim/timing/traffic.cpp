#include "grader/sim/timing/traffic.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>

#include "grader/sim/executable/lane_pattern.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/executable/sampled_blocks.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kSampledBlocks = 16;   ///< sampled from a large grid
constexpr std::uint32_t kAccesses = 1u << 16;  ///< for each block

/// The sectors that one block accessed, by line of memory.
class SectorSet {
 public:
  SectorSet() : places_(1u << 10) {}

  void clear() {
    ++epoch_;
    size_ = 0;
    by_block_ = {};
  }

  struct Added {
    int by_access = 0;  ///< sectors that are new to the access
    int by_block = 0;   ///< sectors that are new to the block
  };
  /// Adds the sectors of a line, a bit each, that access number `access` touches.
  Added add(std::uint64_t line, unsigned sectors, std::uint32_t access, bool is_store) {
    Place& place = find(line);
    if (place.epoch != epoch_) {
      place = {line, epoch_, 0, 0, {}};
      if (++size_ * 2 > places_.size()) {
        grow();
        return add(line, sectors, access, is_store);
      }
    }
    if (place.access != access) {
      place.access = access;
      place.by_access = 0;
    }
    const unsigned more = sectors & ~unsigned{place.by_access};
    place.by_access |= static_cast<std::uint8_t>(more);
    const unsigned fresh = more & ~unsigned{place.of_kind[0]} & ~unsigned{place.of_kind[1]};
    std::uint8_t& same_kind = place.of_kind[is_store ? 1 : 0];
    by_block_[is_store ? 1 : 0] += static_cast<std::uint64_t>(std::popcount(more & ~unsigned{same_kind}));
    same_kind |= static_cast<std::uint8_t>(more);
    return {std::popcount(more), std::popcount(fresh)};
  }

  /// Distinct sectors loaded, and stored.
  [[nodiscard]] const std::array<std::uint64_t, 2>& by_block() const { return by_block_; }

 private:
  struct Place {
    std::uint64_t line = 0;
    std::uint32_t epoch = 0, access = 0;
    std::uint8_t by_access = 0;             ///< sectors that `access` touched
    std::array<std::uint8_t, 2> of_kind{};  ///< sectors that were loaded, and stored
  };

  Place& find(std::uint64_t line) {
    const std::size_t mask = places_.size() - 1;
    std::size_t at = line * 0x9E3779B97F4A7C15u >> 20 & mask;
    while (places_[at].epoch == epoch_ && places_[at].line != line) at = (at + 1) & mask;
    return places_[at];
  }

  void grow() {
    std::vector<Place> old(places_.size() * 2);
    old.swap(places_);
    for (const Place& place : old) {
      if (place.epoch == epoch_) find(place.line) = place;
    }
  }

  std::vector<Place> places_;
  std::uint32_t epoch_ = 1;
  std::size_t size_ = 0;
  std::array<std::uint64_t, 2> by_block_{};
};

class ReuseWorker : public WorkerObserver {
 public:
  ReuseWorker(std::uint64_t blocks, std::uint64_t draw) : blocks_(blocks), draw_(draw) {}

  // A resumed block is no longer sampled: how often that happens depends on the workers.
  void resume_block(std::uint64_t block) override {
    close();
    const bool always = is_sampled(block, blocks_, kSampledBlocks);
    looking_ = (always || (draw_ != 0 && is_sampled(block, blocks_, kSampledBlocks, draw_))) &&
               std::find(seen_.begin(), seen_.end(), block) == seen_.end();
    if (!looking_) return;
    seen_.push_back(block);
    sample_ = &samples[always ? 0 : 1];
    ++sample_->blocks;
  }
  [[nodiscard]] bool watches() const override { return looking_; }
  [[nodiscard]] bool every_access() const override { return looking_; }
  [[nodiscard]] bool only_global() const override { return true; }

  void access(const WarpAccess& a) override {
    if (!looking_ || a.space != AccessSpace::Global) return;
    if (++accesses_ > kAccesses) {
      looking_ = false;
      return;
    }
    const bool is_store = a.kind == AccessKind::Store;
    Met& last = last_of(a, is_store);
    // A loop usually takes several turns to leave its sectors.
    if (last.block != block_ || last.mask != a.mask || !same_sectors(last, a)) look(last, a, is_store);
    sample_->sums[is_store ? 1 : 0].accessed += last.sectors;
    sample_->sums[is_store ? 1 : 0].lines += last.lines;
  }

  void close() {
    if (accesses_ == 0) return;
    for (std::size_t k = 0; k < 2; ++k)
      sample_->sums[k].by_block += static_cast<double>(sectors_.by_block()[k]);
    sectors_.clear();
    accesses_ = 0;
    ++block_;
  }

  std::array<ReuseObserver::Sample, 2> samples;

 private:
  /// The sectors of an instruction's last access.
  struct Met {
    std::array<std::uint64_t, kLanes> of_lane{};
    std::uint64_t block = 0;  ///< counted from 1; 0: there was no access
    std::uint32_t mask = 0;
    double sectors = 0, lines = 0;
    std::array<ReuseObserver::Span*, 2> spans{};  ///< by sample
  };

  static bool same_sectors(const Met& last, const WarpAccess& a) {
    std::uint64_t differ = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) differ |= a.addresses[i] / 32 ^ last.of_lane[i];
    return differ == 0;
  }

  /// Do the lanes access each sector between the first lane's and the last lane's, and no others?
  static bool meets_all_between(const WarpAccess& a) {
    return a.mask == kAllLanes && a.addresses[1] - a.addresses[0] <= 32 && evenly_spaced(a, a.addresses);
  }
  void look(Met& last, const WarpAccess& a, bool is_store) {
    for (std::uint32_t i = 0; i < kLanes; ++i) last.of_lane[i] = a.addresses[i] / 32;
    ReuseObserver::Span& span = *last.spans[sample_ == &samples[0] ? 0 : 1];
    std::uint64_t line = ~std::uint64_t{0}, first = ~std::uint64_t{0}, end = 0;
    int met = 0, met_first = 0, lines = 0;
    unsigned sectors = 0;  // of the current line
    const auto end_line = [&] {
      const SectorSet::Added added = sectors_.add(line, sectors, accesses_, is_store);
      met += added.by_access;
      met_first += added.by_block;
    };
    if (meets_all_between(a)) {
      first = last.of_lane[0];
      end = last.of_lane[kLanes - 1];
      for (line = first / kSectorsOfLine; line <= end / kSectorsOfLine; ++line, ++lines) {
        const std::uint64_t zero = line * kSectorsOfLine;
        const std::uint64_t begin = std::max(first, zero) - zero,
                            until = std::min(end - zero, kSectorsOfLine - 1);
        sectors = (2u << until) - (1u << begin);
        end_line();
      }
      return keep(last, span, a, first, end, met, met_first, lines);
    }
    // Neighbouring lanes usually access the same line.
    for (std::uint32_t mask = a.mask; mask != 0; mask &= mask - 1) {
      const std::uint64_t sector = last.of_lane[static_cast<std::uint32_t>(std::countr_zero(mask))];
      first = std::min(first, sector);
      end = std::max(end, sector);
      if (sector / kSectorsOfLine != line) {
        if (lines++ > 0) end_line();
        line = sector / kSectorsOfLine;
        sectors = 0;
      }
      sectors |= 1u << sector % kSectorsOfLine;
    }
    end_line();
    keep(last, span, a, first, end, met, met_first, lines);
  }
  void keep(Met& last, ReuseObserver::Span& span, const WarpAccess& a, std::uint64_t first, std::uint64_t end,
            int met, int met_first, int lines) const {
    span.first = std::min(span.first, first);
    span.last = std::max(span.last, end);
    span.met += met_first;
    last.block = block_;
    last.mask = a.mask;
    last.sectors = met;
    last.lines = lines;
  }

  Met& last_of(const WarpAccess& a, bool is_store) {
    if (a.program != program_) {
      program_ = a.program;
      index_ = &indices_[a.program];
      index_->resize(a.program->code.size());
    }
    std::uint32_t& index = (*index_)[a.instruction][is_store ? 1 : 0];
    if (index == 0) {
      Met& met = met_.emplace_back();
      for (std::size_t s = 0; s < samples.size(); ++s)
        met.spans[s] = &samples[s].spans[is_store ? 1 : 0][{a.program, a.instruction}];
      index = static_cast<std::uint32_t>(met_.size());
    }
    return met_[index - 1];
  }

  std::uint64_t blocks_, draw_;
  ReuseObserver::Sample* sample_ = &samples[0];
  bool looking_ = false;
  std::uint32_t accesses_ = 0;
  SectorSet sectors_;
  std::vector<std::uint64_t> seen_;
  std::vector<Met> met_;
  /// By instruction, for loads and stores: 1 + an index into met_; 0: none.
  using Indices = std::vector<std::array<std::uint32_t, 2>>;
  std::unordered_map<const Program*, Indices> indices_;
  const Program* program_ = nullptr;
  Indices* index_ = nullptr;
  std::uint64_t block_ = 1;
};

double share(double part, double whole) { return whole <= 0 ? 1 : std::min(1.0, part / whole); }

void join(ReuseObserver::Spans& spans, const ReuseObserver::Spans& others) {
  for (const auto& [instruction, span] : others) {
    ReuseObserver::Span& all = spans[instruction];
    all.first = std::min(all.first, span.first);
    all.last = std::max(all.last, span.last);
    all.met += span.met;
  }
}

/// `scale`: number of blocks in the launch for each sampled block.
std::vector<Footprint> footprints_of(const std::array<ReuseObserver::Spans, 2>& spans, double scale) {
  std::vector<ReuseObserver::Span> sorted;
  for (const auto& kind : spans) {
    for (const auto& [instruction, span] : kind) {
      if (span.first <= span.last) sorted.push_back(span);
    }
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.last) < std::tie(b.first, b.last);
  });
  std::vector<Footprint> result;
  std::vector<double> met;
  for (const auto& span : sorted) {
    if (result.empty() || span.first > result.back().last) {
      result.push_back({span.first, span.last, 1, 0});
      met.push_back(0);
    }
    result.back().last = std::max(result.back().last, span.last);
    met.back() += span.met;
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    Footprint& footprint = result[i];
    const auto spanned = static_cast<double>(footprint.last + 1 - footprint.first);
    footprint.fresh = share(spanned, met[i] * scale);
    footprint.met = std::min(spanned, met[i] * scale);
  }
  return result;
}

double sectors_in(const ReuseObserver::Spans& spans) {
  std::vector<ReuseObserver::Span> sorted;
  for (const auto& [instruction, span] : spans) sorted.push_back(span);
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::uint64_t sum = 0, end = 0;
  for (const auto& span : sorted) {
    const std::uint64_t begin = std::max(span.first, end);
    if (span.last < begin) continue;
    sum += span.last + 1 - begin;
    end = span.last + 1;
  }
  return static_cast<double>(sum);
}

}  // namespace

std::unique_ptr<WorkerObserver> ReuseObserver::worker(const LaunchInfo& launch) {
  blocks_ = one_ ? 1 : launch.config.grid.count();
  return std::make_unique<ReuseWorker>(blocks_, draw_);
}

void ReuseObserver::merge(WorkerObserver& worker) {
  auto& reuse = static_cast<ReuseWorker&>(worker);
  reuse.close();
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    samples_[s].blocks += reuse.samples[s].blocks;
    for (std::size_t k = 0; k < 2; ++k) {
      const Reuse& more = reuse.samples[s].sums[k];
      Reuse& sum = samples_[s].sums[k];
      sum.accessed += more.accessed;
      sum.by_block += more.by_block;
      sum.lines += more.lines;
      join(samples_[s].spans[k], reuse.samples[s].spans[k]);
    }
  }
}

/// Similar blocks of one kernel differ by less than this.
constexpr double kOdd = 2;

bool ReuseObserver::is_odd(std::size_t kind) const {
  const auto& [always, drawn] = samples_;
  const Reuse &usual = always.sums[kind], &other = drawn.sums[kind];
  if (other.accessed <= 0) return false;
  Spans all = always.spans[kind];
  join(all, drawn.spans[kind]);
  const auto is_dearer = [&](double Reuse::*what) {
    return other.*what * usual.accessed > kOdd * (usual.*what * other.accessed);
  };
  return is_dearer(&Reuse::by_block) || is_dearer(&Reuse::lines) ||
         sectors_in(all) > kOdd * sectors_in(always.spans[kind]);
}

Traffic ReuseObserver::traffic() const {
  Traffic traffic;
  traffic.odd = is_odd(0) || is_odd(1);
  const Sample& sample = samples_[traffic.odd ? 1 : 0];
  const auto looked_at = static_cast<double>(std::max<std::uint64_t>(sample.blocks, 1));
  traffic.footprints = footprints_of(sample.spans, static_cast<double>(blocks_) / looked_at);
  return traffic;
}

}  // namespace cudalabs::sim
