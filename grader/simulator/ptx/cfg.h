#pragma once
// Basic blocks of a function and where its branches come together again.

#include <cstdint>
#include <vector>

#include "grader/simulator/ptx/ir.h"

namespace cudalabs::ptx {

/// Instructions [first, end) that run one after the other. `successors` has no duplicates; `cfg.exit()`
/// stands for leaving the function.
struct BasicBlock {
  std::uint32_t first = 0, end = 0;
  std::vector<std::uint32_t> successors;
};

struct Cfg {
  std::vector<BasicBlock> blocks;  ///< in text order; empty for a function without a body
  /// By index into Function::body, and exit() behind its end, where a label may stand.
  std::vector<std::uint32_t> block_of_instruction;
  /// By block: the nearest block that every way out of the function passes
  /// through; `exit()` where there is none. Of an endless loop, the last block
  /// counts as a way out, so that branches inside it have a place to meet.
  std::vector<std::uint32_t> ipdom;

  [[nodiscard]] std::uint32_t exit() const { return static_cast<std::uint32_t>(blocks.size()); }
};

/// Time and memory are nearly linear in the instructions and branch targets.
Cfg build_cfg(const Function& function);

}  // namespace cudalabs::ptx
