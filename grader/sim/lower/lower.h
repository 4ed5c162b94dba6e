#pragma once
// Lowers a PTX module to programs that the warps run.

#include <memory>
#include <vector>

#include "grader/base/result.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {

/// Context for lowering a module.
struct LowerContext {
  /// addresses of module.variables in global memory; those of shared variables are unused
  std::vector<std::uint64_t> variable_addresses;
};

/// One program for each function, in the order of module.functions; declarations stay empty. The module must
/// outlive them. Error: an instruction that cannot be executed, with its text, place, and a replacement.
Result<std::vector<std::unique_ptr<Program>>> lower(const ptx::Module& module, const LowerContext& context);

}  // namespace cudalabs::sim
