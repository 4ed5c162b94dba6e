#include "grader/toolchain/code/vector_copies.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "grader/base/text.h"

namespace cudalabs {
namespace {

using std::string_view;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The memory layout of a vector type.
struct Vector {
  unsigned elements = 0, bytes = 0;  ///< bytes: per element
  char kind = 'i';                   ///< i, f: integers, floats
  [[nodiscard]] unsigned align() const { return std::min(16u, elements * bytes); }
  /// The type's name in LLVM IR.
  [[nodiscard]] std::string text() const {
    const std::string element = kind == 'i'  ? "i" + std::to_string(8 * bytes)
                                : bytes == 4 ? "float"
                                             : "double";
    return "<" + std::to_string(elements) + " x " + element + ">";
  }
};

std::optional<Vector> vector_of(string_view type) {
  if (type == "half2" || type == "__half2" || type == "nv_bfloat162" || type == "__nv_bfloat162")
    return Vector{2, 2};
  struct Scalar {
    string_view name;
    unsigned bytes;
    char kind;
  };
  static constexpr std::array<Scalar, 7> kScalars{{{"char", 1, 'i'},
                                                   {"short", 2, 'i'},
                                                   {"int", 4, 'i'},
                                                   {"long", 8, 'i'},
                                                   {"longlong", 8, 'i'},
                                                   {"float", 4, 'f'},
                                                   {"double", 8, 'f'}}};
  if (type.empty() || (type.back() != '2' && type.back() != '4')) return std::nullopt;
  const auto elements = static_cast<unsigned>(type.back() - '0');
  type.remove_suffix(1);
  for (const Scalar& scalar : kScalars) {
    const bool is = type == scalar.name;
    if (is || (scalar.kind == 'i' && type.starts_with('u') && type.substr(1) == scalar.name))
      return Vector{elements, scalar.bytes, scalar.kind};
  }
  return std::nullopt;
}

/// The word that begins at `at`.
string_view word_at(string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_word(text[end]) || text[end] == '.')) ++end;
  return text.substr(at, end - at);
}

constexpr string_view kStruct = "%struct.";

/// One side of a copy, "i8* align 4 %2" or, since pointers have no types, "ptr align 4 %2".
struct Side {
  string_view pointer, value;
  std::size_t end = 0;
};

std::optional<Side> side_of(string_view line, std::size_t from) {
  constexpr string_view kAlign = " align ";
  Side side;
  for (const string_view pointer : {"i8*", "ptr"}) {
    if (line.substr(from).starts_with(pointer)) side.pointer = pointer;
  }
  std::size_t at = from + side.pointer.size();
  if (side.pointer.empty() || !line.substr(at).starts_with(kAlign)) return std::nullopt;
  at = line.find_first_not_of("0123456789", at + kAlign.size());
  if (at == string_view::npos || !line.substr(at).starts_with(" %")) return std::nullopt;
  side.value = word_at(line, at + 2);
  side.end = at + 2 + side.value.size();
  return side;
}

class Rewriter {
 public:
  std::string rewrite(string_view ir) {
    std::string text;
    text.reserve(ir.size() + 256);
    each_line(ir, [&](string_view one) { line(one, text); });
    return text;
  }

 private:
  void line(string_view line, std::string& text) {
    if (line.starts_with("define ")) values_.clear();
    note(line);
    if (line.find("@llvm.memcpy.") != string_view::npos && line.find("!tbaa.struct") != string_view::npos)
      return copy(line, text);
    text += line;
  }

  /// Records values that are addresses of a vector: its variable, an array element, or a pointer to one.
  void note(string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t is = line.find(" = ");
    if (begin == string_view::npos || is == string_view::npos || line[begin] != '%') return;
    const string_view how = line.substr(is + 3);
    if (!how.starts_with("bitcast ") && !how.starts_with("alloca ") && !how.starts_with("getelementptr "))
      return;
    const std::size_t type = how.starts_with("bitcast ") ? how.rfind(kStruct) : how.find(kStruct);
    // In a larger struct, an element has another type.
    if (type == string_view::npos ||
        (how.starts_with("getelementptr ") && how.find(", i32 0, i32 ") != string_view::npos))
      return;
    // LLVM calls a second type of the same name "float4.7".
    const string_view name = word_at(how, type + kStruct.size());
    if (const auto vector = vector_of(name.substr(0, name.find('.'))))
      values_.insert_or_assign(std::string(line.substr(begin + 1, is - begin - 1)), *vector);
  }

  /// Replaces the copy with one load and one store, which later passes do not split, whichever elements are
  /// used.
  void copy(string_view line, std::string& text) {
    constexpr string_view kComma = ", ";
    const auto to = side_of(line, line.find('(') + 1);
    const auto from = to ? side_of(line, to->end + kComma.size()) : std::nullopt;
    if (!from) {
      text += line;
      return;
    }
    auto known = values_.find(std::string(to->value));
    if (known == values_.end()) known = values_.find(std::string(from->value));
    if (known == values_.end() ||
        !line.substr(from->end).starts_with(
            ", i64 " + std::to_string(known->second.elements * known->second.bytes) + ",")) {
      text += line;
      return;
    }
    const Vector& vector = known->second;
    const std::string type = vector.text(), number = std::to_string(copies_++);
    const std::size_t place = line.find(", !dbg ");
    const std::string rest =
        ", align " + std::to_string(vector.align()) +
        (place == string_view::npos
             ? std::string()
             : std::string(line.substr(place, line.find_first_of(",\n", place + 1) - place))) +
        "\n";
    const auto address = [&](const Side& side, const char* name) {
      if (side.pointer == "ptr") return "ptr %" + std::string(side.value);
      const std::string typed = "%cudalabs." + std::string(name) + number;
      text += "  " + typed + " = bitcast i8* %" + std::string(side.value) + " to " + type + "*\n";
      return type + "* " + typed;
    };
    const std::string source = address(*from, "from"), target = address(*to, "to");
    const std::string value = "%cudalabs.copy" + number;
    text += "  " + value + " = load " + type + ", " + source + rest;
    text += "  store " + type + " " + value + ", " + target + rest;
  }

  /// by value of the current function: the vector type at that address
  std::unordered_map<std::string, Vector> values_;
  std::size_t copies_ = 0;
};

}  // namespace

bool names_vectors(string_view source) {
  for (std::size_t at = 0; at < source.size();) {
    if (!is_word(source[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < source.size() && is_word(source[end])) ++end;
    if (vector_of(source.substr(at, end - at))) return true;
    at = end;
  }
  return false;
}

std::string with_whole_vectors(string_view ir) { return Rewriter().rewrite(ir); }

}  // namespace cudalabs
