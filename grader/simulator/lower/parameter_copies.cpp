#include "grader/simulator/lower/parameter_copies.h"

#include <map>
#include <vector>

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kLargest = 32764;  // as a kernel's

/// Where a parameter is, once its address has been taken.
struct Copy {
  std::uint32_t variable = 0;  ///< in Function::variables
  std::uint32_t address = 0;   ///< the register that holds its generic address
};

ptx::Operand register_operand(std::uint32_t reg) {
  ptx::Operand operand;
  operand.kind = ptx::OperandKind::Register;
  operand.reg = reg;
  return operand;
}

ptx::Operand symbol_operand(ptx::OperandKind kind, ptx::SymbolKind symbol_kind, std::uint32_t symbol,
                            std::int64_t offset = 0) {
  ptx::Operand operand;
  operand.kind = kind;
  operand.symbol_kind = symbol_kind;
  operand.symbol = symbol;
  operand.offset = offset;
  return operand;
}

/// Makes the copies of one function.
class Copier {
 public:
  explicit Copier(ptx::Function& function) : function_(function) {}

  void run() {
    for (const ptx::Instruction& in : function_.body) {
      for (const ptx::Operand& operand : in.operands) {
        if (is_address(operand)) copies_.emplace(operand.symbol, Copy{});
      }
    }
    if (copies_.empty()) return;
    for (auto& [parameter, copy] : copies_) make(parameter, copy);
    for (ptx::Instruction& in : function_.body) rename(in);
    const auto shift = static_cast<std::uint32_t>(head_.size());
    for (auto& targets : function_.branch_targets) {
      for (std::uint32_t& target : targets) target += shift;
    }
    for (std::uint32_t& place : function_.not_unrolled) place += shift;
    function_.body.insert(function_.body.begin(), head_.begin(), head_.end());
    for (std::size_t i = shift; i < function_.body.size(); ++i) {
      for (ptx::Operand& operand : function_.body[i].operands) {
        if (operand.kind == ptx::OperandKind::Label) operand.label += shift;
      }
    }
  }

 private:
  [[nodiscard]] bool is_address(const ptx::Operand& operand) const {
    return operand.kind == ptx::OperandKind::Symbol && operand.symbol_kind == ptx::SymbolKind::Parameter &&
           operand.offset == 0 && function_.params[operand.symbol].size <= kLargest;
  }

  std::uint32_t new_register(ptx::Type type) {
    function_.registers.push_back({"%" + std::string(ptx::spelling(type)) + "_of_parameter", type});
    return static_cast<std::uint32_t>(function_.registers.size() - 1);
  }

  void add(ptx::Op op, ptx::Space space, ptx::Type type, ptx::Operand first, ptx::Operand second) {
    ptx::Instruction in;
    in.op = op;
    in.space = space;
    in.types = {type};
    in.operands = {std::move(first), std::move(second)};
    in.loc = function_.loc;
    in.ptx_line = function_.ptx_line;
    head_.push_back(std::move(in));
  }

  void make(std::uint32_t parameter, Copy& copy) {
    using enum ptx::OperandKind;
    using enum ptx::SymbolKind;
    ptx::Variable variable = function_.params[parameter];
    variable.space = ptx::Space::Local;
    copy.variable = static_cast<std::uint32_t>(function_.variables.size());
    for (std::uint64_t at = 0; at < variable.size;) {
      const bool word = at % 4 == 0 && variable.align % 4 == 0 && variable.size - at >= 4;
      const ptx::Type type = word ? ptx::Type::B32 : ptx::Type::B8;
      const std::uint32_t value = new_register(ptx::Type::B32);
      const auto offset = static_cast<std::int64_t>(at);
      add(ptx::Op::Ld, ptx::Space::Param, type, register_operand(value),
          symbol_operand(Address, Parameter, parameter, offset));
      add(ptx::Op::St, ptx::Space::Local, type,
          symbol_operand(Address, FunctionVariable, copy.variable, offset), register_operand(value));
      at += word ? 4 : 1;
    }
    function_.variables.push_back(std::move(variable));
    const std::uint32_t local = new_register(ptx::Type::B64);
    copy.address = new_register(ptx::Type::B64);
    add(ptx::Op::Mov, ptx::Space::Generic, ptx::Type::U64, register_operand(local),
        symbol_operand(Symbol, FunctionVariable, copy.variable));
    add(ptx::Op::Cvta, ptx::Space::Local, ptx::Type::U64, register_operand(copy.address),
        register_operand(local));
  }

  void rename(ptx::Instruction& in) {
    const bool access = in.space == ptx::Space::Param && (in.op == ptx::Op::Ld || in.op == ptx::Op::St);
    for (ptx::Operand& operand : in.operands) {
      const bool named = operand.symbol_kind == ptx::SymbolKind::Parameter;
      const auto found = named ? copies_.find(operand.symbol) : copies_.end();
      if (is_address(operand)) {
        operand = register_operand(copies_.at(operand.symbol).address);
      } else if (access && operand.kind == ptx::OperandKind::Address && operand.base_is_register) {
        in.space = ptx::Space::Generic;
      } else if (access && found != copies_.end()) {
        in.space = ptx::Space::Local;
        operand.symbol_kind = ptx::SymbolKind::FunctionVariable;
        operand.symbol = found->second.variable;
      }
    }
    // `cvta.param` of what is generic already.
    if (in.op == ptx::Op::Cvta && in.space == ptx::Space::Param) {
      in.op = ptx::Op::Mov;
      in.space = ptx::Space::Generic;
      in.mods.clear();
    }
  }

  ptx::Function& function_;
  std::map<std::uint32_t, Copy> copies_;  // by parameter
  std::vector<ptx::Instruction> head_;    // what comes before the function's own instructions
};

}  // namespace

void keep_addressed_parameters(ptx::Module& module) {
  for (ptx::Function& function : module.functions) {
    if (!function.is_entry && !function.is_declaration) Copier(function).run();
  }
}

}  // namespace cudalabs::sim
