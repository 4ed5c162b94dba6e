#include "grader/sim/ptx/combinations.h"

#include <algorithm>
#include <initializer_list>

#include "grader/sim/ptx/conversions.h"
#include "grader/sim/ptx/rules.h"

namespace cudalabs::ptx {

Violation wrong(std::string message, int operand, std::string hint) {
  return {std::move(message), std::move(hint), operand};
}

std::string dotted(Type type) { return "." + std::string(spelling(type)); }

namespace {

bool has_any(const Instruction& instruction, std::initializer_list<Mod> mods) {
  return std::any_of(mods.begin(), mods.end(), [&](Mod mod) { return instruction.has(mod); });
}

bool is_bits(Type type) { return type == Type::B16 || type == Type::B32 || type == Type::B64; }

/// Carries are for integers; rounding and flushing are for floats.
Maybe check_number_mods(const Instruction& instruction) {
  const Type type = instruction.type();
  const std::string name = dotted(type);
  if (instruction.has(Mod::Cc) && !(is_integer(type) && size_of(type) >= 4)) {
    return wrong(".cc is for whole numbers of 32 or 64 bits, not " + name);
  }
  // slct's first type is that of the selected value; .ftz is for the second, the condition.
  const bool is_conversion =
      instruction.op == Op::Cvt || instruction.op == Op::Set || instruction.op == Op::Slct;
  if (is_conversion || !is_integer(type)) return std::nullopt;
  if (has_any(instruction, {Mod::Rn, Mod::Rz, Mod::Rm, Mod::Rp, Mod::Ftz})) {
    return wrong("roundings and .ftz are for floats, not " + name);
  }
  if (instruction.has(Mod::Sat) && (instruction.op == Op::Add || instruction.op == Op::Sub) &&
      type != Type::S32) {
    return wrong(".sat is for .s32 and floats, not " + name);
  }
  return std::nullopt;
}

Maybe check_product(const Instruction& instruction) {
  const Type type = instruction.type();
  const bool has_part = has_any(instruction, {Mod::Lo, Mod::Hi, Mod::Wide});
  if (is_integer(type) && !has_part) return wrong("a whole-number product needs .lo, .hi or .wide");
  if (!is_integer(type) && has_part) return wrong(".lo, .hi and .wide are for whole numbers");
  if (instruction.has(Mod::Wide) && size_of(type) == 8) {
    return wrong("there is no .wide product of 64-bit numbers");
  }
  return std::nullopt;
}

Maybe check_comparison(const Instruction& instruction) {
  const bool combines = has_any(instruction, {Mod::And, Mod::Or, Mod::Xor});
  if (combines != (instruction.operands.size() == 4)) {
    return wrong(combines ? "a predicate to combine with is missing"
                          : "to combine with a predicate needs .and, .or or .xor");
  }
  const Type type = instruction.types.back();
  const bool is_unsigned = is_integer(type) && !is_signed(type);
  if (has_any(instruction, {Mod::Lo, Mod::Ls, Mod::Hi, Mod::Hs}) && !is_unsigned) {
    return wrong(".lo, .ls, .hi and .hs compare unsigned numbers, not " + dotted(type));
  }
  if (has_any(instruction,
              {Mod::Equ, Mod::Neu, Mod::Ltu, Mod::Leu, Mod::Gtu, Mod::Geu, Mod::Num, Mod::Nan}) &&
      !is_float(type)) {
    return wrong("only floats can be compared with regard to NaN, not " + dotted(type));
  }
  if (is_bits(type) && !has_any(instruction, {Mod::Eq, Mod::Ne})) {
    return wrong("a " + dotted(type) + " is equal or not, but neither less nor greater");
  }
  return std::nullopt;
}

Maybe check_conversion(const Module& module, const Instruction& instruction) {
  auto problem = conversion_problem(instruction, module.target_sm);
  return problem ? Maybe(wrong(*std::move(problem))) : std::nullopt;
}

Maybe check_atomic(const Instruction& instruction) {
  const Type type = instruction.type();
  if (instruction.has(Mod::Cas) && instruction.operands.size() < 4) {
    return wrong(".cas takes the value to compare with and the one to store");
  }
  const bool is_64_or_32 = size_of(type) == 4 || size_of(type) == 8;
  bool possible = true;
  if (has_any(instruction, {Mod::And, Mod::Or, Mod::Xor})) {
    possible = type == Type::B32 || type == Type::B64;
  } else if (has_any(instruction, {Mod::Inc, Mod::Dec})) {
    possible = type == Type::U32;
  } else if (has_any(instruction, {Mod::Exch, Mod::Cas})) {
    possible = is_bits(type) || type == Type::B128;
  } else if (instruction.has(Mod::Add)) {
    possible = is_float(type) || (is_integer(type) && is_64_or_32);
  } else {  // min, max
    possible = (is_float(type) && size_of(type) <= 4) || (is_integer(type) && is_64_or_32);
  }
  if (possible) return std::nullopt;
  return wrong("type " + dotted(type) + " is not possible for this operation of '" +
               std::string(spelling(instruction.op)) + "'");
}

/// Checks parts of registers, and the role of the third source.
Maybe check_video(const Instruction& instruction) {
  const auto lanes = static_cast<unsigned>(video_lanes(instruction.op));
  const std::vector<Operand>& operands = instruction.operands;
  const bool is_simd = lanes > 1, is_product = instruction.op == Op::Vmad;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    if (operand.part_bytes == 0) continue;
    const int place = static_cast<int>(i);
    if (i == 3 || (i == 0 && is_product)) return wrong("this operand is taken whole", place);
    if (is_simd && operand.part_bytes * lanes != 4)
      return wrong(lanes == 2 ? "the parts are half-words here, such as .h10"
                              : "the parts are bytes here, such as .b3210",
                   place);
    const bool is_mask = is_simd && i == 0;
    const unsigned parts = (is_simd && i > 0 ? 2U : 1U) * 4U / operand.part_bytes;
    bool known = is_mask || operand.part_count == lanes;
    for (unsigned k = 0; k < operand.part_count; ++k) {
      const unsigned part = operand.parts >> (4 * k) & 15U;
      known = known && part < parts && (!is_mask || k == 0 || part > (operand.parts >> (4 * k - 4) & 15U));
    }
    if (!known) return wrong("this operand has no such parts", place);
  }
  const auto is_negated = [](const Operand& o) { return o.negated; };
  if (instruction.has(Mod::Po) && std::any_of(operands.begin(), operands.end(), is_negated))
    return wrong(".po does not go with negated operands");
  if (is_simd || is_product) return std::nullopt;
  const bool joins = has_any(instruction, {Mod::Add, Mod::Min, Mod::Max}),
             merges = operands[0].part_bytes != 0;
  if (merges && joins) return wrong("a part of the destination does not go with .add, .min and .max", 0);
  if ((merges || joins) == (operands.size() == 4)) return std::nullopt;
  return wrong(merges || joins ? "the third source is missing"
                               : "a third source needs .add, .min, .max or a part of the destination");
}

/// Checks an argument or result of a call: a .param variable, or its value.
Maybe check_argument(const Function& function, const Variable* formal, const Operand& given, bool is_result) {
  const int place = is_result ? 0 : 2;
  if (given.kind == OperandKind::Symbol) {
    const bool is_param = given.symbol_kind == SymbolKind::FunctionVariable &&
                          function.variables[given.symbol].space == Space::Param;
    return is_param ? std::nullopt : Maybe(wrong("a .param variable or a register is expected here", place));
  }
  if (formal == nullptr) return wrong("what a function takes besides its parameters must be .param", place);
  const std::string type = dotted(formal->type);
  std::uint64_t bytes = 0;
  switch (given.kind) {
    case OperandKind::Sink: return is_result ? std::nullopt : Maybe(wrong("an argument is missing", place));
    case OperandKind::Immediate:
      if (is_result) return wrong("the destination must be a register", place);
      bytes = static_cast<std::uint64_t>(size_of(formal->type));
      break;
    case OperandKind::Register:
      bytes = static_cast<std::uint64_t>(size_of(function.registers[given.reg].type));
      break;
    case OperandKind::Vector:
      for (const Operand& element : given.elements) {
        if (element.kind != OperandKind::Register) return wrong("registers are expected here", place);
        bytes += static_cast<std::uint64_t>(size_of(function.registers[element.reg].type));
      }
      if (given.elements.size() * static_cast<std::uint64_t>(size_of(formal->type)) != bytes) bytes = 0;
      break;
    default: return wrong("a .param variable, a register or a constant is expected here", place);
  }
  if (bytes == formal->size && bytes != 0) return std::nullopt;
  return wrong("the function's parameter has " + std::to_string(formal->size) + " bytes of " + type +
                   ", what stands for it has not",
               place);
}

}  // namespace

Maybe check_combination(const Module& module, const Function& function, const Instruction& instruction) {
  const std::size_t types = instruction.types.size();
  if (rule_of(instruction.op).category == "Video") return check_video(instruction);
  if (Maybe violation = check_number_mods(instruction)) return violation;
  switch (instruction.op) {
    case Op::Mul:
    case Op::Mad: return check_product(instruction);
    case Op::Div:
      if (is_integer(instruction.type()) && !instruction.mods.empty()) {
        return wrong("a whole-number division takes no modifier");
      }
      if (instruction.type() == Type::F32 && instruction.mods.empty()) {
        return wrong("a float division needs .rn, .approx or .full");
      }
      return std::nullopt;
    case Op::Setp:
    case Op::Set: return check_comparison(instruction);
    case Op::Cvt: return check_conversion(module, instruction);
    case Op::Atom:
    case Op::Red: return check_atomic(instruction);
    case Op::Ld:
    case Op::St:
      if (has_any(instruction, {Mod::Cta, Mod::Cluster, Mod::Gpu, Mod::Sys}) &&
          !has_any(instruction, {Mod::Relaxed, Mod::Acquire, Mod::Release, Mod::Mmio})) {
        return wrong("a scope needs .relaxed, .acquire or .release before it");
      }
      return std::nullopt;
    case Op::Bar:
    case Op::Barrier: {
      const bool has_result = instruction.operands.size() > 2;
      if (has_result != instruction.has(Mod::Red)) {
        return wrong(has_result ? "only .red has a result"
                                : ".red needs a result, a barrier and a predicate");
      }
      if (!has_result) return std::nullopt;
      const bool is_logic = has_any(instruction, {Mod::And, Mod::Or});
      if (!is_logic && !instruction.has(Mod::Popc)) return wrong(".red needs .and, .or or .popc");
      const bool wants_predicate = instruction.type() == Type::Pred;
      const Type held = function.registers[instruction.operands[0].reg].type;
      if (wants_predicate == is_logic && is_logic == (held == Type::Pred)) return std::nullopt;
      return wrong("the result of .and and .or is a predicate, that of .popc a .u32", 0);
    }
    case Op::Vote:
      if (instruction.has(Mod::Ballot) == (instruction.type() == Type::B32)) return std::nullopt;
      return wrong("the result of .ballot is a .b32, that of the others a predicate", 0);
    case Op::Redux:
      if (instruction.type() != Type::F32 || has_any(instruction, {Mod::Min, Mod::Max})) return std::nullopt;
      return wrong("of floats, a warp finds .min and .max only");
    case Op::CpAsync: {
      const std::uint64_t bytes = instruction.operands[2].bits;
      if (bytes == 16 || (!instruction.has(Mod::Cg) && (bytes == 4 || bytes == 8))) return std::nullopt;
      return wrong(
          instruction.has(Mod::Cg) ? "cp.async.cg copies 16 bytes" : "cp.async copies 4, 8 or 16 bytes", 2);
    }
    case Op::CpAsyncBulk:
    case Op::CpAsyncBulkCommitGroup:
    case Op::CpAsyncBulkWaitGroup:
    case Op::CpAsyncBulkPrefetch:
    case Op::Mapa:
    case Op::Getctarank:
      if (module.target_sm >= 90) return std::nullopt;
      return wrong("'" + std::string(spelling(instruction.op)) + "' needs .target sm_90 or higher", -1,
                   "compile with -arch=sm_90");
    case Op::Wmma:
      if (instruction.has(Mod::Mma) != (instruction.operands.size() == 4)) {
        return wrong("wmma.mma takes four matrices, wmma.load and wmma.store one and an address");
      }
      if (instruction.has(Mod::Mma) ? types == 2 || types == 4 : types == 1) return std::nullopt;
      return wrong("wmma.mma takes two or four types, wmma.load and wmma.store one");
    default: return std::nullopt;
  }
}

Maybe check_call(const Module& module, const Function& function, const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  const std::vector<Variable>* returns = nullptr;
  const std::vector<Variable>* params = nullptr;
  if (operands[1].kind == OperandKind::Symbol) {
    const Function& target = module.functions[operands[1].symbol];
    if (target.is_entry) return wrong("a kernel cannot be called", 1);
    returns = &target.returns;
    params = &target.params;
  } else if (operands.size() == 4) {
    const Function::Prototype& prototype = function.prototypes[operands[3].symbol];
    returns = &prototype.returns;
    params = &prototype.params;
  } else {
    return wrong("a call through a register needs a .callprototype", 1);
  }
  if (operands[0].elements.size() != returns->size()) {
    return wrong("the function returns " + std::to_string(returns->size()) + " values, not " +
                     std::to_string(operands[0].elements.size()),
                 0);
  }
  const bool is_open = !params->empty() && params->back().size == 0;
  if (operands[2].elements.size() != params->size() && !is_open) {
    return wrong("the function takes " + std::to_string(params->size()) + " arguments, not " +
                     std::to_string(operands[2].elements.size()),
                 2);
  }
  for (const bool is_result : {true, false}) {
    const std::vector<Operand>& given = operands[is_result ? 0 : 2].elements;
    const std::vector<Variable>& formals = is_result ? *returns : *params;
    for (std::size_t i = 0; i < given.size(); ++i) {
      const Variable* formal = i < formals.size() ? &formals[i] : nullptr;
      if (Maybe violation = check_argument(function, formal, given[i], is_result)) return violation;
    }
  }
  return std::nullopt;
}

}  // namespace cudalabs::ptx
