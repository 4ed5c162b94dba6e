#pragma once
// Bytes that nobody has written, on their way from memory to memory: what copies a structure copies its
// padding, too, and a vector's element that is not used.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>

#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/program.h"
#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

class Dataflow;

/// Of the registers of a worker's warps.
class CarriedBytes {
 public:
  [[nodiscard]] bool empty() const { return carried_.empty(); }
  void end_block(std::uint64_t block);

  /// What this lane loads has these bytes unwritten, a bit each.
  void load(std::uint64_t block, const WarpAccess& a, std::uint32_t lane, std::uint32_t unwritten);
  /// The bytes, a bit each, that this lane is about to store and that nobody has written.
  [[nodiscard]] std::uint32_t stored(std::uint64_t block, const WarpAccess& a, std::uint32_t lane) const;

 private:
  /// Block, warp, program, register.
  using Key = std::tuple<std::uint64_t, std::uint32_t, const Program*, std::uint32_t>;
  /// By lane, a bit each byte of the register.
  std::map<Key, std::array<std::uint8_t, kLanes>> carried_;
};

/// Does all that this load brings go to memory again, as it is, and nowhere else?
bool only_moves(const ptx::Function& function, const Dataflow& flow, std::uint32_t instruction);

}  // namespace cudalabs::sim
