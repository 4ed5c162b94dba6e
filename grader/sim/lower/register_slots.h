#pragma once
// Lets registers of a function share slots of its frame. PTX uses a new register for every value, so an
// unrolled loop has hundreds; sharing keeps the frames of a block's warps in the L1 cache.

#include <cstdint>
#include <vector>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

struct RegisterSlots {
  static constexpr std::uint32_t kOwn = 0xFFFFFFFFu;
  /// By register: a number that registers of one width share if their live ranges are disjoint; kOwn for
  /// predicates, and for all registers of a function that is too large to analyze.
  std::vector<std::uint32_t> shared;
  bool reads_unwritten = true;  ///< some register may be read before it is written, or this was not analyzed
};

RegisterSlots share_slots(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
