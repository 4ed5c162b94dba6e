#include "grader/sim/timing/memory_path.h"

#include <algorithm>
#include <bit>

namespace cudalabs::sim {
namespace {

// Fitted to bench/estimate's fit half on an H200 (docs/estimate.md), unless stated otherwise.
/// Achievable parts of the peak bandwidths of memory and to L2.
constexpr double kMemoryEfficiency = 0.87, kPathEfficiency = 0.9;
/// The dirty part of L2 at the beginning of a launch, as after grading steps.
constexpr double kWritten = 0.9;
/// A warp waits for the last of its lines: each doubling of their number adds this part of the latency.
constexpr double kLastOfTwo = 0.15;
/// Fully busy memory adds this part of the latency: copies of one float for each thread, and stencils, have
/// too few lines in flight to saturate it, but wait longer than a chain does.
constexpr double kLoaded = 1;
/// Lines that L1 looks up in a clock: 1000 threads that each read along a row of 1000 floats take an H200 63,
/// 125 and 233 us in blocks of 256, 512 and 1024, on 4, 2 and 1 multiprocessors at 1.98 GHz: a million lines
/// at 2.0, 2.0 and 2.2 a clock.
constexpr double kLinesAtOnce = 2;

/// Clocks of work that may be queued before L2, before memory or at the atomics. An order of magnitude.
constexpr double kAhead = 2000;

constexpr double kLineBytes = 128;

/// Memory is read 64 bytes at a time.
int in_pairs(unsigned sectors) { return 2 * (((sectors & 3) != 0 ? 1 : 0) + ((sectors & 12) != 0 ? 1 : 0)); }

/// Adds up fractions and returns the whole part.
std::int64_t whole(double& left, double more) {
  left += more;
  const double floor = std::floor(left + 1e-9);
  left -= floor;
  return static_cast<std::int64_t>(floor);
}

std::span<const TracedLine> lines_of(const TracedBlock& block, const TracedAccess& a) {
  return {block.lines.data() + a.first_line, a.lines};
}

double sectors_of(std::span<const TracedLine> lines) {
  int sum = 0;
  for (const TracedLine& line : lines) sum += std::popcount(line.sectors);
  return sum;
}

}  // namespace

MemoryPath::MemoryPath(const WalkedLaunch& launch, const DeviceProfile& p, double share)
    : launch_(launch), profile_(p), left_(launch.footprints.size() + 1) {
  const double bytes_per_clock = p.memory_gb_per_s / p.clock_ghz;
  sector_ = ticks(kSectorBytes * launch.busy * share / (bytes_per_clock * kMemoryEfficiency));
  path_ = ticks(1 / (p.sectors_per_clock * kPathEfficiency));
  atomic_ = ticks(launch.atomic_clocks * launch.busy * share);
  l1_lines_ = static_cast<std::size_t>(p.l1_bytes / kLineBytes);
  double bytes = 0;
  for (const Footprint& f : launch.footprints)
    bytes += static_cast<double>(f.last + 1 - f.first) * kSectorBytes;
  kept_ = std::min(1.0, p.l2_bytes / std::max(bytes, 1.0));
  l2_share_ = p.l2_bytes / kSectorBytes / launch.busy;
  dirty_ = kWritten * l2_share_;
  // Another block that reuses the same trace must not hit lines that only one block accesses.
  std::unordered_map<std::uint64_t, std::size_t> met;
  for (std::size_t b = 0; b < launch.traces.size(); ++b) {
    for (const TracedLine& line : launch.traces[b].lines) {
      if (met.try_emplace(line.line, b).first->second != b) common_.insert(line.line);
    }
  }
}

Ticks MemoryPath::access(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn,
                         bool uncached, Parts& parts) {
  switch (a.kind) {
    case AccessKind::Load: return load(block, a, now, turn, uncached, parts);
    case AccessKind::Store: return store(block, a, now, turn);
    default: return atomic(block, a, now, turn, parts);
  }
}

Ticks MemoryPath::done() const { return std::max({to_l2_.free(), memory_.free(), atomics_.free()}); }

Ticks MemoryPath::has_room() const { return done() - ticks(kAhead); }

WaitFor MemoryPath::longest() const {
  if (atomics_.free() >= done()) return kAtomics;
  return memory_.free() >= done() ? kMemory : kL2;
}

MemoryPath::Line& MemoryPath::line_of(std::uint64_t line, std::uint64_t turn) {
  return lines_[common_.contains(line) ? line : line ^ ((turn + 1) << 36 | std::uint64_t{1} << 62)];
}

/// The number of sectors that are new to the multiprocessor and that no block has accessed.
std::int64_t MemoryPath::fresh(std::uint64_t line, int sectors) {
  const std::vector<Footprint>& all = launch_.footprints;
  const std::uint64_t last = line * kSectorsOfLine + kSectorsOfLine - 1;
  const auto next =
      std::upper_bound(all.begin(), all.end(), last,
                       [](std::uint64_t sector, const Footprint& f) { return sector < f.first; });
  if (next == all.begin()) return 0;
  const auto at = static_cast<std::size_t>(next - all.begin() - 1);
  return whole(left_[at], (1 - (1 - all[at].fresh) * kept_) * sectors);
}

MemoryPath::Asked MemoryPath::ask(const TracedBlock& block, const TracedAccess& a, std::uint64_t turn,
                                  bool cached) {
  Asked asked;
  const bool local = a.space == AccessSpace::Local;
  for (const TracedLine& line : lines_of(block, a)) {
    Line& known = line_of(line.line, turn);
    const unsigned missing = cached ? line.sectors & ~known.cached : line.sectors;
    asked.arrives = std::max(asked.arrives, known.arrives);
    if (missing == 0) continue;
    asked.sectors += std::popcount(missing);
    const unsigned first = missing & ~known.seen;
    bool waits = false;
    if (first != 0 && !local) {
      known.seen |= static_cast<std::uint8_t>(first);
      const std::int64_t moved = fresh(line.line, in_pairs(first));
      asked.from_memory += moved;
      // Blocks that start together request together.
      waits = moved > 0 || turn < launch_.resident;
    }
    // A sector that was there before is still there, unless too much was requested since.
    const unsigned again = missing & ~first;
    if (again != 0 && !local && static_cast<double>(asked_ - known.asked) > l2_share_) {
      asked.from_memory += in_pairs(again);
      waits = true;
    }
    asked.waits_for_memory |= waits;
    asked.lines += waits ? 1 : 0;
    asked_ += std::popcount(missing);
    known.asked = asked_;
    if (cached) keep(known, missing);
  }
  return asked;
}

void MemoryPath::keep(Line& line, unsigned sectors) {
  if (line.cached == 0) {
    order_.push_back(&line);
    if (order_.size() > l1_lines_) {
      order_.front()->cached = 0;
      order_.front()->arrives = 0;
      order_.pop_front();
    }
  }
  line.cached |= static_cast<std::uint8_t>(sectors);
}

Ticks MemoryPath::evict(std::int64_t sectors) {
  if (l2_share_ <= 0) return 0;
  const double gone = std::min(static_cast<double>(sectors) * dirty_ / l2_share_, dirty_);
  dirty_ -= gone;
  moved_ += gone;
  return static_cast<Ticks>(static_cast<double>(sector_) * gone);
}

Ticks MemoryPath::move(Ticks now, std::int64_t sectors) {
  const Ticks service = sector_ * sectors;
  moved_ += static_cast<double>(sectors);
  return memory_.enter(now, service + evict(sectors)) + service;
}

Ticks MemoryPath::way(const Asked& asked, Ticks now) const {
  if (!asked.waits_for_memory && profile_.l2_bytes > 0) return ticks(profile_.l2_latency);
  const auto doublings = asked.lines < 2 ? 0.0 : static_cast<double>(std::bit_width(asked.lines) - 1);
  // There are no measurements of devices without L2.
  const double loaded = profile_.l2_bytes > 0 ? kLoaded * memory_.load(now) : 0;
  return ticks(profile_.memory_latency * (1 + kLastOfTwo * doublings + loaded));
}

Ticks MemoryPath::load(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn,
                       bool uncached, Parts& parts) {
  const DeviceProfile& p = profile_;
  const bool cached = !uncached && l1_lines_ > 0;
  const Asked asked = ask(block, a, turn, cached);
  const auto lines = lines_of(block, a);
  const Ticks passes = in_pipe(std::max({1.0, a.lines / kLinesAtOnce, sectors_of(lines) / kSectorsOfLine}));
  const Ticks begins = pipe.enter(now, passes);
  parts[kShared] = begins - now;
  if (asked.sectors == 0) {
    parts[kWay] = ticks(p.l1_latency);
    return std::max(begins + ticks(p.l1_latency), asked.arrives);
  }
  const bool direct = p.l2_bytes <= 0;
  const Ticks leaves = begins + passes;
  const Ticks passing = direct ? 0 : path_ * asked.sectors;
  passed_ += asked.sectors;
  const Ticks passed = direct ? leaves : to_l2_.enter(leaves, passing) + passing;
  parts[kL2] = passed - leaves;
  const std::int64_t moved = direct ? asked.sectors : asked.from_memory;
  const Ticks there = moved > 0 ? move(passed, moved) : passed;
  parts[kMemory] = there - passed;
  parts[kWay] = way(asked, there);
  const Ticks result = std::max(there + parts[kWay], asked.arrives);
  if (cached) {
    for (const TracedLine& line : lines) line_of(line.line, turn).arrives = result;
  }
  return result;
}

Ticks MemoryPath::store(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn) {
  const auto lines = lines_of(block, a);
  const Ticks passes = in_pipe(std::max(1.0, a.lines / kLinesAtOnce));
  const Ticks begins = pipe.enter(now, passes);
  passed_ += sectors_of(lines);
  if (profile_.l2_bytes <= 0) {
    moved_ += sectors_of(lines);
    return memory_.enter(begins, sector_ * static_cast<Ticks>(sectors_of(lines)));
  }
  std::int64_t filled = 0, written = 0;
  for (const TracedLine& line : lines) {
    Line& known = line_of(line.line, turn);
    const unsigned first = line.sectors & ~known.seen;
    known.seen |= static_cast<std::uint8_t>(first);
    if (a.space == AccessSpace::Local || first == 0) continue;
    // A partly written sector is read first.
    const unsigned partial = first & line.partial;
    if (partial != 0) filled += fresh(line.line, in_pairs(partial));
    written += fresh(line.line, std::popcount(first & ~partial));
  }
  // A store takes the bandwidth of a whole line to L2, whichever part of it is written.
  const Ticks passed = to_l2_.enter(begins + passes, path_ * static_cast<Ticks>(kSectorsOfLine * a.lines));
  if (filled > 0) move(passed, filled);
  memory_.enter(passed, evict(written));
  dirty_ = std::min(dirty_ + static_cast<double>(written), l2_share_);
  return passed;
}

Ticks MemoryPath::atomic(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn,
                         Parts& parts) {
  const Asked asked = ask(block, a, turn, false);
  passed_ += asked.sectors;
  const Ticks passes = in_pipe(std::max(1.0, a.lines / kLinesAtOnce));
  const Ticks begins = pipe.enter(now, passes);
  const Ticks leaves = begins + passes;
  // A store takes the bandwidth of a whole line to L2, whichever part of it is written.
  const Ticks passed = to_l2_.enter(leaves, path_ * asked.sectors);
  const Ticks there = asked.from_memory > 0 ? move(passed, asked.from_memory) : passed;
  const Ticks meets = atomics_.enter(there, atomic_);
  parts[kShared] = begins - now;
  parts[kL2] = passed - leaves;
  parts[kMemory] = there - passed;
  parts[kAtomics] = meets - there + atomic_;
  parts[kWay] = way(asked, there);
  return meets + atomic_ + parts[kWay];
}

}  // namespace cudalabs::sim
