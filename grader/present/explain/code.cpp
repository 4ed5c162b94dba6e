#include "grader/present/explain/code.h"

#include <set>

#include "grader/base/text.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/executable/source_place.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::explain {
namespace {

constexpr std::size_t kMaxPtx = std::size_t{16} << 20;

/// The instruction that begins on line `first`, with single spaces.
std::string instruction(const std::vector<std::string>& text, std::uint32_t first) {
  std::string all;
  for (std::size_t k = first - 1; k < text.size(); ++k) {
    for (const char c : text[k]) {
      const bool space = c == ' ' || c == '\t' || c == '\r';
      if (!space) all += c;
      if (space && !all.empty() && all.back() != ' ') all += ' ';
      if (c == ';') return all;
    }
  }
  return all;
}

void add_code(CodeLines& code, const ptx::Module& module, const ptx::Function& function,
              const std::vector<std::string>& text) {
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    const sim::SourcePlace place = sim::source_place(module, function, i);
    if (place.line == 0) continue;
    code[{place.file, place.line}].push_back(printable(instruction(text, function.body[i].ptx_line)));
  }
}

/// Adds the functions that the code calls by name, directly or not.
void add_called(std::set<const ptx::Function*>& reached, const ptx::Module& module,
                const ptx::Function& function) {
  std::vector<const ptx::Function*> open{&function};
  while (!open.empty()) {
    const ptx::Function& one = *open.back();
    open.pop_back();
    if (!reached.insert(&one).second) continue;
    for (const ptx::Instruction& in : one.body)
      for (const ptx::Operand& operand : in.operands)
        if (operand.symbol_kind == ptx::SymbolKind::Function)
          open.push_back(&module.functions[operand.symbol]);
  }
}

}  // namespace

std::map<std::string, CodeLines> code_of(std::string_view ptx) {
  std::map<std::string, CodeLines> kernels;
  if (ptx.empty() || ptx.size() > kMaxPtx) return kernels;
  const auto module = ptx::parse(ptx, "program.ptx");
  if (!module) return kernels;
  const std::vector<std::string> text = split_lines(ptx);
  for (const ptx::Function& function : module->functions) {
    if (!function.is_entry) continue;
    std::set<const ptx::Function*> reached;
    add_called(reached, *module, function);
    CodeLines& code = kernels[sim::demangle(function.name, true)];
    add_code(code, *module, function, text);  // the kernel's own first
    reached.erase(&function);
    for (const ptx::Function& called : module->functions)
      if (reached.contains(&called)) add_code(code, *module, called, text);
  }
  return kernels;
}

}  // namespace cudalabs::explain
