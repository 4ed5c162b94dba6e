#include "grader/course/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;

/// Builds the tree from the parser's events. An alias is an event and is never expanded, so no file can grow
/// exponentially here.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string file, std::optional<Diagnostic>& problem)
      : file_(std::move(file)), problem_(problem) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(YamlNode::Kind::Null, mark, anchor));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    report(problem_, place(mark), msg::yaml_alias(), msg::yaml_write_out());
    add(node(YamlNode::Kind::Null, mark, 0));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::Scalar, mark, anchor);
    scalar.scalar = value;
    scalar.quoted = tag == "!";
    if (tag != "!" && tag != "?" && !tag.empty()) refuse_tag(mark, tag);
    if (!scalar.quoted && (value == "~" || value == "null")) scalar.kind = YamlNode::Kind::Null;
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    if (tag != "?" && !tag.empty()) refuse_tag(mark, tag);
    open_.push_back({node(YamlNode::Kind::Sequence, mark, anchor), std::nullopt});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    if (tag != "?" && !tag.empty()) refuse_tag(mark, tag);
    open_.push_back({node(YamlNode::Kind::Mapping, mark, anchor), std::nullopt});
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
  };

  [[nodiscard]] Location place(const YAML::Mark& mark) const {
    return {file_, mark.line + 1, mark.column + 1};
  }

  YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) report(problem_, place(mark), msg::yaml_anchor(), msg::yaml_write_out());
    YamlNode made;
    made.kind = kind;
    made.where = place(mark);
    return made;
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    report(problem_, place(mark), msg::yaml_tag(tag), msg::yaml_remove_tag());
  }

  void close() {
    YamlNode done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  void add(YamlNode value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::Sequence) {
      parent.node.items.push_back(std::move(value));
    } else if (!parent.key) {
      if (value.kind != YamlNode::Kind::Scalar) {
        report(problem_, value.where, msg::yaml_key_not_a_word(value.found()));
      } else if (const YamlNode* before = parent.node.find(value.scalar)) {
        report(problem_, value.where, msg::yaml_key_twice(value.scalar),
               msg::first_given_on_line(before->where.line));
      }
      parent.key = std::move(value);
    } else {
      parent.node.fields.push_back({std::move(*parent.key), std::move(value)});
      parent.key.reset();
    }
  }

  std::string file_;
  std::optional<Diagnostic>& problem_;
  YamlNode root_;
  std::vector<Open> open_;
};

Location place_of_offset(const std::string& file, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, static_cast<int>(lines) + 1, static_cast<int>(offset - line_start) + 1};
}

std::string plain(double value) {
  char buffer[32];
  const bool short_enough = std::abs(value) < 1e15;  // 1000000, not 1e+06
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                                 short_enough ? std::chars_format::fixed : std::chars_format::scientific);
  return {buffer, end.ptr};
}

const YamlNode null_node{};

}  // namespace

void report(std::optional<Diagnostic>& problem, const Location& where, Messages message, Messages hint) {
  if (!problem) problem = Diagnostic{where, std::move(message), std::move(hint)};
}

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const auto& [name, value] : fields) {
    if (name.scalar == key) return &value;
  }
  return nullptr;
}

Message YamlNode::found() const {
  constexpr std::size_t kMaxShown = 60;
  switch (kind) {
    case Kind::Null: return msg::found_nothing();
    case Kind::Scalar: {
      const std::string text = scalar.substr(0, kMaxShown);
      return quoted ? msg::found_quoted_text(text) : msg::found_text(text);
    }
    case Kind::Sequence: return msg::found_list();
    case Kind::Mapping: return msg::found_mapping();
  }
  return {};
}

Result<YamlNode> parse_yaml(std::string_view text, const std::string& shown) {
  if (const auto offset = first_invalid_utf8(text)) {
    return Diagnostic{place_of_offset(shown, text, *offset), msg::yaml_not_utf8(), msg::yaml_save_as_utf8()};
  }
  std::optional<Diagnostic> problem;
  YamlNode root;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder(shown, problem);
    if (!parser.HandleNextDocument(builder)) report(problem, {shown, 1, 1}, msg::yaml_empty());
    root = builder.take();
    TreeBuilder second(shown, problem);
    if (!problem && parser.HandleNextDocument(second)) {
      report(problem, second.take().where, msg::yaml_second_document(), msg::yaml_keep_one_document());
    }
  } catch (const YAML::Exception& failure) {
    const bool known = !failure.mark.is_null();
    report(problem, {shown, known ? failure.mark.line + 1 : 1, known ? failure.mark.column + 1 : 1},
           msg::yaml_invalid(failure.msg), msg::yaml_check_place());
  }
  if (problem) return *problem;
  return root;
}

Result<YamlNode> read_yaml(const std::filesystem::path& file, const std::string& shown) {
  auto text = read_file(file, kMaxFileBytes);
  if (!text) return text.problem();
  return parse_yaml(*text, shown);
}

namespace {

void write(YAML::Emitter& out, const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::Null: out << YAML::Null; break;
    case YamlNode::Kind::Scalar:
      if (node.quoted) out << YAML::DoubleQuoted;
      out << node.scalar;
      break;
    case YamlNode::Kind::Sequence:
      out << YAML::BeginSeq;
      for (const YamlNode& item : node.items) write(out, item);
      out << YAML::EndSeq;
      break;
    case YamlNode::Kind::Mapping:
      out << YAML::BeginMap;
      for (const YamlField& field : node.fields) {
        out << YAML::Key << field.key.scalar << YAML::Value;
        write(out, field.value);
      }
      out << YAML::EndMap;
      break;
  }
}

}  // namespace

std::string written(const YamlNode& node) {
  YAML::Emitter out;
  write(out, node);
  return std::string(out.c_str()) + "\n";
}

YamlFields::YamlFields(const YamlNode& mapping, std::string what, std::span<const std::string> keys,
                       std::optional<Diagnostic>& problem)
    : mapping_(mapping), what_(std::move(what)), problem_(problem) {
  if (mapping.kind != YamlNode::Kind::Mapping) {
    report(problem_, mapping.where, msg::not_a_mapping(what_, mapping.found()));
  }
  for (const auto& [name, value] : mapping.fields) {
    if (std::ranges::find(keys, name.scalar) != keys.end()) continue;
    report(problem_, name.where, msg::unknown_key(name.scalar, suggestion(name.scalar, keys)),
           msg::possible_keys(what_, listed(keys)));
  }
}

const YamlNode& YamlFields::need(std::string_view key) const {
  if (const YamlNode* value = maybe(key)) return *value;
  report(problem_, mapping_.where, msg::key_missing(what_, key));
  return null_node;
}

std::string YamlFields::text(std::string_view key) const {
  return as_text(need(key), "'" + std::string(key) + "'", problem_);
}

double YamlFields::number(std::string_view key, double at_least, double at_most) const {
  return as_number(need(key), "'" + std::string(key) + "'", at_least, at_most, problem_);
}

std::size_t as_choice(const YamlNode& node, const std::string& what, const std::vector<std::string>& choices,
                      std::optional<Diagnostic>& problem) {
  const std::string word = as_text(node, what, problem);
  const auto it = std::ranges::find(choices, word);
  if (it != choices.end()) return static_cast<std::size_t>(it - choices.begin());
  report(problem, node.where, msg::unknown_choice(what, word, suggestion(word, choices)),
         msg::possible_choices(listed(choices)));
  return 0;
}

bool as_truth(const YamlNode& node, std::string_view key, std::optional<Diagnostic>& problem) {
  const std::string word = as_text(node, "'" + std::string(key) + "'", problem);
  if (word != "true" && word != "false")
    report(problem, node.where, msg::neither_true_nor_false(std::string(key)));
  return word == "true";
}

const std::vector<YamlNode>& as_list(const YamlNode& node, std::string_view what,
                                     std::optional<Diagnostic>& problem) {
  if (node.kind != YamlNode::Kind::Sequence) report(problem, node.where, msg::not_a_list(what, node.found()));
  return node.items;
}

std::string as_text(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem) {
  if (node.kind == YamlNode::Kind::Scalar && !node.scalar.empty()) return node.scalar;
  report(problem, node.where,
         msg::not_a_text(what, node.kind == YamlNode::Kind::Scalar ? msg::found_empty() : node.found()));
  return "";
}

double as_number(const YamlNode& node, const std::string& what, double at_least, double at_most,
                 std::optional<Diagnostic>& problem) {
  const auto value =
      node.kind == YamlNode::Kind::Scalar && !node.quoted ? parse_number<double>(node.scalar) : std::nullopt;
  if (!value || !std::isfinite(*value)) {
    report(problem, node.where, msg::not_a_number(what, node.found()));
    return at_least;
  }
  if (*value < at_least || *value > at_most) {
    report(problem, node.where, msg::number_out_of_range(what, plain(at_least), plain(at_most), node.scalar));
    return at_least;
  }
  return *value;
}

std::pair<std::int64_t, std::int64_t> as_range(const YamlNode& node, const std::string& what,
                                               std::int64_t at_least, std::int64_t at_most,
                                               std::optional<Diagnostic>& problem) {
  const std::size_t dots = node.scalar.find("..");
  if (node.kind != YamlNode::Kind::Scalar || node.quoted || dots == std::string::npos) {
    const std::int64_t value = as_integer(node, what, at_least, at_most, problem);
    return {value, value};
  }
  YamlNode end = node;
  end.scalar = node.scalar.substr(0, dots);
  const std::int64_t low = as_integer(end, what, at_least, at_most, problem);
  end.scalar = node.scalar.substr(dots + 2);
  const std::int64_t high = as_integer(end, what, at_least, at_most, problem);
  if (high < low) report(problem, node.where, msg::range_backwards(what, node.scalar));
  return {low, std::max(low, high)};
}

std::int64_t as_integer(const YamlNode& node, const std::string& what, std::int64_t at_least,
                        std::int64_t at_most, std::optional<Diagnostic>& problem) {
  const auto value = node.kind == YamlNode::Kind::Scalar && !node.quoted
                         ? parse_number<std::int64_t>(node.scalar)
                         : std::nullopt;
  if (!value) {
    report(problem, node.where, msg::not_a_whole_number(what, node.found()));
    return at_least;
  }
  if (*value < at_least || *value > at_most) {
    report(problem, node.where,
           msg::number_out_of_range(what, std::to_string(at_least), std::to_string(at_most), node.scalar));
    return at_least;
  }
  return *value;
}

std::string as_identifier(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem) {
  std::string name = as_text(node, what, problem);
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool fine = !name.empty() && letter(name[0]) &&
                    std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
  if (!fine) report(problem, node.where, msg::not_a_cpp_name(what, node.found()));
  return name;
}

bool is_cpp_keyword(std::string_view name) {
  static const std::set<std::string_view> keywords = {
      "alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
      "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
      "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
      "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
      "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
      "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
      "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
      "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
      "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
      "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
      "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
      "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
      "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
      "xor_eq"};
  return keywords.contains(name);
}

std::string as_cpp_name(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem) {
  std::string name = as_identifier(node, what, problem);
  if (is_cpp_keyword(name)) report(problem, node.where, msg::keyword_as_name(what, name));
  return name;
}

const YamlNode* find_same(const NamedNodes& seen, const std::string& name) {
  const auto it = std::ranges::find(seen, name, [](const auto& entry) { return entry.first; });
  return it == seen.end() ? nullptr : it->second;
}

}  // namespace cudalabs
