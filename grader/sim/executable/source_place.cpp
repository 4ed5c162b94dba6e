#include "grader/sim/executable/source_place.h"

#include <algorithm>
#include <span>

#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using ptx::LocId;

/// For code that was inlined from a header of the toolchain, the line that a student can change is further
/// out.
LocId outside_toolchain(const ptx::Module& module, LocId loc) {
  const auto& locations = module.locations;
  for (int depth = 0; depth < 64 && locations[loc].of_toolchain && locations[loc].inlined_at != 0; ++depth)
    loc = locations[loc].inlined_at;
  return loc;
}

/// A line of the user's program; 0: there is none.
LocId own_line(const ptx::Module& module, const ptx::Instruction& in) {
  const LocId loc = outside_toolchain(module, in.loc);
  return module.locations[loc].of_toolchain ? 0 : loc;
}

SourcePlace place_of(const ptx::Module& module, LocId loc) {
  if (loc == 0) return {};
  const ptx::SourceLoc& place = module.locations[loc];
  return {module.files[place.file], place.line};
}

/// clang does not record where it inlined a header's code: the nearest line of the user's program before it
/// in the function's body, or otherwise behind it, is probably that of the call. 0: there is none nearby.
LocId nearest_own_line(const ptx::Module& module, const ptx::Function& function, std::uint32_t at) {
  constexpr std::uint32_t kFar = 256;  // instructions
  const auto& body = function.body;
  for (std::uint32_t k = at; k > 0 && at - k < kFar; --k)
    if (const LocId own = own_line(module, body[k - 1]); own != 0) return own;
  for (std::uint32_t k = at + 1; k < body.size() && k - at < kFar; ++k)
    if (const LocId own = own_line(module, body[k]); own != 0) return own;
  return 0;
}

bool names(const ptx::Operand& operand, std::uint32_t reg) {
  switch (operand.kind) {
    case ptx::OperandKind::Register: return operand.reg == reg;
    case ptx::OperandKind::Address: return operand.base_is_register && operand.reg == reg;
    case ptx::OperandKind::Vector:
      return std::ranges::any_of(operand.elements,
                                 [reg](const ptx::Operand& element) { return names(element, reg); });
    default: return false;
  }
}

/// The register of an operand, or the first register of a vector.
std::optional<std::uint32_t> register_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::OperandKind::Register) return operand.reg;
  for (const ptx::Operand& element : operand.elements)
    if (element.kind == ptx::OperandKind::Register) return element.reg;
  return std::nullopt;
}

}  // namespace

SourcePlace source_place(const Program& program, std::uint32_t pc) {
  if (pc >= program.source.size() || program.source[pc] >= program.function->body.size()) return {};
  return source_place(*program.module, *program.function, program.source[pc]);
}

SourcePlace source_place(const ptx::Module& module, const ptx::Function& function, std::uint32_t index) {
  const LocId loc = outside_toolchain(module, function.body[index].loc);
  const LocId near = module.locations[loc].of_toolchain ? nearest_own_line(module, function, index) : 0;
  return place_of(module, near != 0 ? near : loc);
}

bool same_source(const Program& one, std::uint32_t pc, const Program& other, std::uint32_t other_pc) {
  const auto& locations = one.module->locations;
  const auto& others = other.module->locations;
  ptx::LocId a = one.function->body[one.source[pc]].loc, b = other.function->body[other.source[other_pc]].loc;
  while (a != 0 && b != 0) {
    if (one.module->files[locations[a].file] != other.module->files[others[b].file] ||
        locations[a].line != others[b].line || locations[a].column != others[b].column)
      return false;
    a = locations[a].inlined_at;
    b = others[b].inlined_at;
  }
  return a == b;
}

SuspectPlace suspect_place(const Program& program, std::uint32_t pc) {
  SuspectPlace place{source_place(program, pc), SuspectPlace::By::ItsLine};
  if (place.line == 0) return place;
  const std::vector<ptx::Instruction>& body = program.function->body;
  const std::uint32_t at = program.source[pc];
  const auto& locations = program.module->locations;
  const auto has_line = [&](const ptx::Instruction& in) {
    return !locations[in.loc].moved && own_line(*program.module, in) != 0;
  };
  if (has_line(body[at])) return place;
  const bool moved = locations[body[at].loc].moved;
  if (moved) place.by = SuspectPlace::By::LineBefore;
  const auto take = [&](const ptx::Instruction& in, SuspectPlace::By by) {
    static_cast<SourcePlace&>(place) = place_of(*program.module, own_line(*program.module, in));
    if (moved) place.by = by;
    return place;
  };
  const ptx::Access access = ptx::access_of(body[at]);
  if (body[at].operands.size() < 2) return place;
  if (access == ptx::Access::Load) {
    const auto loaded = register_of(body[at].operands[0]);
    for (std::size_t i = at + 1; loaded && i < body.size(); ++i) {
      const std::span<const ptx::Operand> operands(body[i].operands);
      const bool uses = std::ranges::any_of(operands, [&](const ptx::Operand& operand) {
        return (&operand != operands.data() || ptx::access_of(body[i]) == ptx::Access::Store) &&
               names(operand, *loaded);
      });
      if (uses && has_line(body[i])) return take(body[i], SuspectPlace::By::Use);
    }
  } else if (access == ptx::Access::Store) {
    const auto stored = register_of(body[at].operands[1]);
    for (std::size_t i = at; stored && i-- > 0;) {
      const bool makes = !body[i].operands.empty() && ptx::access_of(body[i]) != ptx::Access::Store &&
                         names(body[i].operands[0], *stored);
      if (makes && has_line(body[i])) return take(body[i], SuspectPlace::By::Making);
    }
  }
  return place;
}

}  // namespace cudalabs::sim
