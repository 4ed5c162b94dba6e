#include "grader/sim/ptx/combinations.h"

#include <algorithm>
#include <initializer_list>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/conversions.h"
#include "grader/sim/ptx/rules.h"

namespace cudalabs::ptx {

Violation wrong(Message message, int operand, Message hint) {
  return {std::move(message), std::move(hint), operand};
}

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
    return wrong(msg::ptx_carry_type(name));
  }
  // slct's first type is that of the selected value; .ftz is for the second, the condition.
  const bool is_conversion =
      instruction.op == Op::Cvt || instruction.op == Op::Set || instruction.op == Op::Slct;
  if (is_conversion || !is_integer(type)) return std::nullopt;
  if (has_any(instruction, {Mod::Rn, Mod::Rz, Mod::Rm, Mod::Rp, Mod::Ftz})) {
    return wrong(msg::ptx_rounding_type(name));
  }
  if (instruction.has(Mod::Sat) && (instruction.op == Op::Add || instruction.op == Op::Sub) &&
      type != Type::S32) {
    return wrong(msg::ptx_saturation_type(name));
  }
  return std::nullopt;
}

Maybe check_product(const Instruction& instruction) {
  const Type type = instruction.type();
  const bool has_part = has_any(instruction, {Mod::Lo, Mod::Hi, Mod::Wide});
  if (is_integer(type) && !has_part) return wrong(msg::ptx_product_part_missing());
  if (!is_integer(type) && has_part) return wrong(msg::ptx_product_part_of_float());
  if (instruction.has(Mod::Wide) && size_of(type) == 8) {
    return wrong(msg::ptx_wide_product_of_64_bit());
  }
  return std::nullopt;
}

Maybe check_comparison(const Instruction& instruction) {
  const bool combines = has_any(instruction, {Mod::And, Mod::Or, Mod::Xor});
  if (combines != (instruction.operands.size() == 4)) {
    return wrong(combines ? msg::ptx_combined_predicate_missing() : msg::ptx_combination_missing());
  }
  const Type type = instruction.types.back();
  const bool is_unsigned = is_integer(type) && !is_signed(type);
  if (has_any(instruction, {Mod::Lo, Mod::Ls, Mod::Hi, Mod::Hs}) && !is_unsigned) {
    return wrong(msg::ptx_unsigned_comparison(dotted(type)));
  }
  if (has_any(instruction,
              {Mod::Equ, Mod::Neu, Mod::Ltu, Mod::Leu, Mod::Gtu, Mod::Geu, Mod::Num, Mod::Nan}) &&
      !is_float(type)) {
    return wrong(msg::ptx_nan_comparison(dotted(type)));
  }
  if (is_bits(type) && !has_any(instruction, {Mod::Eq, Mod::Ne})) {
    return wrong(msg::ptx_bits_comparison(dotted(type)));
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
    return wrong(msg::ptx_cas_operands());
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
  return wrong(msg::ptx_atomic_type(dotted(type), spelling(instruction.op)));
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
    if (i == 3 || (i == 0 && is_product)) return wrong(msg::ptx_operand_whole(), place);
    if (is_simd && operand.part_bytes * lanes != 4)
      return wrong(lanes == 2 ? msg::ptx_parts_half_words() : msg::ptx_parts_bytes(), place);
    const bool is_mask = is_simd && i == 0;
    const unsigned parts = (is_simd && i > 0 ? 2U : 1U) * 4U / operand.part_bytes;
    bool known = is_mask || operand.part_count == lanes;
    for (unsigned k = 0; k < operand.part_count; ++k) {
      const unsigned part = operand.parts >> (4 * k) & 15U;
      known = known && part < parts && (!is_mask || k == 0 || part > (operand.parts >> (4 * k - 4) & 15U));
    }
    if (!known) return wrong(msg::ptx_parts_unknown(), place);
  }
  const auto is_negated = [](const Operand& o) { return o.negated; };
  if (instruction.has(Mod::Po) && std::any_of(operands.begin(), operands.end(), is_negated))
    return wrong(msg::ptx_po_with_negation());
  if (is_simd || is_product) return std::nullopt;
  const bool joins = has_any(instruction, {Mod::Add, Mod::Min, Mod::Max}),
             merges = operands[0].part_bytes != 0;
  if (merges && joins) return wrong(msg::ptx_part_with_third_operation(), 0);
  if ((merges || joins) == (operands.size() == 4)) return std::nullopt;
  return wrong(merges || joins ? msg::ptx_third_source_missing() : msg::ptx_third_source_needless());
}

/// Checks an argument or result of a call: a .param variable, or its value.
Maybe check_argument(const Function& function, const Variable* formal, const Operand& given, bool is_result) {
  const int place = is_result ? 0 : 2;
  if (given.kind == OperandKind::Symbol) {
    const bool is_param = given.symbol_kind == SymbolKind::FunctionVariable &&
                          function.variables[given.symbol].space == Space::Param;
    return is_param ? std::nullopt : Maybe(wrong(msg::ptx_param_or_register_expected(), place));
  }
  if (formal == nullptr) return wrong(msg::ptx_extra_argument_not_param(), place);
  const std::string type = dotted(formal->type);
  std::uint64_t bytes = 0;
  switch (given.kind) {
    case OperandKind::Sink:
      return is_result ? std::nullopt : Maybe(wrong(msg::ptx_argument_missing(), place));
    case OperandKind::Immediate:
      if (is_result) return wrong(msg::ptx_destination_no_register(), place);
      bytes = static_cast<std::uint64_t>(size_of(formal->type));
      break;
    case OperandKind::Register:
      bytes = static_cast<std::uint64_t>(size_of(function.registers[given.reg].type));
      break;
    case OperandKind::Vector:
      for (const Operand& element : given.elements) {
        if (element.kind != OperandKind::Register) return wrong(msg::ptx_registers_expected(), place);
        bytes += static_cast<std::uint64_t>(size_of(function.registers[element.reg].type));
      }
      if (given.elements.size() * static_cast<std::uint64_t>(size_of(formal->type)) != bytes) bytes = 0;
      break;
    default: return wrong(msg::ptx_argument_expected(), place);
  }
  if (bytes == formal->size && bytes != 0) return std::nullopt;
  return wrong(msg::ptx_argument_size(formal->size, type), place);
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
        return wrong(msg::ptx_whole_division_modifier());
      }
      if (instruction.type() == Type::F32 && instruction.mods.empty()) {
        return wrong(msg::ptx_float_division_modifier());
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
        return wrong(msg::ptx_scope_without_order());
      }
      return std::nullopt;
    case Op::Bar:
    case Op::Barrier: {
      const bool has_result = instruction.operands.size() > 2;
      if (has_result != instruction.has(Mod::Red)) {
        return wrong(has_result ? msg::ptx_barrier_result() : msg::ptx_barrier_reduction_operands());
      }
      if (!has_result) return std::nullopt;
      const bool is_logic = has_any(instruction, {Mod::And, Mod::Or});
      if (!is_logic && !instruction.has(Mod::Popc)) return wrong(msg::ptx_barrier_reduction_operation());
      const bool wants_predicate = instruction.type() == Type::Pred;
      const Type held = function.registers[instruction.operands[0].reg].type;
      if (wants_predicate == is_logic && is_logic == (held == Type::Pred)) return std::nullopt;
      return wrong(msg::ptx_barrier_reduction_type(), 0);
    }
    case Op::Vote:
      if (instruction.has(Mod::Ballot) == (instruction.type() == Type::B32)) return std::nullopt;
      return wrong(msg::ptx_vote_type(), 0);
    case Op::Redux:
      if (instruction.type() != Type::F32 || has_any(instruction, {Mod::Min, Mod::Max})) return std::nullopt;
      return wrong(msg::ptx_redux_of_floats());
    case Op::CpAsync: {
      const std::uint64_t bytes = instruction.operands[2].bits;
      if (bytes == 16 || (!instruction.has(Mod::Cg) && (bytes == 4 || bytes == 8))) return std::nullopt;
      return wrong(instruction.has(Mod::Cg) ? msg::ptx_async_cg_bytes() : msg::ptx_async_bytes(), 2);
    }
    case Op::CpAsyncBulk:
    case Op::CpAsyncBulkCommitGroup:
    case Op::CpAsyncBulkWaitGroup:
    case Op::CpAsyncBulkPrefetch:
    case Op::Mapa:
    case Op::Getctarank:
      if (module.target_sm >= 90) return std::nullopt;
      return wrong(msg::ptx_needs_sm_90(spelling(instruction.op)), -1, msg::ptx_sm_90_hint());
    case Op::Wmma:
      if (instruction.has(Mod::Mma) != (instruction.operands.size() == 4)) {
        return wrong(msg::ptx_wmma_operands());
      }
      if (instruction.has(Mod::Mma) ? types == 2 || types == 4 : types == 1) return std::nullopt;
      return wrong(msg::ptx_wmma_types());
    default: return std::nullopt;
  }
}

Maybe check_call(const Module& module, const Function& function, const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  const std::vector<Variable>* returns = nullptr;
  const std::vector<Variable>* params = nullptr;
  if (operands[1].kind == OperandKind::Symbol) {
    const Function& target = module.functions[operands[1].symbol];
    if (target.is_entry) return wrong(msg::ptx_kernel_called(), 1);
    returns = &target.returns;
    params = &target.params;
  } else if (operands.size() == 4) {
    const Function::Prototype& prototype = function.prototypes[operands[3].symbol];
    returns = &prototype.returns;
    params = &prototype.params;
  } else {
    return wrong(msg::ptx_indirect_call_without_prototype(), 1);
  }
  if (operands[0].elements.size() != returns->size()) {
    return wrong(msg::ptx_return_count(returns->size(), operands[0].elements.size()), 0);
  }
  const bool is_open = !params->empty() && params->back().size == 0;
  if (operands[2].elements.size() != params->size() && !is_open) {
    return wrong(msg::ptx_argument_count(params->size(), operands[2].elements.size()), 2);
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
