#include "grader/device/server/kernel_code.h"

#include <algorithm>
#include <set>
#include <vector>

#include "grader/base/hash/hash.h"
#include "grader/device/protocol/fatbin.h"
#include "grader/sim/ptx/parse/lexer.h"

namespace cudalabs {
namespace {

using ptx::Token;
using ptx::TokenKind;
using Tokens = std::span<const Token>;

class Hash {
 public:
  void add(std::string_view word) {
    made_.add_bytes(word);
    made_.add(0x100);  // no byte has this value: it separates words
  }
  void add(std::uint64_t number) { made_.add_number(number); }
  [[nodiscard]] std::uint64_t value() const { return std::max<std::uint64_t>(made_.value(), 1); }

 private:
  Fnv1a made_;
};

/// The tokens of a text, without its line numbers, files and pragmas.
struct Text {
  std::vector<Token> tokens;
  /// Where code of each file begins: the number of a `.file`, and the number of tokens before.
  std::vector<std::pair<std::string_view, std::size_t>> code_of;
  /// The numbers of the headers of cooperative groups. Our own headers mark their code by a pragma.
  std::set<std::string_view> cooperative_groups;
  std::vector<std::size_t> marked;  ///< by the pragma: the number of tokens before
};

Text read_text(std::string_view text) {
  constexpr std::string_view kGroups = "cooperative_groups";
  Text read;
  ptx::Lexer lexer(text);
  std::uint32_t left_out = 0;  // a line
  std::string_view directive, number;
  for (Token token = lexer.next(); token.kind != TokenKind::End && token.kind != TokenKind::Bad;
       token = lexer.next()) {
    if (token.kind == TokenKind::Dotted &&
        (token.text == "loc" || token.text == "file" || token.text == "pragma")) {
      left_out = token.line;
      directive = token.text;
      number = {};
    } else if (token.line != left_out) {
      read.tokens.push_back(token);
    } else if (directive == "pragma") {
      if (token.text.find(kGroups) != std::string_view::npos) read.marked.push_back(read.tokens.size());
    } else if (number.empty()) {
      number = token.text;
      if (directive == "loc") read.code_of.emplace_back(number, read.tokens.size());
    } else if (directive == "file" && token.text.find(kGroups) != std::string_view::npos) {
      read.cooperative_groups.insert(number);
    }
  }
  return read;
}

class Module {
 public:
  explicit Module(std::string_view text) : Module(read_text(text)) {}
  explicit Module(Text text) : tokens_(std::move(text.tokens)), of_groups_(std::move(text.marked)) {
    for (const auto& [file, token] : text.code_of)
      if (text.cooperative_groups.contains(file)) of_groups_.push_back(token);
    std::ranges::sort(of_groups_);
    for (std::size_t at = 0; at < tokens_.size();) at = statement(at);
  }

  [[nodiscard]] KernelCodes kernels() {
    KernelCodes codes;
    for (const auto& [name, function] : functions_) {
      if (!function.is_kernel) continue;
      codes.emplace(name, read_function(name));
    }
    return codes;
  }

 private:
  struct Function {
    Tokens tokens;  ///< from the name's end to the end of the body
    bool is_kernel = false;
  };
  struct Variable {
    std::uint64_t hash = 0;
    bool dynamic_shared = false;
  };
  [[nodiscard]] bool dotted(std::size_t at, std::string_view text) const {
    return tokens_[at].kind == TokenKind::Dotted && tokens_[at].text == text;
  }

  /// Reads one declaration or definition at module level; returns where the next one begins.
  std::size_t statement(std::size_t begin) {
    std::size_t end = begin, name = 0;
    int braces = 0, brackets = 0;
    bool is_kernel = false, is_function = false, is_extern = false, shared = false, is_variable = false;
    for (; end < tokens_.size(); ++end) {
      const Token& token = tokens_[end];
      if (token.is("{")) ++braces;
      if (token.is("}")) --braces;
      if (token.is("(")) ++brackets;
      if (token.is(")")) --brackets;
      if (braces == 0 && token.is(";")) break;
      // A function body, or a section for debuggers, ends without a semicolon.
      if (braces == 0 && token.is("}") && !is_variable) break;
      if (braces > 0 || brackets > 0) continue;
      is_kernel |= dotted(end, "entry");
      is_function |= is_kernel || dotted(end, "func");
      is_extern |= dotted(end, "extern");
      shared |= dotted(end, "shared");
      is_variable |= !is_function && (shared || dotted(end, "global") || dotted(end, "const"));
      if (name == 0 && (is_function || is_variable) && token.kind == TokenKind::Identifier) name = end;
      // .version, .target and .address_size have neither a semicolon nor a body.
      if (!is_function && !is_variable && end > begin && token.kind == TokenKind::Dotted &&
          tokens_[begin].kind == TokenKind::Dotted && is_header(tokens_[begin].text))
        return end;
    }
    if (end < tokens_.size()) ++end;
    if (name == 0) return end;
    const std::string_view called = tokens_[name].text;
    const Tokens rest = Tokens(tokens_).subspan(name + 1, end - name - 1);
    if (is_function && tokens_[end - 1].is("}")) {
      functions_[called] = {rest, is_kernel};
    } else if (is_function) {
      declared_.insert(called);
    } else {
      Hash hash;
      // The size of a shared array does not change the code; only its uses would.
      for (std::size_t at = begin; at < end && !(shared && !is_extern); ++at) {
        if (at != name && !dotted(at, "visible")) hash.add(tokens_[at].text);
      }
      variables_[called] = {hash.value(), is_extern && shared};
    }
    return end;
  }

  static bool is_header(std::string_view directive) {
    return directive == "version" || directive == "target" || directive == "address_size";
  }

  /// Returns whether some code from a header of cooperative groups stands among these tokens.
  [[nodiscard]] bool has_groups(Tokens tokens) const {
    const auto begin = static_cast<std::size_t>(tokens.data() - tokens_.data());
    const auto next = std::ranges::lower_bound(of_groups_, begin);
    return next != of_groups_.end() && *next < begin + tokens.size();
  }

  KernelCode read_function(std::string_view name) {
    if (const auto known = read_.find(name); known != read_.end()) return known->second;
    read_[name] = {};  // in case it calls itself
    KernelCode read;
    Hash hash;
    std::map<std::string_view, std::uint64_t> names;  // in the order of their first appearance
    const Tokens tokens = functions_.at(name).tokens;
    read.cooperative_groups = has_groups(tokens);
    // starts: the next token begins a statement of the body. predicate: the next token is its predicate.
    bool starts = false, predicate = false;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
      const Token& token = tokens[at];
      if (token.kind == TokenKind::Dotted && token.text == "shared" &&
          (at == 0 || tokens[at - 1].is(";") || tokens[at - 1].is("{"))) {
        while (at + 1 < tokens.size() && !tokens[at + 1].is(";")) ++at;  // its size, as above
        continue;
      }
      const bool label = at + 1 < tokens.size() && tokens[at + 1].is(":");
      const bool is_opcode = starts && !label;
      if (token.is("@")) {  // a predicate, perhaps negated, precedes its instruction
        starts = false;
        predicate = true;
      } else if (predicate && token.kind == TokenKind::Identifier) {
        predicate = false;
        starts = true;
      } else {
        starts = token.is(";") || token.is("{") || token.is("}") || token.is(":");
      }
      if (token.kind != TokenKind::Identifier || is_opcode || token.text.front() == '%' ||
          token.text == "_") {
        hash.add(token.text);
        read.tensor_cores |=
            is_opcode && (token.text == "mma" ||
                          (token.text == "wmma" && at + 1 < tokens.size() && tokens[at + 1].text == "mma"));
      } else if (functions_.contains(token.text)) {
        const KernelCode called = read_function(token.text);
        hash.add(called.hash);
        read.add_uses(called);
      } else if (declared_.contains(token.text)) {
        hash.add(token.text);
      } else {
        if (const auto variable = variables_.find(token.text); variable != variables_.end()) {
          hash.add(variable->second.hash);
          read.dynamic_shared |= variable->second.dynamic_shared;
        }
        hash.add(names.try_emplace(token.text, names.size()).first->second);
      }
    }
    read.hash = hash.value();
    return read_[name] = read;
  }

  std::vector<Token> tokens_;
  std::vector<std::size_t> of_groups_;  ///< where code of cooperative groups begins, ascending
  std::map<std::string_view, Function, std::less<>> functions_;
  std::map<std::string_view, Variable, std::less<>> variables_;
  std::set<std::string_view> declared_;
  std::map<std::string_view, KernelCode, std::less<>> read_;
};

}  // namespace

void KernelCode::add_uses(const KernelCode& called) {
  dynamic_shared |= called.dynamic_shared;
  tensor_cores |= called.tensor_cores;
  cooperative_groups |= called.cooperative_groups;
}

KernelCodes kernel_codes(std::string_view ptx) { return Module(ptx).kernels(); }

KernelCodes kernel_codes_of_image(std::span<const std::byte> image) {
  const Result<std::string_view> ptx = find_simulated_ptx(image);
  return ptx ? kernel_codes(*ptx) : KernelCodes{};
}

}  // namespace cudalabs
