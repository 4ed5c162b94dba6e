#pragma once
// Basic blocks of a function and the points where its branches reconverge.

#include <cstdint>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

/// Straight-line instructions [first, end). `successors` has no duplicates; `cfg.exit()` represents leaving
/// the function.
struct BasicBlock {
  std::uint32_t first = 0, end = 0;
  std::vector<std::uint32_t> successors;
};

struct Cfg {
  std::vector<BasicBlock> blocks;  ///< in text order; empty for a function without a body
  /// By index into Function::body, and exit() for the index behind it, where a label may be.
  std::vector<std::uint32_t> block_of_instruction;
  /// By block: the nearest block that all paths to the exit pass through; `exit()` if there is none. The last
  /// block of an endless loop counts as an exit, so that branches inside it can reconverge.
  std::vector<std::uint32_t> ipdom;

  [[nodiscard]] std::uint32_t exit() const { return static_cast<std::uint32_t>(blocks.size()); }
};

/// Time and memory are nearly linear in the instructions and branch targets.
Cfg build_cfg(const Function& function);

}  // namespace cudalabs::ptx
