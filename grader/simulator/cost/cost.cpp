#include "grader/simulator/cost/cost.h"

#include <algorithm>
#include <cmath>

namespace cudalabs::sim {

CostBounds estimate(const Counters& c, const LaunchShape& shape, const DeviceProfile& p) {
  const auto blocks = static_cast<double>(shape.grid.count());
  const double warps_a_block = std::ceil(static_cast<double>(shape.block.count()) / 32);
  const double warps = blocks * warps_a_block;
  const double busy = std::min(p.multiprocessors, blocks);
  double resident = std::min(p.blocks_resident, std::floor(p.warps_resident / warps_a_block));
  if (shape.shared_bytes > 0) resident = std::min(resident, std::floor(p.shared_bytes / shape.shared_bytes));
  resident = std::max(resident, 1.0);
  const double waves = std::ceil(blocks / (p.multiprocessors * resident));

  const auto n = [](std::uint64_t v) { return static_cast<double>(v); };
  const double shared_accesses =
      n(c.shared_load_instructions + c.shared_store_instructions + c.shared_atomic_instructions);
  const double wavefronts =
      n(c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts);
  const double requests = n(c.global_load_requests + c.global_atomic_requests + c.local_load_requests);
  const double sectors = n(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors);
  const double clock_ns = 1 / p.clock_ghz;

  CostBounds b;
  b.launch = p.launch_ns;
  b.issue = n(c.warp_instructions) / (p.issue_per_clock * busy) * clock_ns;
  b.shared = wavefronts / (p.shared_wavefronts_per_clock * busy) * clock_ns;
  b.sectors = sectors / (p.sectors_per_clock * busy) * clock_ns;
  b.memory = sectors * 32 / p.memory_gb_per_s;
  // A warp's own chain of waits, one wave of resident blocks after the other.
  const double chain =
      (requests * p.global_latency / p.memory_parallelism + shared_accesses * p.shared_latency / 2 +
       n(c.warp_instructions) * p.arithmetic_latency / 2) /
      std::max(warps, 1.0);
  b.latency = waves * chain * clock_ns;
  return b;
}

}  // namespace cudalabs::sim
