#include "grader/simulator/program/source_place.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using namespace std::string_view_literals;

/// A header of the toolkit, of a compiler or of the C++ library, wherever it is installed. A folder called
/// include is not enough: programs have one of their own.
bool is_of_toolchain(std::string_view file) {
  static constexpr std::array kParts{
      "-linux/include/"sv,  // <toolkit>/targets/x86_64-linux/include: what nvcc names its own by
      "/usr/local/cuda"sv,  // named by -I
      "/usr/include/"sv,
      "/include/c++/"sv,
      "/lib/gcc/"sv,
      "/nvvm/"sv,
      "/include/thrust/"sv,
      "/include/cub/"sv,
      "/include/cuda/std/"sv,
      "/include/crt/"sv,
      "/include/cooperative_groups"sv};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return file.find(part) != file.npos; });
}

SourcePlace place_of(const Program& program, ptx::LocId loc) {
  const auto& locations = program.module->locations;
  // Code that was inlined from a header of the toolchain: the line that a student can change is further out.
  for (int depth = 0; depth < 64 && loc != 0 && locations[loc].inlined_at != 0; ++depth) {
    if (!is_of_toolchain(program.module->files[locations[loc].file])) break;
    loc = locations[loc].inlined_at;
  }
  if (loc == 0) return {};
  return {program.module->files[locations[loc].file], locations[loc].line};
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

/// Of an operand, or the first that is a register in a vector.
std::optional<std::uint32_t> register_of(const ptx::Operand& operand) {
  if (operand.kind == ptx::OperandKind::Register) return operand.reg;
  for (const ptx::Operand& element : operand.elements)
    if (element.kind == ptx::OperandKind::Register) return element.reg;
  return std::nullopt;
}

}  // namespace

SourcePlace source_place(const Program& program, std::uint32_t pc) {
  if (pc >= program.source.size() || program.source[pc] >= program.function->body.size()) return {};
  return place_of(program, program.function->body[program.source[pc]].loc);
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
  if (!locations[body[at].loc].moved) return place;
  place.by = SuspectPlace::By::LineBefore;
  const auto has_line = [&](const ptx::Instruction& in) { return in.loc != 0 && !locations[in.loc].moved; };
  const auto take = [&](const ptx::Instruction& in, SuspectPlace::By by) {
    static_cast<SourcePlace&>(place) = place_of(program, in.loc);
    place.by = by;
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
