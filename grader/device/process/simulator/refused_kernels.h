#pragma once
// A module may hold kernels that the simulator has no instructions for. The others run.

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "grader/simulator/simulator.h"

namespace cudalabs {

struct LoadedModule {
  std::shared_ptr<sim::Module> module;
  std::map<std::string, std::string> refused;  ///< why, by mangled name: in the module these do nothing
};

/// Loads PTX. Error: what is wrong outside of kernels, or that no kernel is left.
Result<LoadedModule> load_what_can_run(sim::Simulator& simulator, std::string_view ptx,
                                       const std::string& name, const sim::RegisterCounts& registers = {},
                                       const sim::SharedVariables& shared = {});

}  // namespace cudalabs
