// Variables: their alignment, type, dimensions and initialisers.

#include <algorithm>
#include <bit>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/parse/parser.h"
#include "grader/sim/ptx/spellings.h"

namespace cudalabs::ptx {
namespace {

constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 40;
constexpr std::uint64_t kLargestAlignment = std::uint64_t{1} << 16;
constexpr std::size_t kMaxDimensions = 8;

/// The bits of a constant in a variable of this type.
std::uint64_t stored_bits(const NumberValue& value, Type type) {
  if (type != Type::F32 && type != Type::F64) return value.bits;
  double real = static_cast<double>(static_cast<std::int64_t>(value.bits));
  if (value.is_float && value.is_f64) real = std::bit_cast<double>(value.bits);
  if (value.is_float && !value.is_f64) {
    if (type == Type::F32) return value.bits;
    real = std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
  }
  return type == Type::F64 ? std::bit_cast<std::uint64_t>(real)
                           : std::bit_cast<std::uint32_t>(static_cast<float>(real));
}

}  // namespace

void Parser::variables(Space space, bool is_extern, SymbolKind kind, std::vector<Variable>& into) {
  Variable shape;
  shape.space = space;
  shape.is_extern = is_extern;
  const std::uint32_t width = alignment_and_type(shape);
  do {
    Variable variable = shape;
    const Token name = expect_identifier("a variable's name");
    variable.name = std::string(name.text);
    variable.ptx_line = name.line;
    relocation_names_.clear();
    std::vector<std::uint64_t> sizes;
    const bool is_sized = dimensions(variable, width, sizes);
    if (accept("=")) {
      if (space != Space::Global && space != Space::Const) {
        return fail(previous_, msg::ptx_initialiser_impossible());
      }
      initialiser(variable, sizes, !is_sized);
    } else if (!is_sized && !is_extern) {
      return fail(name, msg::ptx_size_missing(variable.name.substr(0, 60)));
    }
    add_variable(name, std::move(variable), kind, into);
  } while (accept(","));
  expect(";");
}

void Parser::add_variable(const Token& name, Variable variable, SymbolKind kind,
                          std::vector<Variable>& into) {
  auto index = static_cast<std::uint32_t>(into.size());
  const auto known = function_ == nullptr ? names_.find(name.text) : names_.end();
  if (known != names_.end() && known->second.kind == SymbolKind::ModuleVariable &&
      module_.variables[known->second.index].is_extern) {
    if (variable.is_extern) return;
    index = known->second.index;
    into[index] = std::move(variable);
  } else {
    into.push_back(std::move(variable));
    declare(name, {What::Symbol, kind, index, 1});
  }
  for (std::size_t i = 0; i < relocation_names_.size(); ++i) {
    relocation_uses_.push_back({index, static_cast<std::uint32_t>(i), relocation_names_[i]});
  }
}

std::uint32_t Parser::alignment_and_type(Variable& variable) {
  std::uint32_t width = 1;
  std::uint64_t align = 0;
  bool in_pointer = false;  // .ptr .global .align 4: describes the target, not the parameter itself
  while (token_.kind == TokenKind::Dotted) {
    const Token word = take();
    const std::optional<Suffix> suffix = find_suffix(word.text);
    if (word.text == "align") {
      const std::uint64_t bytes = expect_unsigned(kLargestAlignment, "an alignment");
      if (!failed() && !std::has_single_bit(bytes)) fail(previous_, msg::ptx_alignment_wrong());
      if (!in_pointer) align = bytes;
    } else if (word.text == "ptr") {
      variable.is_pointer_parameter = in_pointer = true;
    } else if (word.text == "attribute") {
      skip_balanced();
    } else if (word.text == "v2" || word.text == "v4") {
      width = word.text == "v2" ? 2 : 4;
    } else if (suffix && suffix->type != Type::None) {
      variable.type = suffix->type;
    } else if (word.text == "texref" || word.text == "surfref" || word.text == "samplerref") {
      fail(word, msg::ptx_texture_variable(), msg::ptx_ordinary_load_hint());
    } else if (!(in_pointer && suffix && suffix->space != Space::Generic)) {
      const std::string near = nearest_suffix(word.text);
      fail(word, msg::ptx_type_unknown(word.text.substr(0, 60)),
           near.empty() ? Message() : msg::ptx_did_you_mean("." + near));
    }
  }
  if (variable.type == Type::None) fail(token_, msg::ptx_type_expected());
  if (size_of(variable.type) == 0 && variable.space != Space::Reg) {
    fail(previous_, msg::ptx_predicate_in_memory());
  }
  const auto natural = static_cast<std::uint64_t>(std::max(size_of(variable.type), 1)) * width;
  variable.align = static_cast<std::uint32_t>(align != 0 ? align : natural);
  return width;
}

bool Parser::dimensions(Variable& variable, std::uint32_t width, std::vector<std::uint64_t>& sizes) {
  bool is_sized = true;
  std::uint64_t bytes = static_cast<std::uint64_t>(size_of(variable.type)) * width;
  while (accept("[")) {
    const Token where = token_;
    if (sizes.size() == kMaxDimensions) {
      fail(where, msg::ptx_dimensions_too_many());
    } else if (sizes.empty() && accept("]")) {
      is_sized = false;
      sizes.push_back(0);
      continue;
    }
    sizes.push_back(expect_unsigned(kLargestVariable, "a variable's size"));
    if (sizes.back() != 0 && bytes > kLargestVariable / sizes.back()) {
      fail(where, msg::ptx_variable_too_large());
      bytes = 0;
    }
    bytes *= sizes.back();
    expect("]");
  }
  if (width > 1) sizes.push_back(width);
  variable.size = is_sized ? bytes : 0;
  return is_sized;
}

void Parser::initialiser(Variable& variable, const std::vector<std::uint64_t>& sizes, bool is_open) {
  if (!token_.is("{")) return initialiser_element(variable, 0);
  if (sizes.empty()) return fail(token_, msg::ptx_braces_unneeded());
  const std::uint64_t limit = is_open ? kLargestVariable : variable.size;
  const std::uint64_t end = initialiser_list(variable, sizes, 0, 0, limit);
  if (is_open) variable.size = end;
}

std::uint64_t Parser::initialiser_list(Variable& variable, const std::vector<std::uint64_t>& sizes,
                                       std::size_t depth, std::uint64_t offset, std::uint64_t limit) {
  const auto element = static_cast<std::uint64_t>(size_of(variable.type));
  std::uint64_t row = element;
  for (std::size_t i = depth + 1; i < sizes.size(); ++i) row *= sizes[i];  // at most the variable's size
  expect("{");
  while (token_.kind != TokenKind::End && !token_.is("}")) {
    const bool is_list = token_.is("{");
    const std::uint64_t step = is_list ? row : element;
    if (is_list && depth + 1 >= sizes.size()) {
      fail(token_, msg::ptx_braces_too_many());
    } else if (step > limit - offset) {
      fail(token_, msg::ptx_values_too_many());
    } else if (is_list) {
      initialiser_list(variable, sizes, depth + 1, offset, offset + step);
    } else {
      initialiser_element(variable, offset);
    }
    if (failed()) break;
    offset += step;
    if (!accept(",")) break;
  }
  expect("}");
  return offset;
}

void Parser::initialiser_element(Variable& variable, std::uint64_t offset) {
  const Token where = token_;
  if (where.kind == TokenKind::Identifier && where.text != "WARP_SZ") {
    return relocation(variable, offset, std::nullopt);
  }
  const Constant constant = constant_expression();
  if (token_.is("(")) return relocation(variable, offset, constant);
  if (constant.value.is_float && variable.type != Type::F32 && variable.type != Type::F64) {
    return fail(where, msg::ptx_float_initialiser("." + std::string(spelling(variable.type))));
  }
  put_bytes(variable, offset, stored_bits(constant.value, variable.type),
            static_cast<std::uint64_t>(size_of(variable.type)), where);
}

void Parser::relocation(Variable& variable, std::uint64_t offset, std::optional<Constant> mask) {
  const Token where = token_;
  Variable::Relocation entry;
  entry.offset = offset;
  if (mask) expect("(");
  entry.is_generic = accept_word("generic");
  if (entry.is_generic) expect("(");
  const Token name = expect_identifier("a variable's or function's name");
  if (entry.is_generic && token_.is("+")) entry.addend += optional_offset();
  if (entry.is_generic) expect(")");
  entry.addend += optional_offset();
  if (mask) expect(")");
  if (failed()) return;
  if (!mask) {
    entry.bytes = static_cast<std::uint8_t>(size_of(variable.type));
    if (entry.bytes != 8 && entry.bytes != 4) {
      return fail(where, msg::ptx_address_variable_wrong());
    }
  } else {
    // 0xFF00(sym) is the second byte of the address. For a pointer in a packed struct nvcc writes all eight
    // bytes consecutively: they are combined again.
    const std::uint64_t bits = mask->value.bits;
    const int place = std::countr_zero(bits) / 8;
    if (mask->value.is_float || bits == 0 || size_of(variable.type) != 1 ||
        bits != std::uint64_t{0xFF} << (8 * place)) {
      return fail(where, msg::ptx_address_mask_wrong());
    }
    if (place > 0) {
      const bool continues =
          !variable.relocations.empty() && variable.relocations.back().bytes == place &&
          variable.relocations.back().offset + static_cast<std::uint64_t>(place) == offset &&
          variable.relocations.back().addend == entry.addend && relocation_names_.back().text == name.text;
      if (!continues) return fail(where, msg::ptx_address_bytes_unordered());
      variable.relocations.back().bytes = static_cast<std::uint8_t>(place + 1);
      return put_bytes(variable, offset, 0, 1, where);
    }
    entry.bytes = 1;
  }
  put_bytes(variable, offset, 0, entry.bytes, where);
  variable.relocations.push_back(entry);
  relocation_names_.push_back(name);
}

void Parser::put_bytes(Variable& variable, std::uint64_t offset, std::uint64_t value, std::uint64_t bytes,
                       const Token& where) {
  if (failed()) return;
  const std::uint64_t end = offset + bytes;
  if (variable.initial.size() < end) {
    const std::uint64_t growth = end - variable.initial.size();
    if (growth > initial_budget_) return fail(where, msg::ptx_initial_values_too_large());
    initial_budget_ -= growth;
    variable.initial.resize(end);
  }
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bytes, 8); ++i) {
    variable.initial[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

}  // namespace cudalabs::ptx
