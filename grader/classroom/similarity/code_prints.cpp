// Fingerprints of the data flow. Each number is a hash of an instruction and the instructions that feed it,
// kDepth levels deep (the subtree patterns of Weisfeiler and Lehman). The position in the text is not
// included, so the order of functions, blocks and independent statements does not matter.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "grader/classroom/similarity/fingerprints.h"
#include "grader/classroom/similarity/mix.h"
#include "grader/sim/ptx/ir.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs {
namespace {

using namespace ptx;

constexpr int kDepth = 4;                   // levels of instructions in a pattern
constexpr std::uint32_t kFewestParts = 5;   // instructions and leaves; smaller patterns say nothing
constexpr std::uint32_t kManyParts = 1000;  // parts are not counted beyond this

/// A pattern so far: its hash and its size.
struct Label {
  std::uint64_t value = 0;
  std::uint32_t parts = 0;
};

enum class Leaf : std::uint8_t { Unwritten = 1, Whole, Symbol, Parameter, Function, Other };

Label leaf(Leaf kind, std::uint64_t detail = 0) { return {mix(static_cast<std::uint64_t>(kind), detail), 1}; }

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return std::min(a + b, kManyParts); }

/// One kind for all integers, because an index may be int, unsigned or size_t.
std::uint64_t kind_of(Type type) {
  if (type == Type::Pred || type == Type::None) return static_cast<std::uint64_t>(type);
  return is_float(type) ? static_cast<std::uint64_t>(type) : 255;
}

bool whole(Type type) { return type != Type::Pred && type != Type::None && !is_float(type); }

/// Returns whether an instruction only copies its register, perhaps to another width.
bool hands_on(const Instruction& in) {
  if (in.has_guard || in.operands.size() != 2) return false;
  if (in.operands[0].kind != OperandKind::Register || in.operands[1].kind != OperandKind::Register)
    return false;
  if (in.op == Op::Mov || in.op == Op::Cvta) return true;
  return in.op == Op::Cvt && in.types.size() == 2 && whole(in.types[0]) && whole(in.types[1]);
}

bool any_order(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Mul:
    case Op::Min:
    case Op::Max:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Setp:  // a < b and b > a
    case Op::Mad:   // commutative in the factors
    case Op::Fma: return true;
    default: return false;
  }
}

/// Returns whether a modifier changes the operation.
bool modifiers_count(Op op) {
  const ptx::Traits& traits = ptx::traits_of(op);
  return traits.access == ptx::Access::Atomic || traits.exchange || traits.joined;
}

std::uint64_t number_of_instruction(const Instruction& in) {
  std::uint64_t value = mix(static_cast<std::uint64_t>(in.op), static_cast<std::uint64_t>(in.space));
  for (const Type type : in.types) value = mix(value, kind_of(type));
  if (in.vector_width() > 1) value = mix(value, static_cast<std::uint64_t>(in.vector_width()) << 32);
  if (in.op == Op::Setp) value = mix(value, in.has(Mod::Eq) || in.has(Mod::Ne));
  if (modifiers_count(in.op)) {
    for (const Mod mod : in.mods) value = mix(value, static_cast<std::uint64_t>(mod));
  }
  return value;
}

std::uint64_t bits_of_float(const Operand& operand) {
  if (operand.is_f64_literal) return operand.bits;
  return std::bit_cast<std::uint64_t>(
      static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
}

class FunctionPrints {
 public:
  explicit FunctionPrints(const Module& module, const Function& function)
      : module_(module), function_(function), writers_(function.registers.size()) {
    for (std::uint32_t at = 0; at < function.body.size(); ++at) {
      const Instruction& in = function.body[at];
      numbers_.push_back(number_of_instruction(in));
      if (!writes_first(in)) continue;
      each_register(in.operands[0], [&](std::uint32_t reg) { writers_[reg].push_back(at); });
    }
    find_origins();
  }

  void add_to(PrintSet& prints) {
    labels_.resize(function_.body.size());
    registers_.assign(function_.registers.size(), leaf(Leaf::Unwritten));
    for (int level = 0; level < kDepth; ++level) {
      for (std::uint32_t at = 0; at < function_.body.size(); ++at) labels_[at] = label(at);
      for (std::uint32_t reg = 0; reg < registers_.size(); ++reg) registers_[reg] = label_of_register(reg);
    }
    for (std::uint32_t at = 0; at < labels_.size(); ++at) {
      if (!hands_on(function_.body[at]) && labels_[at].parts >= kFewestParts)
        prints.push_back(labels_[at].value);
    }
  }

 private:
  template <class Use>
  static void each_register(const Operand& operand, const Use& use) {
    if (operand.kind == OperandKind::Register) use(operand.reg);
    for (const Operand& element : operand.elements) each_register(element, use);
  }

  /// If a register is written once, with the value of another one, that other register represents it.
  void find_origins() {
    origin_.resize(writers_.size());
    for (std::uint32_t reg = 0; reg < origin_.size(); ++reg) origin_[reg] = reg;
    // In text order most sources are known when they are needed. An unknown one stays a separate step.
    for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
      const Instruction& in = function_.body[at];
      if (!hands_on(in) || writers_[in.operands[0].reg].size() != 1) continue;
      const std::uint32_t from = origin_[in.operands[1].reg];
      if (from != in.operands[0].reg) origin_[in.operands[0].reg] = from;
    }
  }

  [[nodiscard]] Label symbol(const Operand& operand) const {
    const auto space = [](const Variable& variable) {
      return leaf(variable.space == Space::Param ? Leaf::Parameter : Leaf::Symbol,
                  static_cast<std::uint64_t>(variable.space));
    };
    switch (operand.symbol_kind) {
      case SymbolKind::ModuleVariable: return space(module_.variables[operand.symbol]);
      case SymbolKind::FunctionVariable: return space(function_.variables[operand.symbol]);
      case SymbolKind::Parameter:
      case SymbolKind::Return: return leaf(Leaf::Parameter);
      case SymbolKind::Function: return leaf(Leaf::Function);
      default: return leaf(Leaf::Other);
    }
  }

  [[nodiscard]] Label label(const Operand& operand) const {
    switch (operand.kind) {
      case OperandKind::Register: return registers_[origin_[operand.reg]];
      case OperandKind::Immediate:
        return operand.is_float ? leaf(Leaf::Whole, bits_of_float(operand)) : leaf(Leaf::Whole);
      case OperandKind::Special: return leaf(Leaf::Other, 1 + static_cast<std::uint64_t>(operand.special));
      case OperandKind::Symbol: return symbol(operand);
      case OperandKind::Address: {
        const bool known = !operand.base_is_register && operand.symbol_kind == SymbolKind::None;
        const Label base = operand.base_is_register ? registers_[origin_[operand.reg]]
                           : known                  ? leaf(Leaf::Other)
                                                    : symbol(operand);
        return {mix(base.value, 'a'), base.parts};
      }
      case OperandKind::Vector: {
        Label all{'v', 0};
        for (const Operand& element : operand.elements) {
          const Label one = label(element);
          all = {mix(all.value, one.value), sum(all.parts, one.parts)};
        }
        return all;
      }
      default: return leaf(Leaf::Other);
    }
  }

  [[nodiscard]] Label label(std::uint32_t at) const {
    const Instruction& in = function_.body[at];
    Label result{numbers_[at], 1};
    const auto add = [&](const Label& part) {
      result = {mix(result.value, part.value), sum(result.parts, part.parts)};
    };
    if (in.has_guard) add(registers_[origin_[in.guard]]);
    const std::size_t first = writes_first(in) ? 1 : 0;
    std::size_t next = first;
    if (any_order(in.op) && in.operands.size() >= first + 2) {
      Label a = label(in.operands[first]), b = label(in.operands[first + 1]);
      if (b.value < a.value) std::swap(a, b);
      add(a);
      add(b);
      next = first + 2;
    }
    for (; next < in.operands.size(); ++next) add(label(in.operands[next]));
    return result;
  }

  [[nodiscard]] Label label_of_register(std::uint32_t reg) {
    const auto& writers = writers_[reg];
    if (writers.empty()) return leaf(Leaf::Unwritten);
    if (writers.size() == 1) return labels_[writers.front()];
    // The value depends on the control flow. The possible sources have no order, and equal ones count once.
    scratch_.clear();
    for (const std::uint32_t at : writers) scratch_.push_back(labels_[at]);
    std::ranges::sort(scratch_, {}, &Label::value);
    Label all{'p', 0};
    std::uint64_t last = 0;
    for (const Label& one : scratch_) {
      if (one.value == last) continue;
      last = one.value;
      all = {mix(all.value, one.value), sum(all.parts, one.parts)};
    }
    return all;
  }

  const Module& module_;
  const Function& function_;
  std::vector<std::uint64_t> numbers_;               ///< by instruction
  std::vector<std::vector<std::uint32_t>> writers_;  ///< by register
  std::vector<std::uint32_t> origin_;                ///< by register: the register that represents it
  std::vector<Label> labels_, registers_, scratch_;
};

}  // namespace

PrintSet code_prints(std::string_view ptx) {
  PrintSet prints;
  if (ptx.size() > kMaxPtxBytes) return prints;
  const auto module = ptx::parse(ptx, "submission.ptx");
  if (!module) return prints;
  for (const Function& function : module->functions) FunctionPrints(*module, function).add_to(prints);
  keep_fewest(prints);
  return prints;
}

}  // namespace cudalabs
