#include "grader/sim/ptx/validator.h"

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/combinations.h"
#include "grader/sim/ptx/rules.h"

namespace cudalabs::ptx {
namespace {

/// Types of C: packed and 16-bit floats are in .b registers instead.
bool is_plain_float(Type type) { return type == Type::F32 || type == Type::F64; }

/// May an operand of type `wanted` be a register of type `held`? Relaxed: it may also be wider.
bool fits(Type wanted, Type held, bool relaxed) {
  if ((wanted == Type::Pred) != (held == Type::Pred)) return false;
  if (wanted == Type::Pred) return true;
  const int need = size_of(wanted), have = size_of(held);
  if (have != need && !(relaxed && have > need)) return false;
  if (is_integer(wanted)) return !is_float(held);
  if (is_float(wanted) && is_float(held))
    return wanted == held || (wanted == Type::TF32 && held == Type::F32);
  if (is_float(wanted)) return !is_integer(held);
  return true;
}

/// True if it has two spaces; Instruction keeps the first.
bool takes_two_spaces(Op op) { return op == Op::CpAsync || op == Op::CpAsyncBulk; }

Type widened(Type type) {
  switch (type) {
    case Type::U16: return Type::U32;
    case Type::S16: return Type::S32;
    case Type::U32: return Type::U64;
    case Type::S32: return Type::S64;
    default: return type;
  }
}

/// Checks the operands of one instruction against its forms.
class Operands {
 public:
  Operands(const Module& module, const Function& function, const Instruction& instruction, const Rule& rule)
      : module_(module), function_(function), instruction_(instruction), rule_(rule) {}

  Maybe check() const {
    const std::size_t given = instruction_.operands.size();
    Maybe closest;
    for (const Form& form : rule_.forms) {
      const bool count_fits = given >= form.required && (form.open || given <= form.operands.size());
      if (!count_fits) continue;
      Maybe violation = check_form(form);
      if (!violation) return std::nullopt;
      if (!closest || violation->operand > closest->operand) closest = std::move(violation);
    }
    if (closest) return closest;
    std::string counts;
    for (const Form& form : rule_.forms) {
      const std::string one =
          form.required == form.operands.size()
              ? std::to_string(form.required)
              : std::to_string(form.required) + " to " + std::to_string(form.operands.size());
      if (counts.find(one) == std::string::npos) counts += (counts.empty() ? "" : " or ") + one;
    }
    return wrong(msg::ptx_operand_count(spelling(instruction_.op), counts, given));
  }

 private:
  Maybe check_form(const Form& form) const {
    for (std::size_t i = 0; i < std::min(form.operands.size(), instruction_.operands.size()); ++i) {
      if (Maybe violation = check_operand(form.operands[i].expect, instruction_.operands[i])) {
        violation->operand = static_cast<int>(i);
        return violation;
      }
    }
    return std::nullopt;
  }

  Maybe check_operand(Expect expect, const Operand& operand) const {
    const bool can_pair =
        expect == Expect::DestAndPred || expect == Expect::Dest32AndPred || expect == Expect::PredAndPred;
    if (!can_pair && operand.kind != OperandKind::Vector && !operand.elements.empty()) {
      return wrong(msg::ptx_second_destination());
    }
    const bool may_negate = expect == Expect::Predicate || instruction_.op == Op::Vmad;
    if (operand.negated && !may_negate) return wrong(msg::ptx_negation_impossible());
    const Type first = instruction_.type();
    const Type last = instruction_.types.empty() ? Type::None : instruction_.types.back();
    const bool wide = instruction_.has(Mod::Wide);
    switch (expect) {
      case Expect::Dest: return destination(operand, first, false);
      case Expect::DestWide: return destination(operand, wide ? widened(first) : first, false);
      case Expect::DestRelaxed: return memory_value(operand, first, true);
      case Expect::Dest32: return destination(operand, Type::B32, false);
      case Expect::Dest64: return destination(operand, Type::B64, false);
      case Expect::DestPred: return destination(operand, Type::Pred, false);
      case Expect::DestUnpack: return packed(operand, first, true);
      case Expect::DestAny: return fragment(operand, true);
      case Expect::DestAndPred: return pair(operand, first);
      case Expect::Dest32AndPred: return pair(operand, Type::B32);
      case Expect::PredAndPred: return pair(operand, Type::Pred);
      case Expect::First: return source(operand, first, false);
      case Expect::FirstRelaxed: return memory_value(operand, first, false);
      case Expect::Last: return source(operand, last, false);
      case Expect::LastRelaxed: return source(operand, last, true);
      case Expect::FirstWide: return source(operand, wide ? widened(first) : first, false);
      case Expect::Packed: return packed(operand, first, false);
      case Expect::Bits32: return whole(operand, Type::B32);
      case Expect::Bits64: return whole(operand, Type::B64);
      case Expect::Predicate: return whole(operand, Type::Pred);
      case Expect::AnyValue: return fragment(operand, false);
      case Expect::Immediate: return constant(operand);
      case Expect::Address: return address(operand);
      case Expect::Label:
        return operand.kind == OperandKind::Label ? std::nullopt : Maybe(wrong(msg::ptx_label_expected()));
      case Expect::Symbol: return symbol(operand);
      case Expect::Anything: return std::nullopt;
    }
    return std::nullopt;
  }

  [[nodiscard]] Maybe register_fits(const Operand& operand, Type type, bool relaxed) const {
    const Register& held = function_.registers[operand.reg];
    if (fits(type, held.type, relaxed)) return std::nullopt;
    return wrong(msg::ptx_register_type(held.name.substr(0, 60), dotted(held.type), dotted(type)));
  }

  Maybe destination(const Operand& operand, Type type, bool relaxed) const {
    if (operand.kind != OperandKind::Register) return wrong(msg::ptx_destination_no_register());
    return register_fits(operand, type, relaxed);
  }

  Maybe source(const Operand& operand, Type type, bool relaxed) const {
    switch (operand.kind) {
      case OperandKind::Register: return register_fits(operand, type, relaxed);
      case OperandKind::Immediate:
        if (operand.is_float && is_integer(type)) return wrong(msg::ptx_float_constant_wrong(dotted(type)));
        if (!operand.is_float && is_plain_float(type)) {
          return wrong(msg::ptx_whole_constant_wrong(dotted(type)), -1, msg::ptx_float_constant_hint());
        }
        return std::nullopt;
      case OperandKind::Special:
        if (rule_.category == "Move") return special(operand, type);
        return wrong(msg::ptx_special_needs_mov(), -1, msg::ptx_move_special_hint(spelling(operand.special)));
      case OperandKind::Symbol:
        if (rule_.category == "Move" && operand.symbol_kind != SymbolKind::BranchTargets &&
            operand.symbol_kind != SymbolKind::Prototype) {
          if (!is_plain_float(type) && size_of(type) >= 4) return std::nullopt;
          return wrong(msg::ptx_address_too_wide(dotted(type)));
        }
        return wrong(msg::ptx_variable_address_needs_mov());
      default: return wrong(msg::ptx_value_expected());
    }
  }

  /// Counts, masks, lanes, predicates: float constants are invalid here.
  Maybe whole(const Operand& operand, Type type) const {
    if (operand.kind == OperandKind::Immediate && operand.is_float) {
      return wrong(msg::ptx_float_constant_senseless());
    }
    return source(operand, type, false);
  }

  Maybe special(const Operand& operand, Type type) const {
    const bool is_long = operand.special == Special::Clock64 || operand.special == Special::GlobalTimer ||
                         operand.special == Special::GridId;
    const bool fits_here = is_integer(type) || type == Type::B16 || type == Type::B32 || type == Type::B64;
    if (fits_here && (size_of(type) <= 4 || is_long)) return std::nullopt;
    return wrong(msg::ptx_special_too_wide(spelling(operand.special), dotted(type)));
  }

  /// The value of a load, store or conversion: registers may be wider, .v2 to .v8 need a vector.
  Maybe memory_value(const Operand& operand, Type type, bool is_destination) const {
    const auto width = static_cast<std::size_t>(instruction_.vector_width());
    if (width == 1 && operand.kind != OperandKind::Vector)
      return memory_element(operand, type, is_destination);
    if (operand.kind != OperandKind::Vector || operand.elements.size() != width) {
      return wrong(msg::ptx_vector_expected(width));
    }
    for (const Operand& element : operand.elements) {
      if (Maybe violation = memory_element(element, type, is_destination)) return violation;
    }
    return std::nullopt;
  }

  Maybe memory_element(const Operand& operand, Type type, bool is_destination) const {
    const bool relaxed = rule_.category != "Atomic";
    if (!is_destination) return source(operand, type, relaxed);
    if (operand.kind == OperandKind::Sink) return std::nullopt;
    return destination(operand, type, relaxed);
  }

  /// mov: a value, or a {vector} whose total width is that of the type.
  Maybe packed(const Operand& operand, Type type, bool is_destination) const {
    const auto width = static_cast<std::size_t>(instruction_.vector_width());
    if (width > 1) {  // a mov for each element
      if (operand.kind != OperandKind::Vector || operand.elements.size() != width)
        return wrong(msg::ptx_vector_expected(width));
      for (const Operand& element : operand.elements) {
        if (element.kind == OperandKind::Sink && is_destination) continue;
        if (Maybe violation =
                is_destination ? destination(element, type, false) : source(element, type, false))
          return violation;
      }
      return std::nullopt;
    }
    if (operand.kind != OperandKind::Vector) {
      return is_destination ? destination(operand, type, false) : source(operand, type, false);
    }
    const std::size_t count = operand.elements.size();
    const int bytes = size_of(type);
    if (type == Type::Pred) return wrong(msg::ptx_predicate_packed());
    if (count < 2 || count > 8 || bytes % static_cast<int>(count) != 0) {
      return wrong(msg::ptx_packing_wrong(dotted(type), count));
    }
    for (const Operand& element : operand.elements) {
      if (element.kind == OperandKind::Sink && is_destination) continue;
      if (element.kind == OperandKind::Immediate && !is_destination) continue;
      if (element.kind != OperandKind::Register) return wrong(msg::ptx_vector_of_registers());
      const Register& held = function_.registers[element.reg];
      if (size_of(held.type) * static_cast<int>(count) != bytes) {
        return wrong(msg::ptx_packed_register(held.name.substr(0, 60), dotted(held.type), dotted(type),
                                              8 * bytes / static_cast<int>(count)));
      }
    }
    return std::nullopt;
  }

  /// Matrix fragments and argument lists: the number of registers is checked with the instruction. Those of a
  /// fragment are 32 bits wide, or 64 for matrices of doubles.
  Maybe fragment(const Operand& operand, bool is_destination) const {
    const bool is_matrix = rule_.category == "Matrix";
    const int width = instruction_.type() == Type::F64 ? 8 : 4;
    const auto good = [&](const Operand& one) {
      if (instruction_.op == Op::Call) return true;  // check_call
      if (one.kind == OperandKind::Register) {
        const Type held = function_.registers[one.reg].type;
        return !is_matrix || size_of(held) == width;
      }
      return !is_matrix && !is_destination &&
             (one.kind == OperandKind::Immediate || one.kind == OperandKind::Symbol);
    };
    const bool all = operand.kind == OperandKind::Vector
                         ? std::all_of(operand.elements.begin(), operand.elements.end(), good)
                         : good(operand);
    if (all) return std::nullopt;
    return wrong(is_matrix ? msg::ptx_matrix_registers_expected(8 * width) : msg::ptx_registers_expected());
  }

  /// d|p: either half may be `_`, the second one is a predicate.
  Maybe pair(const Operand& operand, Type type) const {
    const bool has_second = !operand.elements.empty() && operand.kind != OperandKind::Vector;
    if (operand.kind == OperandKind::Sink && !has_second && type == Type::Pred) {
      return wrong(msg::ptx_destination_no_register());
    }
    if (operand.kind != OperandKind::Sink) {
      if (Maybe violation = destination(operand, type, false)) return violation;
    }
    if (!has_second || operand.elements[0].kind == OperandKind::Sink) return std::nullopt;
    return destination(operand.elements[0], Type::Pred, false);
  }

  static Maybe constant(const Operand& operand) {
    if (operand.kind == OperandKind::Immediate && !operand.is_float) return std::nullopt;
    return wrong(msg::ptx_whole_constant_expected());
  }

  Maybe address(const Operand& operand) const {
    if (operand.kind != OperandKind::Address) return wrong(msg::ptx_address_expected());
    if (operand.base_is_register) {
      const Register& base = function_.registers[operand.reg];
      const bool good = size_of(base.type) >= 4 && size_of(base.type) <= 8 && !is_float(base.type);
      return good ? std::nullopt
                  : Maybe(wrong(msg::ptx_register_no_address(base.name.substr(0, 60), dotted(base.type))));
    }
    switch (operand.symbol_kind) {
      case SymbolKind::ModuleVariable: return space_fits(module_.variables[operand.symbol]);
      case SymbolKind::FunctionVariable: return space_fits(function_.variables[operand.symbol]);
      case SymbolKind::Parameter: return space_fits(function_.params[operand.symbol]);
      case SymbolKind::Return: return space_fits(function_.returns[operand.symbol]);
      case SymbolKind::None: return std::nullopt;
      default: return wrong(msg::ptx_address_without_variable());
    }
  }

  Maybe space_fits(const Variable& variable) const {
    if (instruction_.space == Space::Generic && variable.space == Space::Param) {
      return wrong(msg::ptx_param_space_missing(variable.name.substr(0, 60)));
    }
    // cp.async and cp.async.bulk have two spaces and Instruction keeps one: their addresses are checked at
    // run time.
    if (instruction_.space == Space::Generic || takes_two_spaces(instruction_.op) ||
        variable.space == instruction_.space) {
      return std::nullopt;
    }
    return wrong(msg::ptx_space_wrong(variable.name.substr(0, 60), spelling(variable.space),
                                      spelling(instruction_.space)));
  }

  Maybe symbol(const Operand& operand) const {
    if (instruction_.op == Op::BrxIdx) {
      const bool good =
          operand.kind == OperandKind::Symbol && operand.symbol_kind == SymbolKind::BranchTargets;
      return good ? std::nullopt : Maybe(wrong(msg::ptx_branch_targets_expected()));
    }
    if (operand.kind == OperandKind::Register) return register_fits(operand, Type::B64, false);
    if (operand.kind != OperandKind::Symbol) return wrong(msg::ptx_function_expected());
    const bool is_target = &operand == &instruction_.operands[1];
    const SymbolKind wanted = is_target ? SymbolKind::Function : SymbolKind::Prototype;
    if (operand.symbol_kind == wanted) return std::nullopt;
    return wrong(is_target ? msg::ptx_function_expected() : msg::ptx_prototype_expected());
  }

  const Module& module_;
  const Function& function_;
  const Instruction& instruction_;
  const Rule& rule_;
};

Maybe check_types(const Instruction& instruction, const Rule& rule) {
  const auto required = static_cast<std::size_t>(std::count_if(
      rule.types.begin(), rule.types.end(), [](const TypeRule& type) { return !type.optional; }));
  const std::string name(spelling(instruction.op));
  if (instruction.types.size() < required) return wrong(msg::ptx_type_missing(name));
  if (instruction.types.size() > rule.types.size()) {
    return wrong(msg::ptx_types_too_many(name, rule.types.size()));
  }
  for (std::size_t i = 0; i < instruction.types.size(); ++i) {
    const Type type = instruction.types[i];
    if ((rule.types[i].allowed >> static_cast<unsigned>(type) & 1U) == 0) {
      return wrong(msg::ptx_type_impossible(dotted(type), name));
    }
  }
  return std::nullopt;
}

Maybe check_mods(const Instruction& instruction, const Rule& rule) {
  auto problem = modifiers_problem(std::string(spelling(instruction.op)), instruction.mods, rule.mods);
  return problem ? Maybe(wrong(*std::move(problem))) : std::nullopt;
}

/// Checks the source and destination of a bulk copy, and its completion mechanism.
Maybe check_bulk_spaces(const Instruction& instruction, std::span<const Space> spaces) {
  const bool to_global = !spaces.empty() && spaces[0] == Space::Global;
  const bool two = spaces.size() == 2 && (spaces[0] == Space::Shared || spaces[1] == Space::Shared);
  const std::size_t least = to_global ? 3 : 4;
  if (two && instruction.has(Mod::BulkGroup) == to_global && instruction.operands.size() >= least &&
      instruction.operands.size() <= least + 1 &&
      (to_global || instruction.operands[3].kind == OperandKind::Address))
    return std::nullopt;
  return wrong(msg::ptx_bulk_spaces_wrong(), -1, msg::ptx_bulk_form_hint());
}

Maybe check_spaces(const Instruction& instruction, const Rule& rule, std::span<const Space> spaces) {
  const std::string name(spelling(instruction.op));
  const bool takes_two = takes_two_spaces(instruction.op);
  if (spaces.size() > (takes_two ? 2U : 1U)) return wrong(msg::ptx_one_space_only(name));
  for (const Space space : spaces) {
    if ((rule.spaces >> static_cast<unsigned>(space) & 1U) == 0) {
      return wrong(msg::ptx_space_impossible(spelling(space), name));
    }
  }
  if (instruction.op == Op::CpAsyncBulk) return check_bulk_spaces(instruction, spaces);
  if (takes_two && (spaces.size() != 2 || spaces[0] != Space::Shared || spaces[1] != Space::Global)) {
    return wrong(msg::ptx_async_spaces_missing(), -1, msg::ptx_async_form_hint());
  }
  const bool needs_one = instruction.op == Op::Isspacep || instruction.op == Op::Cvta;
  if (needs_one && spaces.empty()) return wrong(msg::ptx_space_missing(name));
  return std::nullopt;
}

}  // namespace

std::string refusal(Op op) { return std::string(rule_of(op).advice); }

std::optional<Violation> validate(const Module& module, const Function& function,
                                  const Instruction& instruction, std::span<const Space> spaces) {
  const Rule& rule = rule_of(instruction.op);
  if (Maybe violation = check_mods(instruction, rule)) return violation;
  if (Maybe violation = check_types(instruction, rule)) return violation;
  if (Maybe violation = check_spaces(instruction, rule, spaces)) return violation;
  if (Maybe violation = Operands(module, function, instruction, rule).check()) return violation;
  if (Maybe violation = check_combination(module, function, instruction)) return violation;
  if (instruction.op == Op::Call) return check_call(module, function, instruction);
  return std::nullopt;
}

}  // namespace cudalabs::ptx
