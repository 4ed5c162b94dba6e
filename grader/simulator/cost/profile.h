#pragma once
// A card, as far as an estimated time needs it. Numbers only,
// so that a profile travels between processes as it is.

namespace cudalabs::sim {

/// The values are those of configs/devices/a100.yaml, the card that a time is estimated for unless told
/// otherwise (docs/estimate.md says where each comes from). "A clock" is one of `clock_ghz`.
struct DeviceProfile {
  double clock_ghz = 1.41;
  double multiprocessors = 108;
  // What a multiprocessor holds at a time.
  double warps_resident = 64;
  double blocks_resident = 32;
  double shared_bytes = 164 * 1024;
  double registers = 65536;          ///< of 32 bits
  double block_launch_clocks = 1.2;  ///< between two blocks that begin, anywhere on the card
  // What a multiprocessor does in a clock, in warp instructions.
  double issue_per_clock = 4;
  double float_per_clock = 2;    ///< single-precision arithmetic
  double integer_per_clock = 2;  ///< bits, comparisons, shifts
  double product_per_clock = 2;  ///< products of 32-bit integers
  double special_per_clock = 0.5;
  double double_per_clock = 1;  ///< double-precision arithmetic
  // Shared memory: lanes that are served at once, and the banks that they meet in. `bank_bytes` 8 with
  // `bank_mode_bytes` 4 or 8: the two modes of Kepler.
  double shared_lanes = 32;
  double shared_banks = 32;
  double bank_bytes = 4;
  double bank_mode_bytes = 4;
  double wavefronts_per_clock = 1;  ///< a multiprocessor
  // The way to memory.
  double l1_bytes = 128 * 1024;  ///< of a multiprocessor, for global loads; 0: they are not cached there
  double l2_bytes = 40 * 1024 * 1024;  ///< of the card; 0: there is none
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
  // Between two cards of one machine: straight, where one may access the other, and else through the host.
  double peer_us = 6.2;  ///< a copy, besides its bytes; through the host it takes copy_us
  double peer_gb_per_s = 261;
  double staged_gb_per_s = 18.6;

  bool operator==(const DeviceProfile&) const = default;
};

}  // namespace cudalabs::sim
