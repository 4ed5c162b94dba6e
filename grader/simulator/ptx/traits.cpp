#include "grader/simulator/ptx/traits.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "grader/simulator/ptx/rules.h"

namespace cudalabs::ptx {
namespace {

/// Calls use(part) for the parts of `text`, without spaces around them.
template <class Use>
constexpr void each_part(std::string_view text, char separator, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) use(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Of one form: bit n if its first operand is written and it may have n.
constexpr unsigned writes_first(std::string_view form) {
  std::size_t words = 0, required = 0;
  bool writes = false, open = false;
  each_part(form, ' ', [&](std::string_view word) {
    const bool any = word == "*";
    if (words == 0) writes = any || word.starts_with('d') || word.starts_with("p|");
    ++words;
    open = open || any;
    if (!any && !word.ends_with('?')) ++required;
  });
  constexpr std::size_t kMost = 15;
  if (words > kMost) throw std::logic_error("opcodes.def: too many operands");
  unsigned bits = 0;
  for (std::size_t n = std::max<std::size_t>(required, 1); writes && n <= (open ? kMost : words); ++n)
    bits |= 1u << n;
  return bits;
}

consteval Traits traits(std::string_view operands, std::string_view category, std::string_view effects) {
  Traits t;
  each_part(effects, ' ', [&](std::string_view word) {
    if (word == "load") {
      t.access = Access::Load;
    } else if (word == "store") {
      t.access = Access::Store;
    } else if (word == "atomic") {
      t.access = Access::Atomic;
    } else if (word == "copy") {
      t.access = Access::Copy;
    } else if (word == "varies") {
      t.varies = true;
    } else if (word == "branched") {
      t.branched = true;
    } else if (word == "fp64") {
      t.fp64 = true;
    } else if (word.size() == 1 && word[0] >= '0' && word[0] <= '9') {
      t.machine_instructions = static_cast<std::uint8_t>(word[0] - '0');
    } else {
      throw std::logic_error("opcodes.def: no such effect");
    }
  });
  if (category == "Refused") return t;  // its operands are advice
  unsigned writes = 0;
  each_part(operands, ';', [&](std::string_view form) { writes |= writes_first(form); });
  t.writes_first = static_cast<std::uint16_t>(writes);
  return t;
}

constexpr Traits kTraits[] = {
#define CUDALABS_PTX_OPCODE(e, mnemonic, operands, types, mods, spaces, category, ...) \
  traits(operands, #category, "" __VA_ARGS__),
#include "grader/simulator/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
};

/// A product's type under .wide.
Type twice(Type type) {
  switch (type) {
    case Type::U16: return Type::U32;
    case Type::S16: return Type::S32;
    case Type::U32: return Type::U64;
    default: return Type::S64;
  }
}

}  // namespace

const Traits& traits_of(Op op) { return kTraits[static_cast<std::size_t>(op)]; }

Access access_of(const Instruction& in) {
  if (in.op == Op::Wmma)
    return in.has(Mod::Load) ? Access::Load : in.has(Mod::Store) ? Access::Store : Access::None;
  return traits_of(in.op).access;
}

bool writes_first(const Instruction& in) {
  return !in.operands.empty() && in.operands[0].kind != OperandKind::Address &&
         (traits_of(in.op).writes_first >> in.operands.size() & 1) != 0;
}

Type type_of_operand(const Instruction& in, std::size_t k) {
  const std::size_t count = in.operands.size();
  const auto& forms = rule_of(in.op).forms;
  const auto form = std::find_if(forms.begin(), forms.end(), [&](const Form& f) {
    return count >= f.required && (f.open || count <= f.operands.size());
  });
  if (form == forms.end() || k >= form->operands.size()) return Type::None;
  switch (form->operands[k].expect) {
    case Expect::Dest32:
    case Expect::Bits32: return Type::U32;
    case Expect::Dest64:
    case Expect::Bits64: return Type::U64;
    case Expect::DestPred:
    case Expect::PredAndPred:
    case Expect::Predicate: return Type::Pred;
    case Expect::Last:
    case Expect::LastRelaxed: return in.types.empty() ? Type::None : in.types.back();
    case Expect::DestWide:
    case Expect::FirstWide: return in.has(Mod::Wide) ? twice(in.type()) : in.type();
    case Expect::Address:
    case Expect::Label:
    case Expect::Symbol:
    case Expect::Anything: return Type::None;
    default: return in.type();
  }
}

}  // namespace cudalabs::ptx
