#pragma once
// The machine instructions that the hardware's compiler generates for an atomic (docs/counters.md): they
// determine its cost.

#include <cstdint>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

struct AtomicForm {
  enum class Kind : std::uint8_t {
    None,       ///< not an atomic
    Plain,      ///< one operation for each lane
    Increment,  ///< add of the constant 1 without use of the result: in shared memory, lanes at one address
                ///< share
    CompareAndSwap,
    Loop,  ///< in shared memory: rounds of a load and a compare-and-swap
  };
  Kind kind = Kind::None;
  bool combined = false;  ///< the warp combines its operands first, and one lane performs the operation
  bool operator==(const AtomicForm&) const = default;
};

/// By index into Function::body; empty if the function has no atomic.
std::vector<AtomicForm> atomic_forms(const ptx::Function& function);

}  // namespace cudalabs::sim
