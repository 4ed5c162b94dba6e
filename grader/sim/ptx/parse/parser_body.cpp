// Parses function bodies: registers, variables, labels, source lines and instructions.

#include <algorithm>
#include <limits>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/parse/parser.h"
#include "grader/sim/ptx/spellings.h"
#include "grader/sim/ptx/validator.h"

namespace cudalabs::ptx {
namespace {

constexpr std::size_t kDeepestScope = 64;
constexpr std::size_t kMaxSuffixes = 32;
constexpr std::uint64_t kMaxRegisters = 1'000'000;
constexpr std::size_t kMaxArguments = 1024;

}  // namespace

void Parser::declare(const Token& name, Entry entry) {
  auto& names = function_ != nullptr ? scopes_.back().names : names_;
  const bool is_new = names.try_emplace(name.text, entry).second;
  if (!is_new) fail(name, msg::ptx_declared_twice(name.text.substr(0, 60)));
}

void Parser::body(Function& function) {
  lines_.begin_function();
  loc_ = 0;
  labels_.clear();
  label_uses_.clear();
  load_register_parameters();
  do {
    if (accept("{")) {
      if (scopes_.size() == kDeepestScope) fail(previous_, msg::ptx_blocks_too_deep());
      Scope scope;
      scope.id = static_cast<std::uint32_t>(scope_parents_.size());
      scope_parents_.push_back(scopes_.back().id);
      scopes_.push_back(std::move(scope));
    } else if (accept("}")) {
      scopes_.pop_back();
    } else if (token_.kind == TokenKind::End) {
      fail(token_, msg::ptx_body_open(function.name.substr(0, 60)));
    } else {
      statement();
    }
  } while (scopes_.size() > 1 && !failed());
  end_of_body();
  resolve_labels();
}

void Parser::statement() {
  const Token first = token_;
  if (accept(";")) return;
  if (first.kind == TokenKind::Dotted) {
    advance();
    return body_directive(first);
  }
  if (first.kind != TokenKind::Identifier && !first.is("@")) {
    return fail(first,
                msg::ptx_expected("an instruction", "'" + std::string(first.text.substr(0, 60)) + "'"));
  }
  instruction_start_ = first.offset;
  if (first.kind == TokenKind::Identifier) {
    advance();
    if (accept(":")) return label(first);
  }
  instruction();
}

void Parser::label(const Token& name) {
  if (accept_dotted("branchtargets")) return branch_targets(name);
  if (accept_dotted("callprototype")) return call_prototype(name);
  const auto index = static_cast<std::uint32_t>(function_->body.size());
  if (!labels_.try_emplace({scopes_.back().id, name.text}, index).second) {
    return fail(name, msg::ptx_label_defined_twice(name.text.substr(0, 60)));
  }
  function_->label_names.emplace_back(name.text);
}

void Parser::branch_targets(const Token& name) {
  const auto list = static_cast<std::uint32_t>(function_->branch_targets.size());
  std::vector<std::uint32_t>& targets = function_->branch_targets.emplace_back();
  declare(name, {What::Symbol, SymbolKind::BranchTargets, list, 1});
  do {
    const Token target = expect_identifier("a label");
    label_uses_.push_back(
        {list, static_cast<std::uint32_t>(targets.size()), true, scopes_.back().id, loc_, target});
    targets.push_back(0);
  } while (accept(","));
  expect(";");
}

void Parser::call_prototype(const Token& name) {
  const auto index = static_cast<std::uint32_t>(function_->prototypes.size());
  Function::Prototype prototype;
  declare(name, {What::Symbol, SymbolKind::Prototype, index, 1});
  if (accept("(")) parameters(prototype.returns, true, SymbolKind::Return);
  expect_identifier("'_'");
  if (accept("(")) parameters(prototype.params, true, SymbolKind::Parameter);
  while (accept_dotted("noreturn")) {
  }
  expect(";");
  function_->prototypes.push_back(std::move(prototype));
}

void Parser::resolve_labels() {
  for (const LabelUse& use : label_uses_) {
    if (failed()) return;
    auto found = labels_.end();
    for (std::uint32_t scope = use.scope; found == labels_.end(); scope = scope_parents_[scope]) {
      found = labels_.find({scope, use.token.text});
      if (scope == 0) break;
    }
    loc_ = use.loc;
    if (found == labels_.end()) {
      return fail(use.token, msg::ptx_label_undefined(use.token.text.substr(0, 60)));
    }
    if (use.in_target_list) {
      function_->branch_targets[use.instruction][use.operand] = found->second;
    } else {
      function_->body[use.instruction].operands[use.operand].label = found->second;
    }
  }
}

void Parser::body_directive(const Token& word) {
  if (word.text == "reg") return registers();
  if (word.text == "loc") return loc_directive();
  if (word.text == "file") return file_directive();
  if (word.text == "section") return section();
  if (word.text == "pragma") {
    while (token_.kind == TokenKind::String || token_.is(",")) {
      if (token_.text.find("nounroll") != std::string_view::npos)
        function_->not_unrolled.push_back(static_cast<std::uint32_t>(function_->body.size()));
      advance();
    }
    return expect(";");
  }
  for (const Space space : {Space::Shared, Space::Local, Space::Param}) {
    if (word.text == spelling(space)) {
      return variables(space, false, SymbolKind::FunctionVariable, function_->variables);
    }
  }
  for (const Space space : {Space::Global, Space::Const}) {
    if (word.text == spelling(space)) {
      return variables(space, false, SymbolKind::ModuleVariable, module_.variables);
    }
  }
  if (word.text == "extern" && accept_dotted("shared")) {
    return variables(Space::Shared, true, SymbolKind::FunctionVariable, function_->variables);
  }
  fail(word, msg::ptx_directive_in_function(word.text.substr(0, 60)));
}

void Parser::registers() {
  Variable shape;
  shape.space = Space::Reg;
  const std::uint32_t width = alignment_and_type(shape);
  do {
    declare_registers(expect_identifier("a register's name"), shape.type, width);
  } while (accept(","));
  expect(";");
}

void Parser::declare_registers(const Token& name, Type type, std::uint32_t width) {
  std::uint64_t count = 1;
  const bool is_range = accept("<");
  if (is_range) {
    count = expect_unsigned(kMaxRegisters, "a number of registers");
    expect(">");
  }
  // Long names cost as much as many registers, so both are counted.
  const std::uint64_t cost = count * width * (1 + name.text.size() / 32);
  if (cost > register_budget_) fail(name, msg::ptx_registers_too_many());
  if (failed()) return;
  register_budget_ -= cost;

  const auto first = static_cast<std::uint32_t>(function_->registers.size());
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::uint32_t element = 0; element < width; ++element) {
      Register& made = function_->registers.emplace_back();
      made.type = type;
      made.name = name.text;
      if (is_range) made.name += std::to_string(i);
      if (width > 1) made.name += std::string{'.', "xyzw"[element]};
    }
  }
  if (!is_range) {
    return declare(name, {width > 1 ? What::VectorRegister : What::Register, SymbolKind::None, first, width});
  }
  const Range range{first, static_cast<std::uint32_t>(count), width};
  if (!scopes_.back().ranges.try_emplace(name.text, range).second) {
    fail(name, msg::ptx_declared_twice(name.text.substr(0, 60)));
  }
}

void Parser::loc_directive() {
  const auto position = [this] {
    constexpr std::uint64_t kLimit = std::numeric_limits<std::int32_t>::max();
    SourceLines::Position result;
    result.file = expect_unsigned(kLimit, "a file number");
    result.line = static_cast<std::uint32_t>(expect_unsigned(kLimit, "a line number"));
    result.column = static_cast<std::uint32_t>(expect_unsigned(kLimit, "a column number"));
    return result;
  };
  const SourceLines::Position here = position();
  Token function;
  std::int64_t offset = 0;
  std::optional<SourceLines::Position> inlined_at;
  while (accept(",")) {
    if (accept_word("function_name")) {
      function = expect_identifier("a label in .debug_str");
      offset = optional_offset();
    } else if (accept_word("inlined_at")) {
      inlined_at = position();
    } else {
      return fail(token_, msg::ptx_loc_word_expected());
    }
  }
  if (failed()) return;
  loc_ = lines_.add_loc(here, function.text, offset, inlined_at ? &*inlined_at : nullptr);
  if (function_->loc == 0) function_->loc = loc_;
}

void Parser::instruction() {
  Instruction current;
  current.loc = loc_;
  current.ptx_line = previous_.line;
  instruction_ = &current;
  operand_tokens_.clear();
  if (token_.is("@")) {
    advance();
    current.has_guard = true;
    current.guard_negated = accept("!");
    const Token guard = token_;
    const Operand predicate = named_operand();
    if (!failed() &&
        (predicate.kind != OperandKind::Register || function_->registers[predicate.reg].type != Type::Pred)) {
      fail(guard, msg::ptx_guard_no_predicate(guard.text.substr(0, 60)));
    }
    current.guard = predicate.reg;
    current.ptx_line = token_.line;
    expect_identifier("an instruction");
  }
  std::vector<Space> spaces;
  mnemonic(spaces);
  if (!failed()) {
    if (current.op == Op::Call) {
      call_operands();
    } else {
      operands();
    }
  }
  expect(";");
  finish_instruction(spaces);
  instruction_ = nullptr;
}

void Parser::mnemonic(std::vector<Space>& spaces) {
  std::vector<Token> words{previous_};
  while (token_.kind == TokenKind::Dotted && words.size() < kMaxSuffixes) words.push_back(take());
  if (failed()) return;
  std::vector<std::string_view> spellings;
  for (const Token& word : words) spellings.push_back(word.text);
  const Mnemonic found = find_mnemonic(spellings);
  if (found.words == 0) {
    const std::string near = nearest_mnemonic(words[0].text);
    return fail(words[0], msg::ptx_instruction_unknown(words[0].text.substr(0, 60)),
                near.empty() ? Message() : msg::ptx_did_you_mean(near));
  }
  instruction_->op = found.op;
  mnemonic_token_ = words[0];
  if (const std::string advice = refusal(found.op); !advice.empty()) {
    return fail(words[0], msg::ptx_instruction_refused(spelling(found.op)), msg::ptx_use_instead(advice));
  }
  for (std::size_t i = found.words; i < words.size() && !failed(); ++i) suffix(words[i], spaces);
}

void Parser::suffix(const Token& word, std::vector<Space>& spaces) {
  const std::optional<Suffix> known = find_suffix(word.text);
  if (!known) {
    const std::string near = nearest_suffix(word.text);
    return fail(word, msg::ptx_modifier_unknown(word.text.substr(0, 60)),
                near.empty() ? Message() : msg::ptx_did_you_mean("." + near));
  }
  if (known->type != Type::None) instruction_->types.push_back(known->type);
  if (known->mod) instruction_->mods.push_back(*known->mod);
  if (known->space != Space::Generic) {
    if (spaces.empty()) instruction_->space = known->space;
    spaces.push_back(known->space);
  }
}

void Parser::operands() {
  if (token_.is(";")) return;
  do {
    operand_tokens_.push_back(token_);
    if (operand_tokens_.size() > kMaxSuffixes) fail(token_, msg::ptx_operands_too_many());
    Operand next = instruction_->op == Op::Bra ? label_operand() : operand(false);
    instruction_->operands.push_back(std::move(next));
  } while (accept(","));
}

void Parser::call_operands() {
  // (returns), target, (arguments)[, prototype]; the lists are optional.
  std::vector<Operand>& all = instruction_->operands;
  all.resize(3);
  all[0].kind = all[2].kind = OperandKind::Vector;
  operand_tokens_.assign(3, token_);
  if (token_.is("(")) {
    call_list(all[0]);
    expect(",");
  }
  operand_tokens_[1] = operand_tokens_[2] = token_;
  all[1] = named_operand();
  bool more = accept(",");
  if (more && token_.is("(")) {
    operand_tokens_[2] = token_;
    call_list(all[2]);
    more = accept(",");
  }
  if (more) {
    operand_tokens_.push_back(token_);
    all.push_back(named_operand());
  }
}

void Parser::call_list(Operand& list) {
  expect("(");
  while (token_.kind != TokenKind::End && !token_.is(")")) {
    if (list.elements.size() == kMaxArguments) fail(token_, msg::ptx_arguments_too_many());
    list.elements.push_back(operand(true));
    if (!accept(",")) break;
  }
  expect(")");
}

void Parser::finish_instruction(const std::vector<Space>& spaces) {
  if (failed()) return;
  if (const auto violation = validate(module_, *function_, *instruction_, spaces)) {
    Token where = mnemonic_token_;
    if (violation->operand >= 0 && static_cast<std::size_t>(violation->operand) < operand_tokens_.size()) {
      where = operand_tokens_[static_cast<std::size_t>(violation->operand)];
    }
    return fail(where, violation->message, violation->hint);
  }
  if (instruction_->op == Op::BrxIdx) {
    const std::size_t targets = function_->branch_targets[instruction_->operands[1].symbol].size();
    if (targets > edge_budget_) return fail(previous_, msg::ptx_indirect_branches_too_many());
    edge_budget_ -= targets;
  }
  if (instruction_->op == Op::Call) return expand_call();
  if (instruction_->op == Op::Mov && instruction_->vector_width() > 1) return expand_vector_move();
  if (instruction_->op == Op::Ret) store_register_results(*instruction_);
  function_->body.push_back(std::move(*instruction_));
}

}  // namespace cudalabs::ptx
