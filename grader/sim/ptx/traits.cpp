#include "grader/sim/ptx/traits.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "grader/sim/ptx/rules.h"
#include "grader/sim/ptx/table_words.h"

namespace cudalabs::ptx {
namespace {

/// For one form: bit n is set if the first of n operands can be written.
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
  constexpr std::size_t kMax = 15;
  if (words > kMax) throw std::logic_error("opcodes.def: too many operands");
  unsigned bits = 0;
  for (std::size_t n = std::max<std::size_t>(required, 1); writes && n <= (open ? kMax : words); ++n)
    bits |= 1u << n;
  return bits;
}

constexpr std::pair<std::string_view, Access> kAccesses[] = {
    {"load", Access::Load}, {"store", Access::Store}, {"atomic", Access::Atomic}, {"copy", Access::Copy}};
constexpr std::pair<std::string_view, Work> kWorks[] = {
    {"issue", Work::Issue},     {"sum", Work::Sum},           {"product", Work::Product},
    {"special", Work::Special}, {"crossbar", Work::Crossbar}, {"matrix", Work::Matrix}};
constexpr std::pair<std::string_view, bool Traits::*> kFlags[] = {{"varies", &Traits::varies},
                                                                  {"branched", &Traits::branched},
                                                                  {"fp64", &Traits::fp64},
                                                                  {"exchange", &Traits::exchange},
                                                                  {"joined", &Traits::joined}};

/// The value of `word` in `table`; null if it is not there.
template <class Value, std::size_t N>
constexpr const Value* find(const std::pair<std::string_view, Value> (&table)[N], std::string_view word) {
  for (const auto& [name, value] : table)
    if (name == word) return &value;
  return nullptr;
}

consteval Traits traits(std::string_view operands, std::string_view category, std::string_view effects) {
  Traits t;
  each_part(effects, ' ', [&](std::string_view word) {
    if (const Access* const access = find(kAccesses, word)) {
      t.access = *access;
    } else if (const Work* const work = find(kWorks, word)) {
      t.work = *work;
      t.joined = t.joined || *work == Work::Matrix;
    } else if (const auto* const flag = find(kFlags, word)) {
      t.*(*flag) = true;
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
#include "grader/sim/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
};

/// The type of a product under .wide.
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
