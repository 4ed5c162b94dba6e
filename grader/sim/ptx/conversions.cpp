#include "grader/sim/ptx/conversions.h"

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/rules.h"

namespace cudalabs::ptx {
namespace {

bool has_types(const Conversion& row, const std::vector<Type>& types) {
  return std::equal(row.types.begin(), row.types.end(), types.begin(), types.end(),
                    [](const TypeRule& rule, Type type) {
                      return (rule.allowed >> static_cast<unsigned>(type) & 1U) != 0;
                    });
}

/// Is every value of integer type `from` representable in `to`?
bool holds_all(Type to, Type from) {
  if (is_signed(from)) return is_signed(to) && size_of(to) >= size_of(from);
  return size_of(to) > size_of(from) || (!is_signed(to) && size_of(to) == size_of(from));
}

/// A readable message instead of the table's "needs one of the modifiers".
std::optional<Message> rounding_missing(const Instruction& instruction, Type to, Type from) {
  const auto has_any = [&](std::initializer_list<Mod> mods) {
    return std::any_of(mods.begin(), mods.end(), [&](Mod mod) { return instruction.has(mod); });
  };
  if (is_integer(to) && is_float(from) && !has_any({Mod::Rni, Mod::Rzi, Mod::Rmi, Mod::Rpi})) {
    return msg::ptx_rounding_to_whole_missing();
  }
  const bool rounds = has_any({Mod::Rn, Mod::Rz, Mod::Rm, Mod::Rp, Mod::Rna, Mod::Rs});
  if (is_float(to) && is_integer(from) && !rounds) {
    return msg::ptx_rounding_to_float_missing();
  }
  if (is_float(to) && is_float(from) && size_of(to) < size_of(from) && !rounds) {
    return msg::ptx_rounding_to_shorter_missing();
  }
  return std::nullopt;
}

}  // namespace

std::optional<Message> conversion_problem(const Instruction& instruction, int target) {
  const std::vector<Type>& types = instruction.types;
  for (const Type type : {types[0], types[1]}) {
    if (type >= Type::B8 && type <= Type::B128) return msg::ptx_conversion_of_bits();
  }
  if (auto missing = rounding_missing(instruction, types[0], types[1])) return missing;
  std::string name = "cvt";
  for (const Type type : types) name += dotted(type);
  // The message comes from the row that matches best among those with these types.
  const Conversion* newer = nullptr;
  std::optional<Message> problem;
  std::size_t operands = 0;
  for (const Conversion& row : conversions()) {
    if (!has_types(row, types)) continue;
    if (auto mods = modifiers_problem(name, instruction.mods, row.mods)) {
      if (!problem) problem = std::move(mods);
    } else if (row.operands != instruction.operands.size()) {
      operands = row.operands;
    } else if (target < row.target) {
      newer = &row;
    } else {
      const bool between_integers = is_integer(types[0]) && is_integer(types[1]) && types.size() == 2;
      if (between_integers && instruction.has(Mod::Sat) && holds_all(types[0], types[1])) {
        return msg::ptx_nothing_to_saturate(name, dotted(types[1]), dotted(types[0]));
      }
      return std::nullopt;
    }
  }
  if (newer != nullptr) return msg::ptx_form_needs_target(name, newer->target);
  if (operands != 0) return msg::ptx_conversion_operands(name, operands, instruction.operands.size());
  if (problem) return problem;
  return msg::ptx_conversion_unknown(dotted(types[0]), dotted(types[1]));
}

}  // namespace cudalabs::ptx
