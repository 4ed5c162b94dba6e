#pragma once
// Which registers of a function share a place in its frame. PTX names a new register for every value, so that
// an unrolled loop has hundreds; sharing keeps the frames of a block's warps in the first-level cache.

#include <cstdint>
#include <vector>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/ir.h"

namespace cudalabs::sim {

struct RegisterSlots {
  static constexpr std::uint32_t kOwn = 0xFFFFFFFFu;
  /// By register: a number shared by registers of one width that never live at the same time; kOwn for
  /// predicates, and for all registers of a function that is too large to look at.
  std::vector<std::uint32_t> shared;
  bool reads_unwritten = true;  ///< some register may be read before it is written, or nobody looked
};

RegisterSlots share_slots(const ptx::Function& function, const Dataflow& flow);

}  // namespace cudalabs::sim
