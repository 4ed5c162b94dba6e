#include "grader/simulator/cost/cost.h"

#include <algorithm>
#include <cmath>

namespace cudalabs::sim {
namespace {

constexpr double kSector = 32;

/// Of a peak bandwidth, of memory or of the way to L2, what a kernel that only copies reaches.
constexpr double kBandwidthEfficiency = 0.8;
/// Loads of a warp whose sectors a cache must keep until the next access to them.
constexpr double kLiveLoads = 2;
/// A store takes the place of a whole line on its way to L2, whichever part of it is written.
constexpr double kSectorsOfLine = 4;
/// Lines that L1 looks up in a clock: 1000 threads that each walk along a row of 1000 floats take an H200 63, 125 and 233 us
/// in blocks of 256, 512 and 1024, on 4, 2 and 1 multiprocessors at 1.98 GHz: a million lines in 2.0, 2.0 and 2.2 a clock.
constexpr double kLinesAtOnce = 2;

double count(std::uint64_t v) { return static_cast<double>(v); }
double share(double part, double whole) { return whole <= 0 ? 1 : std::min(1.0, part / whole); }

/// What a multiprocessor holds of the launch.
struct Occupancy {
  double busy = 1;    ///< multiprocessors at work
  double blocks = 1;  ///< resident on each of them
  double warps = 1;
  double waves = 1;  ///< rounds of resident blocks, one after the other
};

Occupancy occupancy(const LaunchWork& work, const DeviceProfile& p) {
  const double blocks = count(work.grid.count());
  const double warps = std::ceil(count(work.block.count()) / 32);
  Occupancy o;
  o.busy = std::min(p.multiprocessors, blocks);
  o.blocks = std::min(p.blocks_resident, std::floor(p.warps_resident / warps));
  if (work.shared_bytes > 0) o.blocks = std::min(o.blocks, std::floor(p.shared_bytes / work.shared_bytes));
  o.blocks = std::max(1.0, std::min(o.blocks, std::ceil(blocks / o.busy)));
  o.warps = o.blocks * warps;
  o.waves = std::max(1.0, blocks / (o.busy * o.blocks));
  return o;
}

/// Sectors by where they are found.
struct Sectors {
  double l1 = 0, l2 = 0, memory = 0;
};

Sectors where_found(double accessed, const Reuse& reuse, double live, double l1_bytes, double l2_bytes,
                    double busy) {
  Sectors found;
  if (l2_bytes <= 0) {
    found.memory = accessed;
    return found;
  }
  // The blocks looked at stand for all.
  const double first_in_block = accessed * share(reuse.by_block, reuse.accessed);
  const double first = std::min(first_in_block, reuse.spanned);
  const double again = accessed - first_in_block;  // met before by the same block
  const double shared = first_in_block - first;    // met before by another block
  found.l1 = l1_bytes > 0 ? again * share(l1_bytes, live) : 0;
  const double again_l2 = (again - found.l1) * share(l2_bytes, live * busy);
  const double shared_l2 = shared * share(l2_bytes, first * kSector);
  found.l2 = again_l2 + shared_l2;
  found.memory = accessed - found.l1 - found.l2;
  return found;
}

}  // namespace

CostBounds estimate(const LaunchWork& work, const DeviceProfile& p) {
  const Counters& c = work.counters;
  const Occupancy o = occupancy(work, p);
  const double clock_ns = 1 / p.clock_ghz;
  const double warps = count(work.grid.count()) * std::ceil(count(work.block.count()) / 32);

  const double counted =
      count(c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts);
  const double own = p.usual_banks() ? counted : work.traffic.wavefronts;
  const double wavefronts = own * (1 - share(count(work.issue.merged_wavefronts), std::max(counted, 1.0)));

  // A warp's last accesses are what a cache must keep for the next ones to find.
  const double loads = count(c.global_load_requests), load_sectors = count(c.global_load_sectors);
  const double live = o.warps * (loads > 0 ? load_sectors / loads : 0) * kSector * kLiveLoads;
  const Sectors load = where_found(load_sectors, work.traffic.loads, live, p.l1_bytes, p.l2_bytes, o.busy);
  const Sectors store =
      where_found(count(c.global_store_sectors), work.traffic.stores, live, 0, p.l2_bytes, o.busy);
  // What L1 serves passes the same pipe as shared memory: a request at a time, of full lines one, of lines of which less is
  // needed two.
  const double l1_lines = load.l1 * share(work.traffic.loads.lines, work.traffic.loads.accessed);
  const double l1_requests = load_sectors > 0 ? loads * load.l1 / load_sectors : 0;
  const double l1_passes = std::max({l1_requests, l1_lines / kLinesAtOnce, load.l1 / kSectorsOfLine});
  const double atomics = count(c.global_atomic_sectors);  // done in L2
  const Reuse& stores = work.traffic.stores;
  const double store_places =
      stores.accessed > 0 ? count(c.global_store_sectors) * stores.lines / stores.accessed * kSectorsOfLine
                          : 0;
  double past_l1 = load.l2 + load.memory + store_places + atomics;
  double from_memory = load.memory + store.memory;
  if (p.l2_bytes <= 0) from_memory = work.traffic.sectors;

  CostBounds b;
  b.launch = p.launch_us * 1e3;
  b.issue = count(work.issue.slots) / (p.issue_per_clock * o.busy) * clock_ns;
  b.doubles = count(work.issue.doubles) / (p.double_per_clock * o.busy) * clock_ns;
  b.shared = (wavefronts + l1_passes) / (p.wavefronts_per_clock * o.busy) * clock_ns;
  if (p.l2_bytes > 0) b.l2 = past_l1 / (p.sectors_per_clock * kBandwidthEfficiency * o.busy) * clock_ns;
  b.memory = from_memory * kSector / (p.memory_gb_per_s * kBandwidthEfficiency);

  b.atomics = work.atomic_clocks * clock_ns;

  const double load_latency =
      load_sectors > 0
          ? (load.l1 * p.l1_latency + load.l2 * p.l2_latency + load.memory * p.memory_latency) / load_sectors
          : 0;
  const double waits =
      count(work.issue.memory_waits) * load_latency + count(c.global_atomic_requests) * p.l2_latency +
      count(work.issue.shared_waits) * p.shared_latency +
      count(work.issue.arithmetic_waits) * p.arithmetic_latency + count(c.barriers) * p.barrier_latency;
  b.latency = o.waves * waits / std::max(warps, 1.0) * clock_ns;
  return b;
}

double estimate_copy(std::uint64_t bytes, const DeviceProfile& p) {
  return p.copy_us * 1e3 + count(bytes) / p.copy_gb_per_s;
}

double estimate_on_device(OnDevice what, std::uint64_t width, std::uint64_t rows, const DeviceProfile& p) {
  // What a row begins and ends with are whole sectors: a column is copied as slowly as a kernel would.
  const double sectors = std::ceil(count(width) / kSector) * count(rows);
  const double passes = what == OnDevice::Copy ? 2 : 1;
  return p.launch_us * 1e3 + passes * sectors * kSector / (p.memory_gb_per_s * kBandwidthEfficiency);
}

}  // namespace cudalabs::sim
