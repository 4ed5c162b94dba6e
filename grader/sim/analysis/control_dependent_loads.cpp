#include "grader/sim/analysis/control_dependent_loads.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using ptx::Access;
using ptx::Instruction;
using ptx::Op;
using ptx::Space;

/// The use of a register: it controls something, its value flows into others, or it is stored.
enum class Use : std::uint8_t { Decides, Passes, Ends };

/// Computes values from values, in its own lane, with no other effect than its results.
bool only_computes(const Instruction& in) {
  const ptx::Traits& traits = ptx::traits_of(in.op);
  const bool synchronises = ptx::is_barrier(in.op) || in.op == Op::Mbarrier || in.op == Op::Mapa;
  // A carry is not passed in a register.
  return ptx::access_of(in) == Access::None && !traits.varies && !traits.branched && !synchronises &&
         !in.has(ptx::Mod::Cc);
}

Use use_of(const ptx::Function& function, const Dataflow& flow, const Dataflow::Reader& reader, u32 reg) {
  const Instruction& in = function.body[reader.instruction];
  if (reader.role == Dataflow::Role::Address || (in.has_guard && in.guard == reg)) return Use::Decides;
  if (in.op == Op::St && in.space == Space::Global) return Use::Ends;
  const auto& written = flow.written[reader.instruction];
  const auto is_predicate = [&](u32 r) { return function.registers[r].type == ptx::Type::Pred; };
  const bool passes = only_computes(in) && !written.empty() && std::ranges::none_of(written, is_predicate);
  return passes ? Use::Passes : Use::Decides;
}

}  // namespace

bool loads_decide(const ptx::Function& function, const Dataflow& flow) {
  std::vector<bool> seen(function.registers.size());
  std::vector<u32> next;
  const auto follow = [&](u32 instruction) {
    for (const u32 reg : flow.written[instruction]) {
      if (!seen[reg]) next.push_back(reg);
      seen[reg] = true;
    }
  };
  for (u32 i = 0; i < function.body.size(); ++i) {
    const Instruction& in = function.body[i];
    // Values of callers and callees are not followed; and copies write to shared memory.
    if (in.op == Op::Call || ptx::access_of(in) == Access::Copy) return true;
    if (ptx::access_of(in) == Access::Load && (in.space == Space::Global || in.space == Space::Generic))
      follow(i);
  }
  while (!next.empty()) {
    const u32 reg = next.back();
    next.pop_back();
    for (const Dataflow::Reader& reader : flow.readers[reg]) {
      const Use use = use_of(function, flow, reader, reg);
      if (use == Use::Decides) return true;
      if (use == Use::Passes) follow(reader.instruction);
    }
  }
  return !function.is_entry;
}

}  // namespace cudalabs::sim
