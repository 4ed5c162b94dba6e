#include "grader/simulator/program/source_place.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "grader/simulator/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using namespace std::string_view_literals;

/// The headers that clang compiles with lie unpacked in a folder cuda-<16 digits of a hash>
/// (config/embedded_course.h).
bool is_of_ours(std::string_view file) {
  constexpr std::string_view kBegin = "/cuda-";
  constexpr std::size_t kDigits = 16;
  for (std::size_t at = 0; (at = file.find(kBegin, at)) != file.npos;) {
    at += kBegin.size();
    if (file.find_first_not_of("0123456789abcdef", at) == at + kDigits && file[at + kDigits] == '/')
      return true;
  }
  return false;
}

/// A header of the toolkit, of a compiler or of the C++ library, wherever it is installed. A folder called
/// include is not enough: programs have one of their own.
bool is_of_toolchain(std::string_view file) {
  static constexpr std::array kBegins{"/usr/include/"sv, "/usr/lib/"sv, "/usr/local/cuda/"sv,
                                      "/usr/local/cuda-1"sv};
  static constexpr std::array kParts{
      // <toolkit>/targets/x86_64-linux/include, or sbsa-linux: what nvcc names its own by.
      "64-linux/include/"sv, "sbsa-linux/include/"sv, "site-packages/nvidia/"sv, "/nvvm/libdevice/"sv,
      "/include/c++/"sv, "/lib/gcc/"sv, "/lib/clang/"sv,
      // Of a toolkit that is named by -I.
      "/include/thrust/"sv, "/include/cub/"sv, "/include/cuda/std/"sv, "/include/cuda/__"sv, "/include/nv/"sv,
      "/include/crt/"sv, "/include/cooperative_groups.h"sv, "/include/cooperative_groups/"sv,
      "/include/cuda_fp16."sv, "/include/cuda_bf16."sv, "/include/sm_"sv};
  const auto begins = [&](std::string_view begin) { return file.starts_with(begin); };
  const auto has = [&](std::string_view part) { return file.find(part) != file.npos; };
  return std::ranges::any_of(kBegins, begins) || std::ranges::any_of(kParts, has) || is_of_ours(file);
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

/// clang does not say where it inlined a header's code: the nearest line of the program's own before it in
/// the function's body, or else behind it, is likely to be that of the call.
SourcePlace nearest_own(const Program& program, std::uint32_t at, SourcePlace place) {
  constexpr std::uint32_t kFar = 256;  // instructions
  const auto& body = program.function->body;
  const auto is_own = [&](std::uint32_t k) {
    const SourcePlace there = place_of(program, body[k].loc);
    if (there.line == 0 || is_of_toolchain(there.file)) return false;
    place = there;
    return true;
  };
  for (std::uint32_t k = at; k > 0 && at - k < kFar; --k)
    if (is_own(k - 1)) return place;
  for (std::uint32_t k = at + 1; k < body.size() && k - at < kFar; ++k)
    if (is_own(k)) return place;
  return place;
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
  const std::uint32_t at = program.source[pc];
  const SourcePlace place = place_of(program, program.function->body[at].loc);
  return is_of_toolchain(place.file) ? nearest_own(program, at, place) : place;
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
  const auto of_toolchain = [&](const ptx::Instruction& in) {
    return is_of_toolchain(place_of(program, in.loc).file);
  };
  const bool moved = locations[body[at].loc].moved;
  if (!moved && !of_toolchain(body[at])) return place;
  if (moved) place.by = SuspectPlace::By::LineBefore;
  const auto has_line = [&](const ptx::Instruction& in) {
    return in.loc != 0 && !locations[in.loc].moved && !of_toolchain(in);
  };
  const auto take = [&](const ptx::Instruction& in, SuspectPlace::By by) {
    static_cast<SourcePlace&>(place) = place_of(program, in.loc);
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
