#pragma once
// A device as the estimate sees it. Numbers only, so that a profile can be passed between processes as raw
// bytes.

#include <cstdint>

#include "grader/sim/base/shared_banks.h"

namespace cudalabs::sim {

/// The default values are those of configs/devices/a100.yaml, the default device of estimates
/// (docs/estimate.md gives their sources). A clock is a cycle of `clock_ghz`.
struct DeviceProfile {
  double compute_capability = 8.0;
  double clock_ghz = 1.41;
  double multiprocessors = 108;
  // Limits of a multiprocessor's resident work.
  double warps_resident = 64;
  double blocks_resident = 32;
  double shared_bytes = 164 * 1024;
  double registers = 65536;          ///< of 32 bits
  double block_launch_clocks = 1.2;  ///< between the starts of two blocks, anywhere on the device
  // Throughput of a multiprocessor, in warp instructions per clock.
  double issue_per_clock = 4;
  double float_per_clock = 2;    ///< single-precision arithmetic
  double integer_per_clock = 2;  ///< bits, comparisons, shifts
  double product_per_clock = 2;  ///< products of 32-bit integers
  double special_per_clock = 0.5;
  double double_per_clock = 1;  ///< double-precision arithmetic
  // Shared memory: the number of lanes served together, and the banks. `bank_bytes` 8 with `bank_mode_bytes`
  // 4 or 8: the two modes of Kepler.
  double shared_lanes = 32;
  double shared_banks = 32;
  double bank_bytes = 4;
  double bank_mode_bytes = 4;
  double wavefronts_per_clock = 1;  ///< for each multiprocessor
  // The memory hierarchy.
  double l1_bytes = 128 * 1024;        ///< of a multiprocessor, for global loads; 0: L1 does not cache them
  double l2_bytes = 40 * 1024 * 1024;  ///< of the device; 0: there is none
  double sectors_per_clock = 1.5;      ///< 32-byte sectors between a multiprocessor and L2 (or memory)
  double memory_gb_per_s = 1555;
  // Latencies, in clocks.
  double memory_latency = 470;
  double l2_latency = 260;
  double l1_latency = 38;
  double shared_latency = 29;
  double arithmetic_latency = 4;
  double barrier_latency = 20;
  // The host's side.
  double launch_us = 2.5;
  double copy_us = 15;       ///< a synchronous copy, besides its bytes
  double copy_gb_per_s = 8;  ///< pageable memory
  // Copies between two devices of one machine: direct with peer access, otherwise through the host.
  double peer_us = 6.2;  ///< fixed cost of a copy; through the host it is copy_us
  double peer_gb_per_s = 261;
  double staged_gb_per_s = 18.6;

  bool operator==(const DeviceProfile&) const = default;
};

inline SharedBanks banks_of(const DeviceProfile& profile) {
  const auto whole = [](double number) { return static_cast<std::uint32_t>(number); };
  return {whole(profile.shared_lanes), whole(profile.shared_banks), whole(profile.bank_bytes),
          whole(profile.bank_mode_bytes)};
}

}  // namespace cudalabs::sim
