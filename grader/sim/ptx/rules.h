#pragma once
// The rows of opcodes.def and conversions.def, parsed once into the form that the validator uses. opcodes.def
// has the legend.

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

enum class Expect : std::uint8_t {
  Dest,           ///< d
  DestWide,       ///< dw
  DestRelaxed,    ///< dr
  Dest32,         ///< dn
  Dest64,         ///< dx
  DestPred,       ///< dp
  DestUnpack,     ///< du
  DestAny,        ///< dv
  DestAndPred,    ///< d|p
  Dest32AndPred,  ///< dn|p
  PredAndPred,    ///< p|q
  First,          ///< a
  FirstRelaxed,   ///< ar
  Last,           ///< b
  LastRelaxed,    ///< br
  FirstWide,      ///< w
  Packed,         ///< k
  Bits32,         ///< n
  Bits64,         ///< x
  Predicate,      ///< c
  AnyValue,       ///< v
  Immediate,      ///< i
  Address,        ///< m
  Label,          ///< l
  Symbol,         ///< s
  Anything,       ///< *
};

struct OperandRule {
  Expect expect{};
  bool optional = false;
};

struct Form {
  std::vector<OperandRule> operands;
  std::size_t required = 0;
  bool open = false;  ///< ends in *
};

struct TypeRule {
  std::uint32_t allowed = 0;  ///< bit by Type
  bool optional = false;
};

struct ModRule {
  std::bitset<256> allowed;  ///< by Mod
  bool required = false;
  std::string_view text;  ///< as in the table, for messages
};

struct Rule {
  std::vector<Form> forms;
  std::vector<TypeRule> types;
  std::vector<ModRule> mods;
  std::uint32_t spaces = 0;  ///< bit by Space
  std::string_view category;
  std::string_view advice;  ///< of a Refused row
};

const Rule& rule_of(Op op);

/// Number of elements of a word that a video instruction processes: 1, 2 or 4.
int video_lanes(Op op);

bool is_integer(Type type);  ///< U8..U64, S8..S64

/// A row of conversions.def.
struct Conversion {
  std::vector<TypeRule> types;
  std::vector<ModRule> mods;
  std::size_t operands = 0;
  int target = 0;
};

const std::vector<Conversion>& conversions();

/// The error of a combination of modifiers, if any; `name` is the instruction's.
std::optional<Message> modifiers_problem(const std::string& name, const std::vector<Mod>& given,
                                         const std::vector<ModRule>& rules);

}  // namespace cudalabs::ptx
