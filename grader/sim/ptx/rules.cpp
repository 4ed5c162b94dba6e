#include "grader/sim/ptx/rules.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/spellings.h"
#include "grader/sim/ptx/table_words.h"

namespace cudalabs::ptx {
namespace {

struct Row {
  std::string_view operands, types, mods, spaces, category;
};

constexpr Row kRows[] = {
#define CUDALABS_PTX_OPCODE(e, mnemonic, operands, types, mods, spaces, category, ...) \
  {operands, types, mods, spaces, #category},
#include "grader/sim/ptx/opcodes.def"
#undef CUDALABS_PTX_OPCODE
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  each_part(text, separator, [&](std::string_view part) { parts.push_back(part); });
  return parts;
}

OperandRule operand_rule(std::string_view word) {
  static const std::unordered_map<std::string_view, Expect> words = {
      {"d", Expect::Dest},          {"dw", Expect::DestWide},
      {"dr", Expect::DestRelaxed},  {"dn", Expect::Dest32},
      {"dx", Expect::Dest64},       {"dp", Expect::DestPred},
      {"du", Expect::DestUnpack},   {"dv", Expect::DestAny},
      {"d|p", Expect::DestAndPred}, {"dn|p", Expect::Dest32AndPred},
      {"p|q", Expect::PredAndPred}, {"a", Expect::First},
      {"ar", Expect::FirstRelaxed}, {"b", Expect::Last},
      {"br", Expect::LastRelaxed},  {"w", Expect::FirstWide},
      {"k", Expect::Packed},        {"n", Expect::Bits32},
      {"x", Expect::Bits64},        {"c", Expect::Predicate},
      {"v", Expect::AnyValue},      {"i", Expect::Immediate},
      {"m", Expect::Address},       {"l", Expect::Label},
      {"s", Expect::Symbol},        {"*", Expect::Anything}};
  OperandRule rule;
  rule.optional = word.ends_with('?');
  if (rule.optional) word.remove_suffix(1);
  const auto it = words.find(word);
  if (it == words.end()) throw std::logic_error("opcodes.def: no such operand: " + std::string(word));
  rule.expect = it->second;
  return rule;
}

Form form(std::string_view text) {
  Form result;
  for (const std::string_view word : split(text, ' ')) {
    const OperandRule rule = operand_rule(word);
    if (rule.expect == Expect::Anything) {
      result.open = true;
      break;
    }
    if (!rule.optional) ++result.required;
    result.operands.push_back(rule);
  }
  return result;
}

constexpr std::uint32_t bit(Type type) { return std::uint32_t{1} << static_cast<unsigned>(type); }

TypeRule type_rule(std::string_view text) {
  constexpr std::uint32_t kInt32 = bit(Type::U32) | bit(Type::S32);
  constexpr std::uint32_t kInt64 = kInt32 | bit(Type::U64) | bit(Type::S64);
  static const std::unordered_map<std::string_view, std::uint32_t> groups = {
      {"int", kInt64 | bit(Type::U16) | bit(Type::S16)},
      {"int8", bit(Type::U8) | bit(Type::S8)},
      {"int32", kInt32},
      {"int64", kInt64},
      {"bits", bit(Type::B16) | bit(Type::B32) | bit(Type::B64)},
      {"float", bit(Type::F32) | bit(Type::F64)},
      {"half", bit(Type::F16) | bit(Type::F16x2) | bit(Type::BF16) | bit(Type::BF16x2)},
      {"matrix", bit(Type::F16) | bit(Type::BF16) | bit(Type::TF32) | bit(Type::F32) | bit(Type::F64) |
                     bit(Type::S8) | bit(Type::U8) | bit(Type::S32)},
      {"any", ~(bit(Type::None) | bit(Type::Pred))}};
  TypeRule rule;
  rule.optional = text.ends_with('?');
  if (rule.optional) text.remove_suffix(1);
  for (const std::string_view word : split(text, ' ')) {
    if (const auto it = groups.find(word); it != groups.end()) {
      rule.allowed |= it->second;
    } else if (const auto type = find_type(word)) {
      rule.allowed |= bit(*type);
    } else {
      throw std::logic_error("opcodes.def: no such type: " + std::string(word));
    }
  }
  return rule;
}

ModRule mod_rule(std::string_view text) {
  static const std::unordered_map<std::string_view, std::string_view> groups = {
      {"rnd", "rn|rz|rm|rp"},
      {"rint", "rni|rzi|rmi|rpi"},
      {"cmp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs|equ|neu|ltu|leu|gtu|geu|num|nan"},
      {"bool", "and|or|xor"},
      {"vec", "v2|v4|v8"},
      {"scope", "cta|cluster|gpu|sys|gl"},
      {"cop", "ca|cg|cs|lu|cv|wb|wt|L1::*"},
      {"l2", "L2::64B|L2::128B|L2::256B"},
      {"hint", "L2::cache_hint"},
      {"evict2", "L2::evict_*"},
      {"shape",
       "m16n16k16|m32n8k16|m8n32k16|m16n16k8|m8n8k4|m16n8k4|m16n8k8|m16n8k16|m16n8k32|m8n8k16|m8n8k32"}};
  ModRule rule;
  rule.required = text.starts_with('!');
  if (rule.required) text.remove_prefix(1);
  rule.text = text;
  for (const std::string_view alternative : split(text, '|')) {
    const auto group = groups.find(alternative);
    for (const std::string_view word : split(group == groups.end() ? alternative : group->second, '|')) {
      const bool is_prefix = word.ends_with('*');
      const std::size_t before = rule.allowed.count();
      for (std::size_t i = 0; i < kMods; ++i) {
        const std::string_view name = spelling(static_cast<Mod>(i));
        if (is_prefix ? name.starts_with(word.substr(0, word.size() - 1)) : name == word) rule.allowed.set(i);
      }
      if (rule.allowed.count() == before) {
        throw std::logic_error("opcodes.def: no such modifier: " + std::string(word));
      }
    }
    if (group != groups.end() && group->first == text) rule.text = group->second;
  }
  return rule;
}

Rule compile(const Row& row) {
  Rule rule;
  rule.category = row.category;
  if (row.category == "Refused") {
    rule.advice = row.operands;
    return rule;
  }
  for (const std::string_view text : split(row.operands, ';')) rule.forms.push_back(form(text));
  if (rule.forms.empty()) rule.forms.emplace_back();
  for (const std::string_view text : split(row.types, ',')) rule.types.push_back(type_rule(text));
  for (const std::string_view text : split(row.mods, ' ')) rule.mods.push_back(mod_rule(text));
  for (const std::string_view text : split(row.spaces, ' ')) {
    rule.spaces |= std::uint32_t{1} << static_cast<unsigned>(find_suffix(text).value().space);
  }
  return rule;
}

}  // namespace

const Rule& rule_of(Op op) {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (const Row& row : kRows) all.push_back(compile(row));
    return all;
  }();
  return rules[static_cast<std::size_t>(op)];
}

int video_lanes(Op op) {
  const char last = spelling(op).back();
  return last == '2' ? 2 : last == '4' ? 4 : 1;
}

bool is_integer(Type type) {
  switch (type) {
    case Type::U8:
    case Type::U16:
    case Type::U32:
    case Type::U64:
    case Type::S8:
    case Type::S16:
    case Type::S32:
    case Type::S64: return true;
    default: return false;
  }
}

const std::vector<Conversion>& conversions() {
  static const std::vector<Conversion> rows = [] {
    std::vector<Conversion> all;
    const auto add = [&](std::string_view types, std::string_view mods, std::size_t operands, int target) {
      Conversion& row = all.emplace_back(Conversion{{}, {}, operands, target});
      for (const std::string_view text : split(types, ',')) row.types.push_back(type_rule(text));
      for (const std::string_view text : split(mods, ' ')) row.mods.push_back(mod_rule(text));
    };
#define CUDALABS_PTX_CONVERSION(types, mods, operands, target) add(types, mods, operands, target);
#include "grader/sim/ptx/conversions.def"
#undef CUDALABS_PTX_CONVERSION
    return all;
  }();
  return rows;
}

std::optional<Message> modifiers_problem(const std::string& name, const std::vector<Mod>& given,
                                         const std::vector<ModRule>& rules) {
  std::vector<bool> used(rules.size());
  for (const Mod mod : given) {
    const auto index = static_cast<std::size_t>(mod);
    std::size_t group = 0;
    bool known = false;
    for (; group < rules.size(); ++group) {
      if (!rules[group].allowed[index]) continue;
      known = true;
      if (!used[group]) break;
    }
    if (!known) return msg::ptx_modifier_impossible(spelling(mod), name);
    if (group == rules.size()) return msg::ptx_modifiers_mixed(spelling(mod));
    used[group] = true;
  }
  for (std::size_t group = 0; group < rules.size(); ++group) {
    if (rules[group].required && !used[group]) return msg::ptx_modifier_missing(name, rules[group].text);
  }
  return std::nullopt;
}

}  // namespace cudalabs::ptx
