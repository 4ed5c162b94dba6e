#include "grader/sim/ptx/parse/link.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/base/demangle.h"
#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ptx/parse/builtins.h"
#include "grader/sim/ptx/parse/lexer.h"

namespace cudalabs::ptx {
namespace {

enum class Linkage : std::uint8_t {
  Own,     ///< invisible in other files
  Extern,  ///< defined elsewhere
  Weak,    ///< .weak or .common: several files may define it
  Visible
};

enum class ItemKind : std::uint8_t { Function, Variable, SharedArray, Strings, Alias };

/// A module-level item.
struct Item {
  ItemKind kind = ItemKind::Function;
  Linkage linkage = Linkage::Own;
  bool defines = false;
  std::string_view name;
  std::size_t begin = 0, end = 0;  ///< in the part's text, without its linkage
  std::uint64_t align = 0;         ///< for a shared array without a size
  std::string_view linkage_word;   ///< ".visible"
};

struct Use {
  std::uint64_t file = 0, line = 0;  ///< of the current .loc; zeros: none
};

struct Part {
  std::string_view name, text;
  std::vector<Item> items;
  std::unordered_map<std::string_view, Use> uses;  ///< first uses of .extern declarations
  std::map<std::uint64_t, std::string_view> files;
  std::unordered_set<std::string_view> own;  ///< names, and labels of strings
  std::string_view version, target;
  std::uint64_t target_sm = 0;
  std::uint64_t first_file = 0;  ///< offset of its file numbers
  std::unordered_map<std::string_view, std::string> renamed;
};

std::uint64_t number_of(std::string_view text) {
  const NumberValue value = parse_number(text);
  return value.valid ? value.bits : 0;
}

std::uint64_t digits_of(std::string_view text) {
  std::uint64_t value = 0;
  for (const char c : text.substr(0, 12)) {
    if (c >= '0' && c <= '9') value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

/// Finds the items of a part.
class PartReader {
 public:
  explicit PartReader(Part& part) : part_(part), lexer_(part.text) {}

  Result<void> read() {
    advance();
    while (token_.kind != TokenKind::End) {
      if (token_.kind == TokenKind::Bad) return problem(problem_of(token_));
      if (auto item = module_item(); !item) return item;
    }
    return {};
  }

 private:
  void advance() {
    last_end_ = token_.end;
    token_ = lexer_.next();
  }
  [[nodiscard]] bool ended() const { return token_.kind == TokenKind::End || token_.kind == TokenKind::Bad; }
  Token take() {
    const Token taken = token_;
    advance();
    return taken;
  }
  [[nodiscard]] Diagnostic problem(Message why) const {
    return {{std::string(part_.name), 0, 0}, msg::link_failed(token_.line, std::move(why)), {}};
  }

  Result<void> module_item() {
    Item item;
    for (;;) {
      const std::string_view word = token_.kind == TokenKind::Dotted ? token_.text : std::string_view();
      if (word == "attribute") {
        advance();
        skip("(", ")");
        continue;
      }
      if (word != "extern" && word != "visible" && word != "weak" && word != "common") break;
      item.linkage = word == "extern"    ? Linkage::Extern
                     : word == "visible" ? Linkage::Visible
                                         : Linkage::Weak;
      item.linkage_word = part_.text.substr(token_.offset, token_.end - token_.offset);
      advance();
    }
    item.begin = token_.offset;
    if (token_.is(";")) {
      advance();
      return {};
    }
    if (token_.kind != TokenKind::Dotted) return problem(msg::link_directive_expected());
    const std::string_view word = take().text;
    if (word == "version") {
      part_.version = take().text;
    } else if (word == "target") {
      target();
    } else if (word == "address_size") {
      advance();
    } else if (word == "file") {
      file();
    } else if (word == "pragma") {
      while (!ended() && !token_.is(";")) advance();
    } else if (word == "section") {
      section(item);
    } else if (word == "alias") {
      item.kind = ItemKind::Alias;
      while (!ended() && !token_.is(";")) note(take());
      advance();
      keep(item);
    } else if (word == "entry" || word == "func") {
      function(item);
    } else if (word == "global" || word == "const" || word == "shared") {
      return variable(item, word == "shared");
    } else {
      return problem(msg::link_directive_unknown(word.substr(0, 60)));
    }
    return {};
  }

  void keep(Item& item) {
    item.end = last_end_;
    if (item.linkage == Linkage::Own && !item.name.empty()) part_.own.insert(item.name);
    part_.items.push_back(item);
  }

  void target() {
    const std::size_t begin = token_.offset;
    part_.target_sm = digits_of(take().text);
    while (token_.is(",")) {
      advance();
      advance();
    }
    part_.target = part_.text.substr(begin, last_end_ - begin);
  }

  void file() {
    const std::uint64_t number = number_of(take().text);
    part_.files[number] = take().text;
    while (token_.is(",")) {
      advance();
      advance();
    }
  }

  /// Sections are only read for the names of inlined functions.
  void section(Item& item) {
    const bool strings = token_.text == "debug_str";
    item.kind = ItemKind::Strings;
    advance();
    Token before;
    while (!ended() && !token_.is("}")) {
      if (strings && token_.is(":") && before.kind == TokenKind::Identifier) part_.own.insert(before.text);
      before = take();
    }
    advance();
    if (strings) keep(item);
  }

  void function(Item& item) {
    int depth = 0;
    while (!ended() && !token_.is("{") && !(depth == 0 && token_.is(";"))) {
      const Token token = take();
      if (token.is("(")) ++depth;
      if (token.is(")")) --depth;
      if (depth == 0 && item.name.empty() && token.kind == TokenKind::Identifier) item.name = token.text;
      if (token.kind == TokenKind::Dotted && token.text == "pragma") {
        while (!ended() && !token_.is(";")) advance();
        advance();
      }
    }
    item.defines = token_.is("{");
    line_ = {};
    if (item.defines) {
      skip("{", "}");
    } else {
      advance();
    }
    if (item.linkage == Linkage::Extern) externs_.insert(item.name);
    keep(item);
  }

  Result<void> variable(Item& item, bool shared) {
    int depth = 0;
    bool open = false;
    item.kind = ItemKind::Variable;
    while (!ended() && !(depth == 0 && token_.is(";"))) {
      const Token token = take();
      if (token.is("(") || token.is("{")) ++depth;
      if (token.is(")") || token.is("}")) --depth;
      if (token.kind == TokenKind::Dotted && token.text == "align") item.align = number_of(token_.text);
      if (token.is("[") && token_.is("]")) open = true;
      if (token.kind == TokenKind::Identifier) {
        if (depth == 0 && item.name.empty()) {
          item.name = token.text;
        } else {
          note(token);
        }
      } else if (depth == 0 && token.is(",")) {
        return problem(msg::link_variables_in_one_statement());
      }
    }
    advance();
    if (shared && item.linkage == Linkage::Extern && open) item.kind = ItemKind::SharedArray;
    item.defines = item.linkage != Linkage::Extern;
    if (!item.defines) externs_.insert(item.name);
    keep(item);
    return {};
  }

  /// Records a use of an .extern declaration.
  void note(const Token& token) {
    if (token.kind == TokenKind::Identifier && externs_.contains(token.text))
      part_.uses.emplace(token.text, line_);
  }

  /// Skips to the end of the construct that is open here.
  void skip(std::string_view open, std::string_view close) {
    int depth = 0;
    do {
      const Token token = take();
      if (token.is(open)) ++depth;
      if (token.is(close)) --depth;
      note(token);
      if (token.kind == TokenKind::Dotted && token.text == "loc") {
        line_.file = number_of(take().text);
        if (const std::uint64_t line = number_of(take().text); line != 0) line_.line = line;
      }
    } while (depth > 0 && !ended());
  }

  Part& part_;
  Lexer lexer_;
  Token token_;
  std::size_t last_end_ = 0;
  Use line_;
  std::unordered_set<std::string_view> externs_;
};

class Linker {
 public:
  explicit Linker(std::span<const LinkPart> parts) {
    for (const LinkPart& part : parts) {
      Part& fresh = parts_.emplace_back();
      fresh.name = part.name;
      fresh.text = part.text;
    }
  }

  Result<LinkedModule> link() {
    std::uint64_t files = 0;
    for (Part& part : parts_) {
      if (auto read = PartReader(part).read(); !read) return read.problem();
      part.first_file = files;
      if (!part.files.empty()) files += part.files.rbegin()->first;
    }
    for (const Part& part : parts_) {
      for (const Item& item : part.items) {
        if (auto known = define(part, item); !known) return known.problem();
      }
    }
    for (Part& part : parts_) join_static(part);
    for (const Part& part : parts_) {
      if (auto found = resolve(part); !found) return found.problem();
    }
    rename();
    return write();
  }

 private:
  struct Definition {
    const Part* part = nullptr;
    const Item* item = nullptr;
  };

  Result<void> define(const Part& part, const Item& item) {
    if (item.kind == ItemKind::SharedArray) {
      const Item*& widest = shared_arrays_[item.name];
      if (widest == nullptr || widest->align < item.align) widest = &item;
      return {};
    }
    if (!item.defines || item.linkage == Linkage::Own) return {};
    const auto [at, fresh] = definitions_.try_emplace(item.name, Definition{&part, &item});
    if (fresh || item.linkage == Linkage::Weak) return {};
    if (at->second.item->linkage == Linkage::Weak) {
      at->second = {&part, &item};
      return {};
    }
    return Diagnostic{{std::string(part.name), 0, 0},
                      msg::link_defined_twice(shown(item.name), at->second.part->name),
                      msg::link_define_once_hint()};
  }

  /// clang 14 makes static variables visible under names with a file number, but earlier uses keep their
  /// original names.
  void join_static(Part& part) const {
    for (const Item& item : part.items) {
      if (item.linkage != Linkage::Extern || definitions_.contains(item.name)) continue;
      const std::string numbered = std::string(item.name) + "__static__";
      const auto meant = std::ranges::find_if(part.items, [&](const Item& other) {
        return other.kind == ItemKind::Variable && other.defines && other.name.starts_with(numbered);
      });
      if (meant != part.items.end()) part.renamed.emplace(item.name, std::string(meant->name));
    }
  }

  Result<void> resolve(const Part& part) const {
    for (const Item& item : part.items) {
      if (item.linkage != Linkage::Extern || item.kind == ItemKind::SharedArray) continue;
      const auto use = part.uses.find(item.name);
      const bool known = definitions_.contains(item.name) || part.renamed.contains(item.name);
      if (use == part.uses.end() || known) continue;
      if (item.kind == ItemKind::Function && builtin_named(item.name) != Builtin::None) continue;
      Location where{std::string(part.name), 0, 0};
      const auto file = part.files.find(use->second.file);
      if (file != part.files.end() && use->second.line != 0)
        where = {std::string(file->second), static_cast<int>(use->second.line), 0};
      constexpr std::string_view kRuntime = "__cudaCDP2";  // prefix of its functions' names
      if (item.name.starts_with(kRuntime)) {
        const std::string function = "cuda" + std::string(item.name.substr(kRuntime.size())) + "()";
        return Diagnostic{std::move(where), msg::link_runtime_unsupported(function),
                          msg::link_call_on_host_hint()};
      }
      return Diagnostic{
          std::move(where), msg::link_undefined(shown(item.name)),
          item.kind == ItemKind::Function ? msg::link_function_hint() : msg::link_variable_hint()};
    }
    return {};
  }

  static std::string shown(std::string_view name) { return shortened_name(demangled(name)); }

  void rename() {
    std::unordered_map<std::string_view, std::size_t> owners;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const std::string_view name : parts_[i].own) {
        const bool taken = !owners.try_emplace(name, i).second || definitions_.contains(name);
        if (taken) parts_[i].renamed.emplace(name, std::string(name) + "$" + std::to_string(i));
      }
    }
  }

  [[nodiscard]] LinkedModule write() const {
    const auto& newest = *std::ranges::max_element(
        parts_, [](const Part& a, const Part& b) { return digits(a.version) < digits(b.version); });
    const auto& highest = *std::ranges::max_element(
        parts_, [](const Part& a, const Part& b) { return a.target_sm < b.target_sm; });
    // The first comment names the generator, for readers and for this program.
    std::string text = std::string("// Linked of ") + std::to_string(parts_.size()) + " files" +
                       (std::ranges::any_of(parts_, by_llvm) ? " by LLVM" : "") + "\n.version " +
                       std::string(newest.version) + "\n.target " + std::string(highest.target) +
                       "\n.address_size 64\n";
    std::unordered_set<std::string> declared;
    each([&](const Part& part, const Item& item) {
      if (item.kind != ItemKind::Function || item.defines) return;
      const auto definition = definitions_.find(item.name);
      std::string_view linkage = item.linkage_word;
      if (item.linkage == Linkage::Extern && definition != definitions_.end()) {
        linkage = definition->second.item->linkage_word;
      } else if (item.linkage == Linkage::Extern && !part.uses.contains(item.name)) {
        return;
      }
      if (declared.insert(final_name(part, item.name)).second) append(text, part, item, linkage);
    });
    each([&](const Part& part, const Item& item) {
      const bool array = item.kind == ItemKind::SharedArray && shared_arrays_.at(item.name) == &item;
      if (array || (item.kind == ItemKind::Variable && stays(item)))
        append(text, part, item, item.linkage_word);
    });
    each([&](const Part& part, const Item& item) {
      if (item.kind == ItemKind::Function && item.defines && stays(item))
        append(text, part, item, item.linkage_word);
    });
    each([&](const Part& part, const Item& item) {
      if (item.kind == ItemKind::Alias || item.kind == ItemKind::Strings) append(text, part, item, {});
    });
    for (const Part& part : parts_) {
      for (const auto& [number, path] : part.files) {
        text += ".file " + std::to_string(part.first_file + number) + " \"" + std::string(path) + "\"\n";
      }
    }
    return {std::move(text), static_cast<int>(highest.target_sm)};
  }

  static bool by_llvm(const Part& part) {
    return part.text.substr(0, part.text.find(".version")).find("LLVM") != std::string_view::npos;
  }

  static std::uint64_t digits(std::string_view version) {
    const std::size_t dot = std::min(version.find('.'), version.size());
    return digits_of(version.substr(0, dot)) * 100 + digits_of(version.substr(dot));
  }

  template <class Do>
  void each(const Do& act) const {
    for (const Part& part : parts_) {
      for (const Item& item : part.items) act(part, item);
    }
  }

  /// True for the definition that is kept.
  [[nodiscard]] bool stays(const Item& item) const {
    if (!item.defines || item.linkage == Linkage::Own) return item.defines;
    return definitions_.at(item.name).item == &item;
  }

  static std::string final_name(const Part& part, std::string_view name) {
    const auto renamed = part.renamed.find(name);
    return renamed == part.renamed.end() ? std::string(name) : renamed->second;
  }

  /// Appends the item's text with its new names and file numbers.
  static void append(std::string& text, const Part& part, const Item& item, std::string_view linkage) {
    if (!linkage.empty()) text.append(linkage).append(" ");
    const std::string_view source = part.text.substr(item.begin, item.end - item.begin);
    std::size_t copied = 0;
    const auto replace = [&](const Token& token, std::string_view by) {
      text.append(source.substr(copied, token.offset - copied)).append(by);
      copied = token.end;
    };
    Lexer lexer(source);
    bool file_follows = false;
    for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
      if (token.kind == TokenKind::Identifier) {
        if (const auto renamed = part.renamed.find(token.text); renamed != part.renamed.end())
          replace(token, renamed->second);
      } else if (token.kind == TokenKind::Number && file_follows && part.first_file != 0) {
        replace(token, std::to_string(part.first_file + number_of(token.text)));
      }
      file_follows = (token.kind == TokenKind::Dotted && token.text == "loc") ||
                     (token.kind == TokenKind::Identifier && token.text == "inlined_at");
    }
    text.append(source.substr(copied)).append("\n");
  }

  std::vector<Part> parts_;
  std::unordered_map<std::string_view, Definition> definitions_;
  std::unordered_map<std::string_view, const Item*> shared_arrays_;
};

}  // namespace

Result<LinkedModule> link(std::span<const LinkPart> parts) { return Linker(parts).link(); }

}  // namespace cudalabs::ptx
