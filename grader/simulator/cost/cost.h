#pragma once
// An estimated time from what a launch counted. Not a prediction of a clock: a yardstick that is the same on
// every machine and moves the right way when a kernel does less work, conflicts less, or hides its latency
// better.

#include <cstdint>

#include "grader/simulator/simulator.h"

namespace cudalabs::sim {

/// A card, as far as the estimate needs it. The defaults are an NVIDIA A100 (SXM, 40 GB), from its data sheet
/// and the CUDA C++ Programming Guide's table of technical specifications; latencies are rounded from
/// published microbenchmarks of the architecture.
struct DeviceProfile {
  double clock_ghz = 1.41;
  double multiprocessors = 108;
  double issue_per_clock = 4;              ///< warp instructions a multiprocessor starts in a clock
  double shared_wavefronts_per_clock = 1;  ///< a multiprocessor
  double sectors_per_clock = 2;            ///< 32-byte sectors that a multiprocessor gets from L2 in a clock
  double memory_gb_per_s = 1555;
  double warps_resident = 64;  ///< a multiprocessor
  double blocks_resident = 32;
  double shared_bytes = 164 * 1024;  ///< a multiprocessor
  double global_latency = 450;       ///< clocks
  double shared_latency = 25;
  double arithmetic_latency = 4;
  double memory_parallelism = 4;  ///< loads of one warp in flight, on the average
  double launch_ns = 2500;
};

struct LaunchShape {
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< a block, static and dynamic
};

/// The bounds whose sum the estimate is, in nanoseconds.
struct CostBounds {
  double launch = 0;   ///< starting a kernel at all
  double issue = 0;    ///< warp instructions over issue slots
  double shared = 0;   ///< wavefronts over the shared-memory pipe
  double sectors = 0;  ///< sectors over the path to L2
  double memory = 0;   ///< bytes over DRAM bandwidth, every sector fetched once a request
  double latency = 0;  ///< what the resident warps cannot hide
  [[nodiscard]] double total() const { return launch + issue + shared + sectors + memory + latency; }
};

CostBounds estimate(const Counters& counters, const LaunchShape& shape, const DeviceProfile& profile = {});

}  // namespace cudalabs::sim
