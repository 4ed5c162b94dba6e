#pragma once
// What an atomic that a warp does is to the hardware.

#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

inline AtomicForm atomic_form(const WarpAccess& a) {
  return a.program->atomics[a.program->source[a.instruction]];
}
/// Of a warp that combines first, one lane is left.
inline std::uint32_t atomic_lanes(const WarpAccess& a) {
  return atomic_form(a).combined ? a.mask & (~a.mask + 1) : a.mask;
}

}  // namespace cudalabs::sim
