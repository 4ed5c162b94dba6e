// Expands PTX constructs that later stages expect in several parts: parameters in registers become .param
// variables with loads and stores, and a mov of a vector becomes a mov of each element.

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/parse/parser.h"

namespace cudalabs::ptx {
namespace {

Operand register_operand(std::uint32_t reg) {
  Operand result;
  result.kind = OperandKind::Register;
  result.reg = reg;
  return result;
}

/// `width` registers from `first` on, as an operand.
Operand registers_operand(std::uint32_t first, std::uint32_t width) {
  if (width == 1) return register_operand(first);
  Operand result;
  result.kind = OperandKind::Vector;
  for (std::uint32_t i = 0; i < width; ++i) result.elements.push_back(register_operand(first + i));
  return result;
}

/// ld.param or st.param between registers and a parameter, at the position and under the guard of `like`.
Instruction parameter_access(Op op, const Instruction& like, Type type, Operand value, SymbolKind kind,
                             std::uint32_t index) {
  Instruction result;
  result.op = op;
  result.space = Space::Param;
  result.types = {type};
  const std::size_t width = value.elements.size();
  if (width > 1) result.mods.push_back(width == 2 ? Mod::V2 : Mod::V4);
  result.has_guard = like.has_guard;
  result.guard_negated = like.guard_negated;
  result.guard = like.guard;
  result.loc = like.loc;
  result.ptx_line = like.ptx_line;
  Operand address;
  address.kind = OperandKind::Address;
  address.symbol_kind = kind;
  address.symbol = index;
  const bool loads = op == Op::Ld;
  result.operands.push_back(loads ? std::move(value) : address);
  result.operands.push_back(loads ? std::move(address) : std::move(value));
  return result;
}

/// Is a later element of the source an earlier one of the destination?
bool overlaps(const Operand& to, const Operand& from) {
  for (std::size_t i = 0; i < to.elements.size(); ++i) {
    const auto reads_it = [&](const Operand& o) {
      return o.kind == OperandKind::Register && o.reg == to.elements[i].reg;
    };
    const auto later = from.elements.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (to.elements[i].kind == OperandKind::Register && std::any_of(later, from.elements.end(), reads_it))
      return true;
  }
  return false;
}

}  // namespace

void Parser::register_parameter(const Token& name, Variable& variable, std::uint32_t width, SymbolKind kind,
                                std::uint32_t index) {
  if (function_->is_entry) return fail(name, msg::ptx_kernel_parameter_not_param());
  if (variable.type == Type::Pred) return fail(name, msg::ptx_predicate_parameter());
  const auto first = static_cast<std::uint32_t>(function_->registers.size());
  declare_registers(name, variable.type, width);
  register_parameters_.push_back({kind, index, first, width, variable.type});
}

void Parser::load_register_parameters() {
  Instruction where;
  where.ptx_line = function_->ptx_line;
  for (const RegisterParameter& p : register_parameters_) {
    if (p.kind != SymbolKind::Parameter) continue;
    function_->body.push_back(
        parameter_access(Op::Ld, where, p.type, registers_operand(p.first, p.width), p.kind, p.index));
  }
}

void Parser::store_register_results(const Instruction& ret) {
  for (const RegisterParameter& p : register_parameters_) {
    if (p.kind != SymbolKind::Return) continue;
    function_->body.push_back(
        parameter_access(Op::St, ret, p.type, registers_operand(p.first, p.width), p.kind, p.index));
  }
}

void Parser::end_of_body() {
  Instruction ret;
  ret.op = Op::Ret;
  ret.loc = loc_;
  ret.ptx_line = previous_.line;
  const bool returns =
      !function_->body.empty() && function_->body.back().op == Op::Ret && !function_->body.back().has_guard;
  const bool reached =
      std::ranges::any_of(labels_, [&](const auto& label) { return label.second == function_->body.size(); });
  const bool has_results = std::ranges::find(register_parameters_, SymbolKind::Return,
                                             &RegisterParameter::kind) != register_parameters_.end();
  if (!has_results || (returns && !reached)) return;
  store_register_results(ret);
  function_->body.push_back(std::move(ret));
}

void Parser::expand_call() {
  Instruction call = std::move(*instruction_);
  const std::vector<Variable>*returns = nullptr, *params = nullptr;
  if (call.operands[1].kind == OperandKind::Symbol) {
    const Function& target = module_.functions[call.operands[1].symbol];
    returns = &target.returns;
    params = &target.params;
  } else {
    const Function::Prototype& prototype = function_->prototypes[call.operands[3].symbol];
    returns = &prototype.returns;
    params = &prototype.params;
  }
  const auto passed_by = [&](const Variable& formal, Operand& operand) {
    const auto index = static_cast<std::uint32_t>(function_->variables.size());
    Variable& made = function_->variables.emplace_back();
    made.space = Space::Param;
    made.type = formal.type;
    made.align = formal.align;
    made.size = formal.size;
    made.ptx_line = call.ptx_line;
    operand = {};
    operand.kind = OperandKind::Symbol;
    operand.symbol_kind = SymbolKind::FunctionVariable;
    operand.symbol = index;
    return index;
  };
  std::vector<Instruction> loads;
  for (std::size_t i = 0; i < call.operands[0].elements.size(); ++i) {
    Operand& operand = call.operands[0].elements[i];
    if (operand.kind == OperandKind::Symbol) continue;
    Operand value = operand;
    const std::uint32_t index = passed_by((*returns)[i], operand);
    if (value.kind == OperandKind::Sink) continue;
    loads.push_back(parameter_access(Op::Ld, call, (*returns)[i].type, std::move(value),
                                     SymbolKind::FunctionVariable, index));
  }
  for (std::size_t i = 0; i < call.operands[2].elements.size(); ++i) {
    Operand& operand = call.operands[2].elements[i];
    if (operand.kind == OperandKind::Symbol) continue;
    Operand value = operand;
    const std::uint32_t index = passed_by((*params)[i], operand);
    function_->body.push_back(parameter_access(Op::St, call, (*params)[i].type, std::move(value),
                                               SymbolKind::FunctionVariable, index));
  }
  function_->body.push_back(std::move(call));
  for (Instruction& load : loads) function_->body.push_back(std::move(load));
}

void Parser::expand_vector_move() {
  const Instruction whole = std::move(*instruction_);
  const auto one = [&](const Operand& to, const Operand& from) {
    Instruction move = whole;
    move.mods.clear();
    move.operands = {to, from};
    function_->body.push_back(std::move(move));
  };
  const Operand& to = whole.operands[0];
  Operand from = whole.operands[1];
  if (overlaps(to, from)) {
    for (Operand& element : from.elements) {
      const auto fresh = static_cast<std::uint32_t>(function_->registers.size());
      function_->registers.push_back({"%moved", whole.type()});
      one(register_operand(fresh), element);
      element = register_operand(fresh);
    }
  }
  for (std::size_t i = 0; i < to.elements.size(); ++i) {
    if (to.elements[i].kind != OperandKind::Sink) one(to.elements[i], from.elements[i]);
  }
}

}  // namespace cudalabs::ptx
