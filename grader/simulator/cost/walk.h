#pragma once
// A multiprocessor that executes traced blocks: a few of them at a time, warp by warp, instruction by
// instruction, each as soon as its operands, its unit and its scheduler are there. What comes out is
// the same on every machine.

#include "grader/simulator/cost/bounds.h"
#include "grader/simulator/cost/memory_path.h"
#include "grader/simulator/cost/profile.h"
#include "grader/simulator/cost/script.h"

namespace cudalabs::sim {

struct Walked {
  double clocks = 0;  ///< of the launch, from its begin
  double slots = 0;   ///< machine instructions of all its blocks, if all are like those that were walked
  double issued = 0;  ///< the same as the walk issues them: less what ptxas makes one instruction of
  double late = 1;    ///< how long the second half of the instructions took, over half of the time
  CostBounds waits;   ///< what the warps waited for, in parts of 1
};

Walked walk(const WalkedLaunch& launch, const CodeOf& code, const DeviceProfile& profile);

}  // namespace cudalabs::sim
