// Operands and constant expressions.

#include <limits>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/parse/parser.h"
#include "grader/sim/ptx/rules.h"
#include "grader/sim/ptx/spellings.h"

namespace cudalabs::ptx {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kLongestVector = 64;

/// Precedences of the binary operators of C; 0: none.
int precedence(const Token& token) {
  if (token.kind != TokenKind::Punctuation) return 0;
  static const std::unordered_map<std::string_view, int> table = {
      {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
      {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
  const auto it = table.find(token.text);
  return it == table.end() ? 0 : it->second;
}

constexpr int kShift = 8;     ///< without comparisons: the > of %r<20> ends the constant
constexpr int kProduct = 10;  ///< without sums: [%rd1+8-4] is read term by term

/// Index of the vector register element .x or .r; 4: not an element.
std::uint32_t element_index(std::string_view word) {
  static constexpr std::string_view kPlaces = "xyzw", kColours = "rgba";
  if (word.size() != 1) return 4;
  const std::size_t place = kPlaces.find(word[0]);
  const std::size_t colour = kColours.find(word[0]);
  return static_cast<std::uint32_t>(place != std::string_view::npos    ? place
                                    : colour != std::string_view::npos ? colour
                                                                       : 4);
}

}  // namespace

Operand Parser::operand(bool in_vector) {
  Operand result;
  const Token where = token_;
  if (token_.is("{") && !in_vector) {
    result = vector_operand();
    if (token_.is("|") && instruction_ != nullptr && rule_of(instruction_->op).category == "Texture")
      fail(token_, msg::ptx_sparse_texture(), msg::ptx_sparse_texture_hint());
  } else if (token_.is("[") && !in_vector && instruction_ != nullptr &&
             rule_of(instruction_->op).category == "Texture") {
    result = texture_operand();
  } else if (token_.is("[") && !in_vector) {
    result = address_operand();
  } else if (accept("!")) {
    result = named_operand();
    result.negated = true;
    if (!failed() && result.kind != OperandKind::Register) fail(where, msg::ptx_negation_without_predicate());
  } else if (token_.is("-") && instruction_ != nullptr && instruction_->op == Op::Vmad) {
    advance();
    const bool named = token_.kind == TokenKind::Identifier && token_.text != "WARP_SZ";
    result = named ? named_operand() : constant_operand();
    if (named) result.negated = true;
    if (!named) result.bits = 0 - result.bits;
  } else if (accept_word("_")) {
    result.kind = OperandKind::Sink;
  } else if (token_.kind == TokenKind::Identifier && token_.text != "WARP_SZ") {
    result = named_operand();
  } else {
    result = constant_operand();
  }
  const bool can_pair = result.kind == OperandKind::Register || result.kind == OperandKind::Sink;
  if (!in_vector && can_pair && accept("|")) result.elements.push_back(operand(true));
  return result;
}

std::optional<Parser::Entry> Parser::find_in_range(const Scope& scope, std::string_view name) const {
  if (scope.ranges.empty()) return std::nullopt;
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t start = last == std::string_view::npos ? 0 : last + 1;
  const std::string_view digits = name.substr(start);
  if (digits.empty() || digits.size() > 7 || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  const auto it = scope.ranges.find(name.substr(0, start));
  const auto number = static_cast<std::uint32_t>(parse_number(digits).bits);
  if (it == scope.ranges.end() || number >= it->second.count) return std::nullopt;
  const Range& range = it->second;
  return Entry{range.width == 1 ? What::Register : What::VectorRegister, SymbolKind::None,
               range.first + number * range.width, range.width};
}

std::optional<Parser::Entry> Parser::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto it = scope->names.find(name); it != scope->names.end()) return it->second;
    if (const auto entry = find_in_range(*scope, name)) return entry;
  }
  if (const auto it = names_.find(name); it != names_.end()) return it->second;
  return std::nullopt;
}

void Parser::unknown_name(const Token& name) {
  const bool is_register = name.text.starts_with('%');
  fail(name,
       is_register ? msg::ptx_register_unknown(name.text.substr(0, 60))
                   : msg::ptx_name_unknown(name.text.substr(0, 60)),
       is_register ? msg::ptx_declare_register_hint() : msg::ptx_declare_hint());
}

Operand Parser::named_operand() {
  const Token name = expect_identifier("an operand");
  Operand result;
  const bool has_element = token_.kind == TokenKind::Dotted && token_.offset == name.end;
  const std::optional<Entry> entry = find(name.text);
  if (failed()) return result;
  if (!entry) {
    std::string special(name.text.substr(0, 60));
    if (has_element) special += "." + std::string(take().text.substr(0, 8));
    if (const auto known = find_special(special)) {
      result.kind = OperandKind::Special;
      result.special = *known;
    } else if (find_special(special + ".x")) {  // x, y, z and an unused element: mov.v4.u32 v, %tid
      result.kind = OperandKind::Vector;
      for (const char* const place : {".x", ".y", ".z"}) {
        Operand& part = result.elements.emplace_back();
        part.kind = OperandKind::Special;
        part.special = find_special(special + place).value();
      }
      result.elements.emplace_back().kind = OperandKind::Immediate;
    } else if (has_element) {
      fail(name, msg::ptx_special_register_unknown(special));
    } else {
      unknown_name(name);
    }
  } else if (entry->what == What::VectorRegister) {
    result = element_operand(name, *entry);
  } else if (entry->what == What::Register) {
    result.kind = OperandKind::Register;
    result.reg = entry->index;
    if (has_element && instruction_ != nullptr && rule_of(instruction_->op).category == "Video")
      part_operand(result);
  } else {
    result.kind = OperandKind::Symbol;
    result.symbol_kind = entry->kind;
    result.symbol = entry->index;
    result.offset = optional_offset();
  }
  return result;
}

/// .b and .h, followed by the numbers of bytes or half-words.
void Parser::part_operand(Operand& operand) {
  const Token word = take();
  const bool bytes = word.text.starts_with('b');
  const std::size_t count = word.text.size() - 1;
  bool known = (bytes || word.text.starts_with('h')) && count >= 1 && count <= (bytes ? 4u : 2u);
  for (const char digit : word.text.substr(1)) {
    known = known && digit >= '0' && digit <= (bytes ? '7' : '3');
    operand.parts = static_cast<std::uint16_t>(operand.parts << 4 | (digit & 15));
  }
  if (!known) return fail(word, msg::ptx_register_part_unknown());
  operand.part_bytes = bytes ? 1 : 2;
  operand.part_count = static_cast<std::uint8_t>(count);
}

Operand Parser::element_operand(const Token& name, const Entry& entry) {
  Operand result;
  if (token_.kind == TokenKind::Dotted && token_.offset == name.end) {
    const Token word = take();
    const std::uint32_t element = element_index(word.text);
    if (element >= entry.count) fail(word, msg::ptx_vector_element_unknown());
    result.kind = OperandKind::Register;
    result.reg = entry.index + element;
    return result;
  }
  result.kind = OperandKind::Vector;
  for (std::uint32_t i = 0; i < entry.count; ++i) {
    Operand& part = result.elements.emplace_back();
    part.kind = OperandKind::Register;
    part.reg = entry.index + i;
  }
  return result;
}

Operand Parser::vector_operand() {
  Operand result;
  result.kind = OperandKind::Vector;
  expect("{");
  while (token_.kind != TokenKind::End && !token_.is("}")) {
    if (result.elements.size() == kLongestVector) fail(token_, msg::ptx_vector_too_long());
    result.elements.push_back(operand(true));
    if (!accept(",")) break;
  }
  expect("}");
  return result;
}

Operand Parser::address_operand() {
  Operand result;
  result.kind = OperandKind::Address;
  expect("[");
  if (token_.kind == TokenKind::Identifier && token_.text != "WARP_SZ") {
    const Token name = token_;
    const Operand base = named_operand();
    if (base.kind == OperandKind::Register) {
      result.base_is_register = true;
      result.reg = base.reg;
      result.offset = optional_offset();
    } else if (base.kind == OperandKind::Symbol) {
      result.symbol_kind = base.symbol_kind;
      result.symbol = base.symbol;
      result.offset = base.offset;
    } else {
      fail(name, msg::ptx_address_empty());
    }
  } else {
    const Token where = token_;
    const Constant absolute = constant_expression();
    if (absolute.value.is_float) fail(where, msg::ptx_address_not_whole());
    result.offset = static_cast<std::int64_t>(absolute.value.bits);
  }
  expect("]");
  return result;
}

/// [object, {x, y}]: the object and the coordinates one after the other.
Operand Parser::texture_operand() {
  Operand result;
  result.kind = OperandKind::Vector;
  expect("[");
  result.elements.push_back(operand(true));
  expect(",");
  if (token_.is("{")) {
    for (Operand& coordinate : vector_operand().elements) result.elements.push_back(std::move(coordinate));
  } else {
    result.elements.push_back(operand(true));
  }
  expect("]");
  return result;
}

std::int64_t Parser::optional_offset() {
  std::uint64_t sum = 0;
  while (token_.is("+") || token_.is("-")) {
    const bool minus = token_.is("-");
    advance();
    const Token where = token_;
    const Constant term = constant_expression(kProduct);
    if (term.value.is_float) fail(where, msg::ptx_offset_not_whole());
    sum = minus ? sum - term.value.bits : sum + term.value.bits;
  }
  return static_cast<std::int64_t>(sum);
}

Operand Parser::label_operand() {
  Operand result;
  result.kind = OperandKind::Label;
  const auto place = static_cast<std::uint32_t>(instruction_->operands.size());
  const Token name = expect_identifier("a label");
  const auto index = static_cast<std::uint32_t>(function_->body.size());
  label_uses_.push_back({index, place, false, scopes_.back().id, loc_, name});
  return result;
}

Operand Parser::constant_operand() {
  Operand result;
  const Constant constant = constant_expression();
  result.kind = OperandKind::Immediate;
  result.bits = constant.value.bits;
  result.is_float = constant.value.is_float;
  result.is_f64_literal = constant.value.is_f64;
  return result;
}

std::uint64_t Parser::expect_constant(std::string_view what) {
  const Token where = token_;
  const Constant constant = constant_expression(kShift);
  const bool is_negative = constant.is_signed && static_cast<std::int64_t>(constant.value.bits) < 0;
  if (!failed() && (constant.value.is_float || is_negative)) {
    fail(where, msg::ptx_whole_number_expected(what));
  }
  return failed() ? 0 : constant.value.bits;
}

Parser::Constant Parser::constant_expression(int lowest_precedence) {
  if (++depth_ > kDeepest) fail(token_, msg::ptx_expression_too_deep());
  Constant left = constant_primary();
  while (!failed() && precedence(token_) != 0 && precedence(token_) >= lowest_precedence) {
    const Token op = take();
    left = apply(op, left, constant_expression(precedence(op) + 1));
  }
  if (lowest_precedence == 0 && accept("?")) {
    const Constant yes = constant_expression();
    expect(":");
    const Constant no = constant_expression();
    left = left.value.bits != 0 ? yes : no;
  }
  --depth_;
  return left;
}

Parser::Constant Parser::constant_primary() {
  Constant result;
  const Token token = take();
  if (token.kind == TokenKind::Number) {
    result.value = parse_number(token.text);
    result.is_signed = static_cast<std::int64_t>(result.value.bits) >= 0;
    if (!result.value.valid) {
      fail(token, msg::ptx_number_wrong(token.text.substr(0, 60)), msg::ptx_numbers_hint());
    }
  } else if (token.kind == TokenKind::Identifier && token.text == "WARP_SZ") {
    result.value = {true, false, false, 32};
  } else if (token.is("(")) {
    result = constant_expression();
    expect(")");
  } else if (token.is("-") || token.is("+") || token.is("~") || token.is("!")) {
    if (++depth_ > kDeepest) fail(token, msg::ptx_expression_too_deep());
    result = constant_primary();
    --depth_;
    std::uint64_t& bits = result.value.bits;
    if (token.is("-")) {
      bits = !result.value.is_float ? 0 - bits : bits ^ (std::uint64_t{1} << (result.value.is_f64 ? 63 : 31));
      result.is_signed = true;
    } else if (token.is("~")) {
      bits = ~bits;
    } else if (token.is("!")) {
      bits = bits == 0 ? 1 : 0;
    }
    if (result.value.is_float && (token.is("~") || token.is("!")))
      fail(token, msg::ptx_operator_needs_whole());
  } else {
    fail(token, msg::ptx_expected("an operand", token.kind == TokenKind::End
                                                    ? std::string("the end of the text")
                                                    : "'" + std::string(token.text.substr(0, 60)) + "'"));
  }
  return result;
}

Parser::Constant Parser::apply(const Token& op, const Constant& a, const Constant& b) {
  Constant result;
  if (failed()) return result;
  if (a.value.is_float || b.value.is_float) {
    fail(op, msg::ptx_expression_not_whole());
    return result;
  }
  const std::uint64_t x = a.value.bits, y = b.value.bits;
  const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
  const bool is_signed = a.is_signed && b.is_signed;
  std::uint64_t& bits = result.value.bits;
  result.is_signed = is_signed;
  result.value.valid = true;
  const std::string_view text = op.text;
  if (text == "/" || text == "%") {
    if (y == 0) {
      fail(op, msg::ptx_division_by_zero());
    } else if (is_signed && sx == std::numeric_limits<std::int64_t>::min() && sy == -1) {
      bits = text == "/" ? x : 0;
    } else if (text == "/") {
      bits = is_signed ? static_cast<std::uint64_t>(sx / sy) : x / y;
    } else {
      bits = is_signed ? static_cast<std::uint64_t>(sx % sy) : x % y;
    }
    return result;
  }
  const bool less = is_signed ? sx < sy : x < y;
  if (text == "+") bits = x + y;
  if (text == "-") bits = x - y;
  if (text == "*") bits = x * y;
  if (text == "<<") bits = y < 64 ? x << y : 0;
  if (text == ">>" && a.is_signed) bits = static_cast<std::uint64_t>(sx >> (y < 64 ? y : 63));
  if (text == ">>" && !a.is_signed) bits = y < 64 ? x >> y : 0;
  if (text == "&") bits = x & y;
  if (text == "|") bits = x | y;
  if (text == "^") bits = x ^ y;
  if (text == "&&") bits = x != 0 && y != 0;
  if (text == "||") bits = x != 0 || y != 0;
  if (text == "==") bits = x == y;
  if (text == "!=") bits = x != y;
  if (text == "<") bits = less;
  if (text == ">") bits = !less && x != y;
  if (text == "<=") bits = less || x == y;
  if (text == ">=") bits = !less;
  return result;
}

}  // namespace cudalabs::ptx
