#pragma once
// The timing model: a multiprocessor that executes traced blocks. It runs a few of them at a time, warp by
// warp, and each instruction as soon as its operands, its unit and its scheduler are ready. The result is the
// same on every machine.

#include "grader/sim/timing/bounds.h"
#include "grader/sim/timing/memory_path.h"
#include "grader/sim/timing/profile.h"
#include "grader/sim/timing/script.h"

namespace cudalabs::sim {

/// A part of the waits, by the instruction because of which a warp waited.
struct InstructionWait {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into the function's body
  double share = 0;
};

struct Walked {
  double clocks = 0;  ///< of the launch, from its beginning
  double slots = 0;   ///< machine instructions of all its blocks, if all are like the modelled ones
  double issued = 0;  ///< the same as issued by the timing model: without those that ptxas merges
  double late = 1;    ///< time of the second half of the instructions, relative to half of the time
  double warps = 0;   ///< resident on an active multiprocessor, on average
  // 32-byte sectors moved for all blocks of the launch.
  double memory_sectors = 0, l2_sectors = 0;
  CostBounds waits;                           ///< what the warps waited for, as parts of 1
  std::vector<InstructionWait> instructions;  ///< the same waits; if WalkedLaunch::by_line
};

Walked run_timing_model(const WalkedLaunch& launch, const CodeOf& code, const DeviceProfile& profile);

}  // namespace cudalabs::sim
