#pragma once
// Propagates uninitialized bytes through registers from memory to memory: a copy of a structure also copies
// its padding, and a vector copy also copies unused elements.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

class Dataflow;

/// Uninitialized bytes in the registers of a worker's warps.
class UninitializedPropagation {
 public:
  [[nodiscard]] bool empty() const { return carried_.empty(); }
  void end_block(std::uint64_t block);

  /// Records which bytes that this lane loads are uninitialized, a bit each.
  void load(std::uint64_t block, const WarpAccess& a, std::uint32_t lane, std::uint32_t unwritten);
  /// The uninitialized bytes, a bit each, among those that this lane is about to store.
  [[nodiscard]] std::uint32_t stored(std::uint64_t block, const WarpAccess& a, std::uint32_t lane) const;

 private:
  /// Block, warp, program, register.
  using Key = std::tuple<std::uint64_t, std::uint32_t, const Program*, std::uint32_t>;
  /// By lane, a bit each byte of the register.
  std::map<Key, std::array<std::uint8_t, kLanes>> carried_;
};

/// Does the program only store the loaded bytes again, unchanged, and use them nowhere else?
bool only_moves(const ptx::Function& function, const Dataflow& flow, std::uint32_t instruction);

}  // namespace cudalabs::sim
