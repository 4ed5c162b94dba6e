#include "grader/sim/executable/calls.h"

#include <algorithm>
#include <initializer_list>

#include "grader/sim/analysis/dataflow.h"

namespace cudalabs::sim {
namespace {

using Programs = std::vector<std::unique_ptr<Program>>;

/// True once the depth of all calls in the program is known.
bool set_deepest(Program& program) {
  std::uint32_t below = 0;
  for (const CallSite& site : program.calls) {
    if (site.builtin != ptx::Builtin::None) continue;
    if (site.callee == nullptr || !site.callee->deepest_stack) return false;
    below = std::max(below, *site.callee->deepest_stack);
  }
  program.deepest_stack = program.local_bytes + below;
  return true;
}

/// What a call of the function takes of the stack: its arrays, the return address, and the registers that it
/// keeps over a call of its own.
std::uint32_t stack_bytes(const Program& program) {
  constexpr std::uint32_t kReturnAddress = 8, kUnit = 8;
  const ptx::Function& function = *program.function;
  const Dataflow flow(function);
  std::vector<std::uint32_t> calls;
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    if (function.body[i].op == ptx::Op::Call) calls.push_back(i);
  }
  std::uint32_t kept = 0;
  for (std::size_t r = 0; r < function.registers.size(); ++r) {
    if (flow.writers[r].empty() || flow.readers[r].empty()) continue;
    const auto call = std::ranges::upper_bound(calls, flow.writers[r].front());
    if (call == calls.end() || *call >= flow.readers[r].back().instruction) continue;
    const int bytes = ptx::size_of(function.registers[r].type);
    kept += bytes == 0 ? 0 : std::max<std::uint32_t>(4, static_cast<std::uint32_t>(bytes));
  }
  return (program.local_bytes + kReturnAddress + kept + kUnit - 1) / kUnit * kUnit;
}

bool calls_pointer(const CallSite& site) {
  return site.callee == nullptr && site.builtin == ptx::Builtin::None;
}

/// True if a function of the module calls one of these functions of the runtime.
bool calls_any(const Programs& programs, std::initializer_list<ptx::Builtin> builtins) {
  return std::ranges::any_of(programs, [&](const auto& program) {
    return program && std::ranges::any_of(program->calls, [&](const CallSite& site) {
             return std::ranges::find(builtins, site.builtin) != builtins.end();
           });
  });
}

/// Properties of a callee that also apply to its callers. A function behind a pointer may have all of them.
void inherit(const Programs& programs) {
  const bool any_heap = calls_any(programs, {ptx::Builtin::Malloc, ptx::Builtin::Free});
  const bool any_printf = calls_any(programs, {ptx::Builtin::Vprintf});
  const bool any_wait = calls_any(programs, {ptx::Builtin::DeviceWait});
  bool changed = true;
  const auto set = [&changed](bool& property, bool holds) {
    changed = changed || (holds && !property);
    property = property || holds;
  };
  while (changed) {
    changed = false;
    for (const auto& p : programs) {
      if (!p) continue;
      for (const CallSite& site : p->calls) {
        const bool unknown = calls_pointer(site), called = site.callee != nullptr;
        const bool runtime = site.builtin != ptx::Builtin::None;
        set(p->waits, called && site.callee->waits);
        set(p->waits_for_children, site.builtin == ptx::Builtin::DeviceWait || (unknown && any_wait) ||
                                       (called && site.callee->waits_for_children));
        set(p->needs_block_order, unknown || (runtime && site.builtin != ptx::Builtin::AssertFail) ||
                                      (called && site.callee->needs_block_order));
        set(p->info.uses_heap, site.builtin == ptx::Builtin::Malloc || site.builtin == ptx::Builtin::Free ||
                                   (unknown && any_heap) || (called && site.callee->info.uses_heap));
        set(p->info.uses_printf, site.builtin == ptx::Builtin::Vprintf || (unknown && any_printf) ||
                                     (called && site.callee->info.uses_printf));
      }
    }
  }
}

void measure_stacks(const Programs& programs) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& program : programs) {
      if (program && !program->deepest_stack && set_deepest(*program)) changed = true;
    }
  }
  for (const auto& program : programs) {
    if (program) program->stack_bytes = program->deepest_stack ? program->local_bytes : stack_bytes(*program);
  }
}

}  // namespace

void follow_calls(const std::vector<std::unique_ptr<Program>>& programs) {
  inherit(programs);
  measure_stacks(programs);
}

}  // namespace cudalabs::sim
