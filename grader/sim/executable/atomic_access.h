#pragma once
// How the hardware performs a warp's atomic.

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

inline AtomicForm atomic_form(const WarpAccess& a) {
  return a.program->atomics[a.program->source[a.instruction]];
}
/// The lanes that access memory: only one if the warp combines its operands first.
inline std::uint32_t atomic_lanes(const WarpAccess& a) {
  return atomic_form(a).combined ? a.mask & (~a.mask + 1) : a.mask;
}

}  // namespace cudalabs::sim
