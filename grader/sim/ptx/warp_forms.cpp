#include "grader/sim/ptx/warp_forms.h"

#include <algorithm>
#include <array>

namespace cudalabs::ptx {
namespace {

struct Opcode {
  Op op{};
  std::size_t forms = 0;
};
constexpr std::array kOpcodes{
#define CUDALABS_WARP_FORM(...) +1
#define CUDALABS_WARP_OPCODE(op, mnemonic, operands, types, mods, category, effects, forms) \
  Opcode{Op::op, 0 forms},
#include "grader/sim/ptx/warp_opcodes.def"
#undef CUDALABS_WARP_OPCODE
#undef CUDALABS_WARP_FORM
};

consteval auto all_forms() {
  using enum Mod;
  constexpr std::nullopt_t Always = std::nullopt;
  std::array forms{
#define CUDALABS_WARP_FORM(operation, modifier, type, call, ...) WarpForm{{}, modifier, Type::type, call},
#define CUDALABS_WARP_OPCODE(op, mnemonic, operands, types, mods, category, effects, forms) forms
#include "grader/sim/ptx/warp_opcodes.def"
#undef CUDALABS_WARP_OPCODE
#undef CUDALABS_WARP_FORM
  };
  std::size_t next = 0;
  for (const Opcode& opcode : kOpcodes) {
    for (std::size_t n = 0; n < opcode.forms; ++n) forms[next++].op = opcode.op;
  }
  return forms;
}
constexpr std::array kForms = all_forms();

}  // namespace

std::span<const WarpForm> warp_forms() { return kForms; }

std::optional<std::size_t> warp_form_of(const Instruction& in) {
  const auto found = std::ranges::find_if(kForms, [&](const WarpForm& form) {
    return form.op == in.op && (!form.modifier || in.has(*form.modifier)) &&
           (form.type == Type::None || form.type == in.type());
  });
  if (found == kForms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kForms.begin());
}

}  // namespace cudalabs::ptx
