#include "tests/sim/ptx/dump.h"

#include <map>
#include <sstream>

namespace cudalabs::ptx::test {
namespace {

class Dumper {
 public:
  explicit Dumper(const Module& module) : module_(module) {}

  std::string run() {
    out_ << "ptx " << module_.version_major << '.' << module_.version_minor << " sm_" << module_.target_sm
         << '\n';
    for (const std::string& file : module_.files) out_ << "file " << file << '\n';
    for (const Variable& one : module_.variables) variable("", one);
    for (const Function& one : module_.functions) function(one);
    return out_.str();
  }

 private:
  void variable(const char* indent, const Variable& one) {
    out_ << indent << (one.is_extern ? "extern " : "") << spelling(one.space) << ' ' << spelling(one.type)
         << ' ' << one.name << " size " << one.size << " align " << one.align
         << (one.is_pointer_parameter ? " ptr" : "");
    if (!one.initial.empty()) {
      out_ << " =";
      for (const std::uint8_t byte : one.initial) out_ << ' ' << static_cast<int>(byte);
    }
    for (const Variable::Relocation& reloc : one.relocations) {
      out_ << " [" << reloc.offset << ':' << static_cast<int>(reloc.bytes) << "] "
           << (reloc.is_generic ? "generic " : "")
           << (reloc.symbol_kind == SymbolKind::Function ? module_.functions[reloc.symbol].name
                                                         : module_.variables[reloc.symbol].name)
           << (reloc.addend != 0 ? "+" + std::to_string(reloc.addend) : "");
    }
    out_ << '\n';
  }

  void function(const Function& one) {
    function_ = &one;
    out_ << (one.is_entry ? "entry " : "func ") << one.name << (one.is_declaration ? " declared" : "")
         << '\n';
    for (const Variable& value : one.returns) variable("  return ", value);
    for (const Variable& value : one.params) variable("  ", value);
    if (one.max_threads[0] != 0) out_ << "  at most " << one.max_threads[0] << " threads\n";
    if (one.min_blocks != 0) out_ << "  at least " << one.min_blocks << " blocks\n";
    std::map<std::string, int> registers;
    for (const Register& reg : one.registers) ++registers[std::string(spelling(reg.type))];
    for (const auto& [type, count] : registers) out_ << "  registers " << type << ' ' << count << '\n';
    for (const Variable& value : one.variables) variable("  ", value);
    for (const auto& list : one.branch_targets) {
      out_ << "  targets";
      for (const std::uint32_t target : list) out_ << ' ' << target;
      out_ << '\n';
    }
    for (const auto& prototype : one.prototypes) {
      out_ << "  prototype " << prototype.returns.size() << " <- " << prototype.params.size() << '\n';
    }
    for (std::size_t i = 0; i < one.body.size(); ++i) instruction(i, one.body[i]);
  }

  void instruction(std::size_t index, const Instruction& one) {
    out_ << "  " << index << ": ";
    if (one.has_guard)
      out_ << '@' << (one.guard_negated ? "!" : "") << function_->registers[one.guard].name << ' ';
    out_ << spelling(one.op);
    for (const Mod mod : one.mods) out_ << '.' << spelling(mod);
    if (one.space != Space::Generic) out_ << " ." << spelling(one.space);
    for (const Type type : one.types) out_ << " ." << spelling(type);
    for (const Operand& value : one.operands) {
      out_ << ' ';
      operand(value);
    }
    if (const std::string place = module_.place(one.loc); !place.empty()) {
      out_ << "  // " << place;
      const SourceLoc& loc = module_.locations[one.loc];
      if (loc.inlined_at != 0) out_ << " in " << loc.function << " from " << module_.place(loc.inlined_at);
    }
    out_ << '\n';
  }

  void symbol(const Operand& one) {
    switch (one.symbol_kind) {
      case SymbolKind::None: out_ << "none"; break;
      case SymbolKind::ModuleVariable: out_ << module_.variables[one.symbol].name; break;
      case SymbolKind::FunctionVariable: out_ << function_->variables[one.symbol].name; break;
      case SymbolKind::Parameter: out_ << function_->params[one.symbol].name; break;
      case SymbolKind::Return: out_ << function_->returns[one.symbol].name; break;
      case SymbolKind::Function: out_ << "function:" << module_.functions[one.symbol].name; break;
      case SymbolKind::Prototype: out_ << "prototype:" << one.symbol; break;
      case SymbolKind::BranchTargets: out_ << "targets:" << one.symbol; break;
    }
    if (one.offset != 0) out_ << '+' << one.offset;
  }

  void operand(const Operand& one) {
    if (one.negated) out_ << '!';
    switch (one.kind) {
      case OperandKind::Register: out_ << function_->registers[one.reg].name; break;
      case OperandKind::Immediate:
        out_ << (one.is_float ? (one.is_f64_literal ? "0d" : "0f") : "") << std::hex
             << (one.is_float ? "" : "0x") << one.bits << std::dec;
        break;
      case OperandKind::Special: out_ << spelling(one.special); break;
      case OperandKind::Symbol: symbol(one); break;
      case OperandKind::Address:
        out_ << '[';
        if (one.base_is_register) {
          out_ << function_->registers[one.reg].name << '+' << one.offset;
        } else {
          symbol(one);
        }
        out_ << ']';
        break;
      case OperandKind::Vector: out_ << '{'; break;
      case OperandKind::Label: out_ << "->" << one.label; break;
      case OperandKind::Sink: out_ << '_'; break;
    }
    for (std::size_t i = 0; i < one.elements.size(); ++i) {
      if (one.kind != OperandKind::Vector) out_ << '|';
      if (one.kind == OperandKind::Vector && i > 0) out_ << ' ';
      operand(one.elements[i]);
    }
    if (one.kind == OperandKind::Vector) out_ << '}';
  }

  const Module& module_;
  const Function* function_ = nullptr;
  std::ostringstream out_;
};

}  // namespace

std::string dump(const Module& module) { return Dumper(module).run(); }

}  // namespace cudalabs::ptx::test
