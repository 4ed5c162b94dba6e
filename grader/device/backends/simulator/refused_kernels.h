#pragma once
// Loads modules that may hold kernels with instructions that the simulator lacks. The other kernels run.

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "grader/sim/simulator.h"

namespace cudalabs {

struct LoadedModule {
  std::shared_ptr<sim::Module> module;
  /// why, by mangled name; in the module these kernels do nothing
  std::map<std::string, Message> refused;
};

/// Loads PTX. Error: a problem outside of kernels, or no kernel that can run.
Result<LoadedModule> load_what_can_run(sim::Simulator& simulator, std::string_view ptx,
                                       const std::string& name, const sim::RegisterCounts& registers = {},
                                       const sim::SharedVariables& shared = {});

}  // namespace cudalabs
