#pragma once
// The results of AccessMap, as plain values.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grader/sim/base/types.h"

namespace cudalabs::sim {

/// One access of one warp to shared memory.
struct SharedExample {
  AccessKind kind{};
  bool lanes_share = true;   ///< lanes that read one word share a wavefront; most atomics do not
  std::uint32_t width = 4;   ///< bytes a lane: 1, 2, 4, 8 or 16
  std::uint32_t mask = 0;    ///< lanes that access memory; 0: there is no example
  std::uint32_t degree = 0;  ///< bank_load() of its worst pass and bank
  std::array<std::uint32_t, 3> block{};
  std::uint32_t warp = 0;                   ///< of the block
  std::array<std::uint32_t, 32> offsets{};  ///< bytes into the block's shared memory; 0 for inactive lanes
  std::string variable;                     ///< "tile"; "" if not known
  std::uint32_t variable_offset = 0;        ///< where it begins
  bool operator==(const SharedExample&) const = default;
};

struct LineAccesses {
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t shared_accesses = 0;          ///< of a warp with at least one active lane
  std::uint64_t shared_ideal_wavefronts = 0;  ///< wavefronts needed without bank conflicts
  std::uint64_t global_ideal_sectors = 0;     ///< the fewest sectors that hold the requested bytes
  SharedExample worst;  ///< the highest degree; among equals the lowest block, then warp
  bool operator==(const LineAccesses&) const = default;
};

/// The lanes that are served together: a pass moves at most 128 bytes. As masks, in order; never empty.
std::vector<std::uint32_t> passes(const SharedExample& access);

/// By bank: the words that it serves one after the other for the lanes of `pass`, each with the lanes
/// that request it, in the order of the lowest lane.
struct BankWord {
  std::uint32_t word = 0;  ///< offset / 4
  std::uint32_t lanes = 0;
};
using BankLoad = std::array<std::vector<BankWord>, 32>;
BankLoad bank_load(const SharedExample& access, std::uint32_t pass);

}  // namespace cudalabs::sim
