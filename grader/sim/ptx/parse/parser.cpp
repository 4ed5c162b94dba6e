#include "grader/sim/ptx/parse/parser.h"

#include <algorithm>
#include <limits>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/spellings.h"

namespace cudalabs::ptx {
namespace {

constexpr std::uint64_t kRegisters = 1'000'000;
constexpr std::uint64_t kInitialBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kBranchEdges = 200'000;
constexpr std::size_t kLongestText = std::size_t{1} << 30;
constexpr std::size_t kLongestQuote = 120;

/// Symbols may be arbitrarily long, but a message only shows the beginning.
std::string shown(std::string_view text) {
  return std::string(text.substr(0, 60)) + (text.size() > 60 ? "..." : "");
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::End: return "the end of the text";
    case TokenKind::Dotted: return "'." + shown(token.text) + "'";
    case TokenKind::String: return "a string";
    default: return "'" + shown(token.text) + "'";
  }
}

/// Calls are checked against earlier declarations, and their arguments are copied byte by byte.
bool same_signature(const Function& a, const Function& b) {
  const auto same = [](const std::vector<Variable>& one, const std::vector<Variable>& other) {
    return std::equal(
        one.begin(), one.end(), other.begin(), other.end(),
        [](const Variable& v, const Variable& w) { return v.size == w.size && v.space == w.space; });
  };
  return a.is_entry == b.is_entry && same(a.params, b.params) && same(a.returns, b.returns);
}

/// Memory of a copy of the function, in units of about an instruction.
std::uint64_t size_in_memory(const Function& f) {
  constexpr std::uint64_t kUnit = 256;
  std::uint64_t bytes = 0;
  const auto operands = [](const auto& self, const std::vector<Operand>& list) -> std::uint64_t {
    std::uint64_t sum = list.size() * sizeof(Operand);
    for (const Operand& o : list) sum += self(self, o.elements);
    return sum;
  };
  for (const Instruction& in : f.body) bytes += sizeof in + operands(operands, in.operands);
  for (const Register& r : f.registers) bytes += sizeof r + r.name.size();
  for (const std::string& label : f.label_names) bytes += sizeof label + label.size();
  for (const auto& targets : f.branch_targets) bytes += sizeof targets + 4 * targets.size();
  const auto variables = [&bytes](const std::vector<Variable>& list) {
    for (const Variable& v : list) bytes += sizeof v + v.name.size() + v.initial.size();
  };
  for (const auto* list : {&f.returns, &f.params, &f.variables}) variables(*list);
  for (const Function::Prototype& p : f.prototypes) {
    variables(p.returns);
    variables(p.params);
  }
  return bytes / kUnit + 1;
}

}  // namespace

Parser::Parser(std::string_view text, std::string name)
    : text_(text),
      name_(std::move(name)),
      lexer_(text),
      register_budget_(kRegisters),
      initial_budget_(kInitialBytes + 8 * std::uint64_t{text.size()}),
      edge_budget_(kBranchEdges) {
  module_.name = name_;
}

Result<Module> Parser::run() {
  if (text_.size() > kLongestText) {
    return Diagnostic{{name_, 0, 0}, msg::ptx_too_long(), {}};
  }
  advance();
  if (token_.kind == TokenKind::End) fail(token_, msg::ptx_empty());
  while (token_.kind != TokenKind::End) module_item();
  resolve_relocations();
  if (!failed() && module_.version_major == 0) {
    fail(token_, msg::ptx_without_version(), msg::ptx_header_hint());
  }
  if (failed()) return *std::move(failure_);
  lines_.finish(module_);
  return std::move(module_);
}

// Tokens and errors

void Parser::advance() {
  previous_ = token_;
  token_ = lexer_.next();
  if (token_.kind == TokenKind::Bad) fail(token_, problem_of(token_));
}

Token Parser::take() {
  const Token taken = token_;
  if (!failed()) advance();
  return taken;
}

void Parser::fail(const Token& where, Message message, Message hint) {
  if (failed()) return;
  if (instruction_ != nullptr) message = msg::ptx_at_instruction(std::move(message), quoted_instruction());
  Diagnostic problem;
  problem.where = {name_, static_cast<int>(where.line), static_cast<int>(where.column)};
  problem.hint = std::move(hint);
  failure_ = std::move(problem);
  read_remaining_files();
  if (const std::string place = lines_.place(loc_); !place.empty())
    message = msg::ptx_at_source(std::move(message), place);
  failure_->message = std::move(message);
  token_ = Token{};
}

std::string Parser::quoted_instruction() const {
  std::string quote;
  for (std::size_t i = instruction_start_; i < text_.size() && text_[i] != ';'; ++i) {
    const bool blank = text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\n' || text_[i] == '\r';
    if (blank && (quote.empty() || quote.back() == ' ')) continue;
    const auto byte = static_cast<unsigned char>(text_[i]);
    quote += blank ? ' ' : (byte < 0x20 || byte > 0x7e ? '?' : text_[i]);
    if (quote.size() > kLongestQuote) return quote + "...";
  }
  while (!quote.empty() && quote.back() == ' ') quote.pop_back();
  return quote;
}

void Parser::read_remaining_files() {
  // The current token may be the first of them.
  for (Token token = token_; token.kind != TokenKind::End; token = lexer_.next()) {
    if (token.kind != TokenKind::Dotted || token.text != "file") continue;
    const Token number = lexer_.next();
    const Token path = lexer_.next();
    const NumberValue value = parse_number(number.text);
    if (number.kind == TokenKind::Number && value.valid && path.kind == TokenKind::String) {
      lines_.add_file(value.bits, path.text);
    }
  }
}

bool Parser::accept(std::string_view punctuation) {
  if (!token_.is(punctuation)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view punctuation) {
  if (accept(punctuation)) return;
  fail(token_, msg::ptx_expected("'" + std::string(punctuation) + "'", describe(token_)));
}

bool Parser::accept_word(std::string_view identifier) {
  if (token_.kind != TokenKind::Identifier || token_.text != identifier) return false;
  advance();
  return true;
}

bool Parser::accept_dotted(std::string_view word) {
  if (token_.kind != TokenKind::Dotted || token_.text != word) return false;
  advance();
  return true;
}

Token Parser::expect_identifier(std::string_view what) {
  if (token_.kind != TokenKind::Identifier) {
    fail(token_, msg::ptx_expected(what, describe(token_)));
  }
  return take();
}

std::uint64_t Parser::expect_unsigned(std::uint64_t limit, std::string_view what) {
  const Token where = token_;
  const std::uint64_t value = expect_constant(what);
  if (value > limit) {
    fail(where, msg::ptx_number_too_large(what, limit));
    return 0;
  }
  return value;
}

// Module level

void Parser::module_item() {
  if (accept(";")) return;
  bool is_extern = false;
  while (true) {
    if (accept_dotted("extern")) {
      is_extern = true;
    } else if (accept_dotted("attribute")) {
      skip_balanced();
    } else if (!accept_dotted("visible") && !accept_dotted("weak") && !accept_dotted("common")) {
      break;
    }
  }
  const Token word = token_;
  if (word.kind != TokenKind::Dotted) {
    fail(word, msg::ptx_expected("a directive such as .entry or .global", describe(word)));
    return;
  }
  advance();
  if (word.text == "entry" || word.text == "func") return function(word.text == "entry", is_extern);
  for (const Space space : {Space::Global, Space::Const, Space::Shared}) {
    if (word.text == spelling(space)) {
      return variables(space, is_extern, SymbolKind::ModuleVariable, module_.variables);
    }
  }
  header_directive(word);
}

void Parser::header_directive(const Token& word) {
  if (word.text == "version") {
    const Token number = take();
    const std::size_t dot = number.text.find('.');
    const NumberValue major = parse_number(number.text.substr(0, dot));
    const NumberValue minor =
        dot == std::string_view::npos ? NumberValue{} : parse_number(number.text.substr(dot + 1));
    if (number.kind != TokenKind::Number || !major.valid || !minor.valid || major.bits == 0 ||
        major.bits > 99 || minor.bits > 99) {
      return fail(number, msg::ptx_version_expected());
    }
    module_.version_major = static_cast<int>(major.bits);
    module_.version_minor = static_cast<int>(minor.bits);
  } else if (word.text == "target") {
    do {
      const Token target = expect_identifier("a target such as sm_80");
      if (!target.text.starts_with("sm_") && !target.text.starts_with("compute_")) continue;
      int sm = 0;
      for (const char c : target.text.substr(target.text.find('_') + 1, 4)) {
        if (c >= '0' && c <= '9') sm = sm * 10 + (c - '0');
      }
      module_.target_sm = sm;
    } while (accept(","));
  } else if (word.text == "address_size") {
    const Token where = token_;
    if (expect_constant("an address size") != 64 && !failed()) {
      fail(where, msg::ptx_not_64_bit(), msg::ptx_64_bit_hint());
    }
  } else if (word.text == "file") {
    file_directive();
  } else if (word.text == "section") {
    section();
  } else if (word.text == "alias") {
    alias();
  } else if (word.text == "pragma") {
    while (token_.kind == TokenKind::String || token_.is(",")) advance();
    expect(";");
  } else {
    fail(word, msg::ptx_directive_unknown(shown(word.text)));
  }
}

void Parser::file_directive() {
  const std::uint64_t number = expect_constant("a file number");
  const Token path = token_;
  if (path.kind != TokenKind::String) return fail(path, msg::ptx_file_name_expected());
  advance();
  lines_.add_file(number, path.text);
  for (int i = 0; i < 2 && accept(","); ++i) expect_constant("a time stamp or size");
}

void Parser::section() {
  const Token name = take();
  if (name.kind != TokenKind::Dotted && name.kind != TokenKind::Identifier) {
    return fail(name, msg::ptx_section_name_expected());
  }
  const bool is_strings = name.text == "debug_str";
  expect("{");
  bool in_bytes = false;
  while (token_.kind != TokenKind::End && !token_.is("}")) {
    const Token token = take();
    if (token.kind == TokenKind::Dotted) {
      in_bytes = token.text == "b8";
    } else if (is_strings && token.kind == TokenKind::Identifier && token_.is(":")) {
      lines_.add_string_label(token.text);
    } else if (is_strings && in_bytes && token.kind == TokenKind::Number) {
      lines_.add_string_byte(static_cast<std::uint8_t>(parse_number(token.text).bits));
    }
  }
  expect("}");
}

void Parser::alias() {
  const Token alias = expect_identifier("a function's name");
  expect(",");
  const Token target = expect_identifier("a function's name");
  expect(";");
  const auto a = names_.find(alias.text);
  const auto b = names_.find(target.text);
  if (a == names_.end() || a->second.kind != SymbolKind::Function) return unknown_name(alias);
  if (b == names_.end() || b->second.kind != SymbolKind::Function) return unknown_name(target);
  aliases_.emplace_back(alias, target);
}

void Parser::function(bool is_entry, bool is_extern) {
  Function fresh;
  fresh.is_entry = is_entry;
  fresh.ptx_line = previous_.line;
  function_ = &fresh;
  scopes_.assign(1, Scope{});
  scope_parents_.assign(1, 0);
  register_parameters_.clear();
  if (!is_entry && accept("(")) parameters(fresh.returns, false, SymbolKind::Return);
  const Token name = expect_identifier("a function's name");
  fresh.name = std::string(name.text);
  if (accept("(")) parameters(fresh.params, false, SymbolKind::Parameter);
  performance_directives(fresh);
  if (failed()) return;

  std::uint32_t index = 0;
  const auto known = names_.find(name.text);
  const bool known_before = known != names_.end();
  if (known_before) {
    if (known->second.kind != SymbolKind::Function) {
      return fail(name, msg::ptx_declared_as_both(shown(name.text)));
    }
    index = known->second.index;
  } else {
    index = static_cast<std::uint32_t>(module_.functions.size());
    module_.functions.emplace_back().is_declaration = true;
    names_[name.text] = {What::Symbol, SymbolKind::Function, index, 1};
  }
  if (known_before && module_.functions[index].is_entry != is_entry)
    return fail(name, msg::ptx_declared_as_kernel_and_function(shown(name.text)));
  if (known_before && !same_signature(module_.functions[index], fresh)) {
    return fail(name, msg::ptx_declared_otherwise(shown(name.text)), msg::ptx_declarations_agree_hint());
  }
  const bool known_body = !module_.functions[index].is_declaration;
  if (token_.is("{")) {
    if (is_extern) return fail(token_, msg::ptx_extern_body());
    if (known_body) return fail(name, msg::ptx_function_defined_twice(shown(name.text)));
    // The function's name must be known inside it, because it may call itself.
    Function declared = fresh;
    declared.is_declaration = true;
    module_.functions[index] = std::move(declared);
    body(fresh);
    if (!failed()) module_.functions[index] = std::move(fresh);
  } else {
    if (is_entry && !token_.is(";")) return fail(token_, msg::ptx_kernel_without_body(describe(token_)));
    expect(";");
    fresh.is_declaration = true;
    if (!known_body && !failed()) module_.functions[index] = std::move(fresh);
  }
  function_ = nullptr;
  scopes_.clear();
  loc_ = 0;
}

void Parser::parameters(std::vector<Variable>& into, bool is_prototype, SymbolKind kind) {
  while (token_.kind != TokenKind::End && !token_.is(")")) {
    Token name;
    std::uint32_t width = 1;
    Variable variable = parameter(name, width);
    const auto index = static_cast<std::uint32_t>(into.size());
    if (!is_prototype && name.text != "_") {
      if (variable.space == Space::Reg) {
        register_parameter(name, variable, width, kind, index);
      } else {
        declare(name, {What::Symbol, kind, index, 1});
      }
    }
    variable.space = Space::Param;
    into.push_back(std::move(variable));
    if (!accept(",")) break;
  }
  expect(")");
}

Variable Parser::parameter(Token& name, std::uint32_t& width) {
  Variable variable;
  variable.ptx_line = token_.line;
  if (accept_dotted("reg")) {
    variable.space = Space::Reg;
  } else if (accept_dotted("param")) {
    variable.space = Space::Param;
  } else {
    fail(token_, msg::ptx_expected("a parameter (.param or .reg)", describe(token_)));
  }
  width = alignment_and_type(variable);
  name = expect_identifier("a parameter's name");
  variable.name = std::string(name.text);
  std::vector<std::uint64_t> sizes;
  dimensions(variable, width, sizes);
  return variable;
}

void Parser::performance_directives(Function& function) {
  while (token_.kind == TokenKind::Dotted) {
    const Token word = take();
    if (word.text == "maxntid") {
      triple(function.max_threads);
    } else if (word.text == "reqntid") {
      triple(function.required_threads);
    } else if (word.text == "minnctapersm") {
      function.min_blocks = static_cast<std::uint32_t>(
          expect_unsigned(std::numeric_limits<std::uint32_t>::max(), "a number of blocks"));
    } else if (word.text == "maxnreg" || word.text == "maxclusterrank" || word.text == "maxnctapersm" ||
               word.text == "abi_preserve" || word.text == "abi_preserve_control") {
      expect_constant("a number");
    } else if (word.text == "reqnctapercluster") {
      triple(function.cluster);
    } else if (word.text == "pragma") {
      while (token_.kind == TokenKind::String || token_.is(",")) advance();
      expect(";");
    } else if (word.text == "attribute") {
      skip_balanced();
    } else if (word.text != "noreturn" && word.text != "explicitcluster" &&
               word.text != "blocksareclusters" && word.text != "unique") {
      return fail(word, msg::ptx_directive_before_body(shown(word.text)));
    }
  }
}

void Parser::triple(std::array<std::uint32_t, 3>& into) {
  into = {1, 1, 1};
  for (std::uint32_t& extent : into) {
    extent = static_cast<std::uint32_t>(
        expect_unsigned(std::numeric_limits<std::uint32_t>::max(), "a number of threads"));
    if (!accept(",")) return;
  }
}

void Parser::resolve_relocations() {
  if (failed()) return;
  for (const RelocationUse& use : relocation_uses_) {
    const auto it = names_.find(use.token.text);
    if (it == names_.end()) return unknown_name(use.token);
    Variable::Relocation& relocation = module_.variables[use.variable].relocations[use.relocation];
    relocation.symbol_kind = it->second.kind;
    relocation.symbol = it->second.index;
  }
  for (const auto& [alias, target] : aliases_) {
    const Function& original = module_.functions[names_.at(target.text).index];
    const Function& declared = module_.functions[names_.at(alias.text).index];
    if (original.is_entry || declared.is_entry) return fail(alias, msg::ptx_kernel_alias());
    if (!same_signature(original, declared)) {
      return fail(alias, msg::ptx_alias_parameters(shown(alias.text), shown(target.text)));
    }
    // Copies of bodies must not multiply a long text.
    const std::uint64_t cost = size_in_memory(original);
    if (cost > register_budget_) return fail(alias, msg::ptx_aliases_too_many());
    register_budget_ -= cost;
    Function copy = original;
    copy.name = std::string(alias.text);
    module_.functions[names_.at(alias.text).index] = std::move(copy);
  }
}

void Parser::skip_balanced() {
  int open = 0;
  do {
    if (token_.is("(")) ++open;
    if (token_.is(")")) --open;
    advance();
  } while (open > 0 && token_.kind != TokenKind::End);
}

Result<Module> parse(std::string_view text, std::string name) { return Parser(text, std::move(name)).run(); }

}  // namespace cudalabs::ptx
