#include "grader/sim/timing/cost.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "grader/sim/executable/source_place.h"
#include "grader/sim/timing/op_times.h"
#include "grader/sim/timing/timing_model.h"

namespace cudalabs::sim {
namespace {

/// The part of a peak bandwidth, of memory or to L2, that a plain copy kernel achieves.
constexpr double kBandwidthEfficiency = 0.8;

double count(std::uint64_t v) { return static_cast<double>(v); }

/// The code of the executed functions, the kernel first.
CodeOf code_of(const std::vector<TracedBlock>& traces, MachineCodes& codes) {
  CodeOf code;
  for (const TracedBlock& block : traces) {
    for (const Program* function : block.functions) {
      if (std::ranges::none_of(code, [&](const auto& known) { return known.first == function; }))
        code.emplace_back(function, &codes.of(*function));
    }
  }
  return code;
}

/// Registers of a thread. For compute 8.0 ptxas saves none of the 32 registers for each thread of a full
/// multiprocessor; for devices with fewer registers it would.
double registers_of(const MachineCode& code, const DeviceProfile& p) {
  constexpr double kUnasked = 32;
  return p.registers < kUnasked * 32 * p.warps_resident ? code.registers_needed : code.registers_used;
}

double warps_of(const LaunchWork& work) { return std::ceil(count(work.block.count()) / 32); }

/// The most blocks that can be resident on a multiprocessor; 0: the card cannot run such a block.
double allowed(const LaunchWork& work, double registers, const DeviceProfile& p) {
  const double warps = warps_of(work);
  double blocks = std::min(p.blocks_resident, std::floor(p.warps_resident / warps));
  // The system keeps some shared memory of each block since compute capability 8.0.
  const double shared = work.shared_bytes + (p.compute_capability >= 8 ? 1024 : 0);
  if (shared > 0) blocks = std::min(blocks, std::floor(p.shared_bytes / shared));
  // Registers are allocated in units of eight for each lane of a warp, and each scheduler has its own.
  const double of_warp = std::ceil(std::min(registers, 255.0) / 8) * 8 * 32;
  const auto schedulers = static_cast<double>(schedulers_of(p));
  const double resident_warps = schedulers * std::floor(p.registers / schedulers / of_warp);
  return std::min(blocks, std::floor(resident_warps / warps));
}

/// The same for the estimate, which takes a block for granted.
double fitting(const LaunchWork& work, double registers, const DeviceProfile& p) {
  return std::max(1.0, allowed(work, registers, p));
}

/// Resident blocks on a multiprocessor that receives `most` blocks.
double resident(const LaunchWork& work, double registers, double most, const DeviceProfile& p) {
  return std::min(fitting(work, registers, p), std::max(1.0, std::ceil(most)));
}

/// `time_ns`: of the launch.
Utilization use_of(const LaunchWork& work, const CodeOf& code, const Walked& walked, double time_ns,
                   const DeviceProfile& p) {
  Utilization use;
  if (code.empty()) return use;
  const auto& [kernel, machine] = code.front();
  const double registers = registers_of(*machine, p);
  if (p.bank_bytes == 8) use.wavefront_bytes = p.shared_banks * p.bank_bytes;
  use.registers = static_cast<std::uint32_t>(registers);
  use.registers_known = kernel->info.registers_known && use.registers == kernel->info.registers;
  use.occupancy = allowed(work, registers, p) * warps_of(work) / p.warps_resident;
  use.achieved_occupancy = std::min(walked.warps / p.warps_resident, use.occupancy);
  // The launch's work against that of the modelled blocks.
  const double more = walked.slots > 0 ? count(work.issue.slots) / walked.slots : 1;
  const auto part = [&](double sectors, double peak_per_ns) {
    return std::min(1.0, sectors * more / (peak_per_ns * time_ns));
  };
  use.memory = part(walked.memory_sectors, p.memory_gb_per_s / kSectorBytes);
  if (p.l2_bytes > 0) use.l2 = part(walked.l2_sectors, p.sectors_per_clock * p.multiprocessors * p.clock_ghz);
  return use;
}

/// Distinct sectors that a launch accesses.
double first_sectors(const std::vector<Footprint>& footprints) {
  double sum = 0;
  for (const Footprint& f : footprints) sum += f.met;
  return sum;
}

double parts(const CostBounds& b) { return b.total() - b.launch; }

/// Raises `bound` until the sum of all parts is at least `least`.
void at_least(CostBounds& b, double CostBounds::*bound, double least) {
  const double missing = least - parts(b);
  if (missing > 0) b.*bound += missing;
}

/// An estimate in the making: its parts, and the times of instructions by their index into the body.
struct Shares {
  CostBounds bounds;
  std::map<const Program*, std::map<std::uint32_t, double>> instructions;

  /// Adds the timing model's waits, scaled to `ns`.
  void add(const Walked& walked, double ns) {
    for (const auto bound : {&CostBounds::issue, &CostBounds::doubles, &CostBounds::shared, &CostBounds::l2,
                             &CostBounds::memory, &CostBounds::atomics, &CostBounds::latency})
      bounds.*bound += walked.waits.*bound * ns;
    for (const InstructionWait& wait : walked.instructions)
      instructions[wait.program][wait.instruction] += wait.share * ns;
  }
};

/// Parts of the estimate that no instruction is known to cause are the lines' in proportion.
std::vector<LineTime> lines_of(const Shares& shares) {
  std::map<std::pair<std::string, std::uint32_t>, double> times;
  double sum = 0;
  for (const auto& [program, instructions] : shares.instructions) {
    for (std::uint32_t pc = 0; pc < program->source.size(); ++pc) {
      if (pc > 0 && program->source[pc] == program->source[pc - 1]) continue;  // one instruction in two steps
      const auto found = instructions.find(program->source[pc]);
      if (found == instructions.end()) continue;
      const SourcePlace place = source_place(*program, pc);
      times[{place.file, place.line}] += found->second;
      sum += found->second;
    }
  }
  std::vector<LineTime> lines;
  for (const auto& [place, ns] : times)
    if (place.second != 0) lines.push_back({place.first, place.second, ns * parts(shares.bounds) / sum});
  return lines;
}

/// Blocks that were traced only partly, or that differ, continue at the rate of their second half. Where all
/// blocks run at once, the modelled ones take their time, however little others do.
double clocks_of(const Walked& walked, double slots, bool whole, bool at_once) {
  const double more = std::max(walked.slots > 0 ? slots / walked.slots : 1, at_once ? 1.0 : 0.0);
  return walked.clocks * std::max(0.0, 1 + (more - 1) * (whole ? 1 : walked.late));
}

/// Memory traffic of warps, for each warp instruction.
struct Rates {
  double instructions = 0, wavefronts = 0, sectors = 0;

  void add(const TracedBlock& block) {
    for (const auto& warp : block.warps) instructions += count(warp.size());
    wavefronts += count(block.wavefronts);
    sectors += count(block.sectors);
  }
};

/// The traffic after the traced steps that they do not predict, from the total counters.
Rates missing_of(const LaunchWork& work, const std::vector<TracedBlock>& traces, const DeviceProfile& p) {
  constexpr double kAlike = 1.5;  // the start of loops differs a little from their later turns
  Rates seen;
  for (const TracedBlock& block : traces) seen.add(block);
  const Counters& c = work.counters;
  const double times = count(c.warp_instructions) / std::max(1.0, seen.instructions);
  const auto missing = [&](std::uint64_t all, double of_seen) {
    return count(all) > kAlike * times * of_seen ? count(all) - times * of_seen : 0;
  };
  Rates rest;
  // The counters assume 32 banks.
  if (p.shared_lanes == 32 && p.shared_banks == 32)
    rest.wavefronts =
        missing(c.source_shared_load_wavefronts + c.source_shared_store_wavefronts, seen.wavefronts);
  rest.sectors =
      missing(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors, seen.sectors);
  return rest;
}

bool are_whole(const std::vector<TracedBlock>& traces) {
  return std::ranges::all_of(traces, [](const TracedBlock& block) { return block.whole; });
}

/// Traces begin at a block's start. If the rest has more memory traffic than that, the missing traffic takes
/// at least the time of its units, and that of the block's most memory-intensive steps.
void charge_rest(LaunchWork& work, const WalkedLaunch& launch, const DeviceProfile& p, MachineCodes& codes,
                 Shares& shares) {
  CostBounds& b = shares.bounds;
  const Rates rest = missing_of(work, launch.traces, p);
  const double shared_ns = rest.wavefronts / launch.busy / p.clock_ghz;
  const double l2_ns = rest.sectors / (p.sectors_per_clock * launch.busy) / p.clock_ghz;
  const double before = parts(b);
  b.shared += shared_ns;
  b.l2 += l2_ns;
  if (work.dearest.empty()) return;
  Rates dear;
  for (const TracedBlock& block : work.dearest) dear.add(block);
  const double blocks = count(launch.blocks);
  const double times = std::max(dear.sectors > 0 ? rest.sectors / (dear.sectors * blocks) : 0,
                                dear.wavefronts > 0 ? rest.wavefronts / (dear.wavefronts * blocks) : 0);
  WalkedLaunch late;
  late.blocks = launch.blocks;
  late.busy = launch.busy;
  late.by_line = launch.by_line;
  late.resident = launch.resident;
  late.atomic_clocks = launch.atomic_clocks;
  late.footprints = work.longest_traffic.footprints;
  late.traces = std::move(work.dearest);
  const CodeOf code = code_of(late.traces, codes);
  const Walked walked = run_timing_model(late, code, p);
  // The time of the instructions is already included.
  const double taken = before * walked.slots / std::max(1.0, count(work.issue.slots));
  const double more = (walked.clocks / p.clock_ghz - taken) * times - shared_ns - l2_ns;
  if (more > 0) shares.add(walked, more);
}

/// A launch takes at least as long as n copies of its longest block, where n such blocks have as many
/// instructions as the launch.
void wait_for_longest(LaunchWork& work, double registers, const DeviceProfile& p, MachineCodes& codes,
                      Shares& shares) {
  CostBounds& b = shares.bounds;
  const double clock_ns = 1 / p.clock_ghz;
  const double alike = std::max(1.0, std::round(count(work.lengths.all) / count(work.lengths.longest)));
  // All blocks execute the code outside of loops alike.
  const double executed = std::max(count(work.counters.warp_instructions), count(work.lengths.all));
  const double own = (executed - count(work.lengths.all)) / count(work.grid.count());
  const double slots = count(work.issue.slots) * alike * (count(work.lengths.longest) + own) / executed;
  WalkedLaunch launch;
  launch.blocks = static_cast<std::uint64_t>(alike);
  launch.busy = std::min(p.multiprocessors, alike);
  launch.by_line = work.by_line;
  if (work.longest.empty()) {
    at_least(b, &CostBounds::issue, slots / (p.issue_per_clock * launch.busy) * clock_ns);
    return;
  }
  launch.resident = static_cast<std::uint32_t>(resident(work, registers, alike / launch.busy, p));
  launch.atomic_clocks = work.atomic_clocks / std::max(1.0, count(work.counters.global_atomic_requests));
  launch.footprints = std::move(work.longest_traffic.footprints);
  launch.traces = std::move(work.longest);
  const CodeOf code = code_of(launch.traces, codes);
  const bool whole = launch.traces.front().whole;
  const Walked walked = run_timing_model(launch, code, p);
  const double missing = clocks_of(walked, slots, whole, false) * clock_ns - parts(b);
  if (missing > 0) shares.add(walked, missing);
}

}  // namespace

bool is_uneven(const Lengths& lengths, const Dim3& grid) {
  constexpr double kUneven = 2, kLong = 1024;  // warp instructions: a shorter block ends before it matters
  return count(lengths.longest) > kLong &&
         count(lengths.longest) * count(grid.count()) > kUneven * count(lengths.all);
}

bool goes_on_otherwise(const LaunchWork& work, const DeviceProfile& p) {
  // A block that waited for others, and continued untraced, provides no information about its rest.
  const bool seen =
      std::ranges::all_of(work.traces, [](const TracedBlock& block) { return block.whole || block.cut; });
  if (!seen || are_whole(work.traces)) return false;
  const Rates rest = missing_of(work, work.traces, p);
  const Counters& c = work.counters;
  return 2 * rest.sectors > count(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors) ||
         2 * rest.wavefronts > count(c.source_shared_load_wavefronts + c.source_shared_store_wavefronts);
}

Estimate estimate(LaunchWork& work, const DeviceProfile& p, MachineCodes& codes) {
  const double clock_ns = 1 / p.clock_ghz;
  Shares shares;
  CostBounds& b = shares.bounds;
  b.launch = p.launch_us * 1e3;
  if (work.traces.empty()) return {b, {}, {}};

  const CodeOf code = code_of(work.traces, codes);
  const Counters& c = work.counters;
  WalkedLaunch launch;
  launch.blocks = work.grid.count();
  launch.busy = std::min(p.multiprocessors, count(launch.blocks));
  launch.by_line = work.by_line;
  const double registers = code.empty() ? 0 : registers_of(*code.front().second, p);
  launch.resident =
      static_cast<std::uint32_t>(resident(work, registers, count(launch.blocks) / launch.busy, p));
  launch.atomic_clocks = work.atomic_clocks / std::max(1.0, count(c.global_atomic_requests));
  launch.footprints = std::move(work.traffic.footprints);
  launch.traces = std::move(work.traces);
  const bool whole = are_whole(launch.traces);
  // Where the rest of the blocks was not traced, nothing is known of it.
  const bool at_once = whole && count(launch.blocks) <= launch.busy * launch.resident;
  const Walked walked = run_timing_model(launch, code, p);

  shares.add(walked, clocks_of(walked, count(work.issue.slots), whole, at_once) * clock_ns);

  if (!whole) charge_rest(work, launch, p, codes, shares);
  // The total work of all blocks is known, regardless of the traces: nothing is faster than its unit.
  const double sectors = count(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors);
  const double first = first_sectors(launch.footprints);
  at_least(b, &CostBounds::atomics, work.atomic_clocks * clock_ns);
  const double issued = walked.slots > 0 ? walked.issued / walked.slots : 1;
  at_least(b, &CostBounds::issue,
           issued * count(work.issue.slots) / (p.issue_per_clock * launch.busy) * clock_ns);
  if (p.l1_bytes <= 0 && p.l2_bytes > 0)
    at_least(b, &CostBounds::l2, sectors / (p.sectors_per_clock * launch.busy) * clock_ns);
  at_least(b, &CostBounds::memory, first * kSectorBytes / p.memory_gb_per_s);
  at_least(b, &CostBounds::latency, work.chain_clocks * clock_ns);
  if (is_uneven(work.lengths, work.grid)) wait_for_longest(work, registers, p, codes, shares);
  return {b, use_of(work, code, walked, b.total(), p), lines_of(shares)};
}

double estimate_copy(std::uint64_t bytes, const DeviceProfile& p) {
  return p.copy_us * 1e3 + count(bytes) / p.copy_gb_per_s;
}

double estimate_peer_copy(std::uint64_t bytes, bool direct, const DeviceProfile& p) {
  return direct ? p.peer_us * 1e3 + count(bytes) / p.peer_gb_per_s
                : p.copy_us * 1e3 + count(bytes) / p.staged_gb_per_s;
}

double estimate_on_device(OnDevice what, std::uint64_t width, std::uint64_t rows, const DeviceProfile& p) {
  // A row is transferred in whole sectors: a column is copied as slowly as by a kernel.
  const double sectors = std::ceil(count(width) / kSectorBytes) * count(rows);
  const double passes = what == OnDevice::Copy ? 2 : 1;
  return p.launch_us * 1e3 + passes * sectors * kSectorBytes / (p.memory_gb_per_s * kBandwidthEfficiency);
}

}  // namespace cudalabs::sim
