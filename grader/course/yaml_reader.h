#pragma once
// YAML text -> a plain tree with a location for every node, and typed, strict access to it. We use our own
// tree because YAML::Node loses duplicate keys' locations and expands aliases, and configuration needs
// neither.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

struct YamlNode {
  enum class Kind : std::uint8_t { Null, Scalar, Sequence, Mapping };
  Kind kind = Kind::Null;
  Location where;
  std::string scalar;
  bool quoted = false;  ///< written with quotes: it is text, even if it looks like a number
  std::vector<YamlNode> items;
  std::vector<struct YamlField> fields;  ///< keys are scalars, each once

  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  /// "a list", "the quoted text '5'": for messages about what stands here.
  [[nodiscard]] Message found() const;
  [[nodiscard]] std::string description() const { return found().english(); }
};

struct YamlField {
  YamlNode key, value;
};

/// Reads one YAML file of at most 1 MiB. `shown` is the file's name in messages. Errors: the file cannot be
/// read, is too large, not UTF-8 or not YAML, or it has more than one document, an anchor or alias, a
/// duplicate key, or a key that is not a word.
Result<YamlNode> read_yaml(const std::filesystem::path& file, const std::string& shown);
Result<YamlNode> parse_yaml(std::string_view text, const std::string& shown);

/// YAML with the same content, without comments.
std::string written(const YamlNode& node);

/// Strict access to one mapping. It remembers the first problem and continues with harmless values. So the
/// code that reads a lab is a list of its keys; the caller checks the shared `problem` once, at the end.
class YamlFields {
 public:
  /// `what` names the mapping in messages ("the lab", "a version"). Refuses keys that are not among `keys`.
  YamlFields(const YamlNode& mapping, std::string what, std::span<const std::string> keys,
             std::optional<Diagnostic>& problem);

  /// The value of a required key; a null node if it is missing.
  [[nodiscard]] const YamlNode& need(std::string_view key) const;
  /// The value of an optional key.
  [[nodiscard]] const YamlNode* maybe(std::string_view key) const { return mapping_.find(key); }

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key, double at_least, double at_most) const;

 private:
  const YamlNode& mapping_;
  std::string what_;
  std::optional<Diagnostic>& problem_;
};

/// Keeps the first problem only.
void report(std::optional<Diagnostic>& problem, const Location& where, Messages message, Messages hint = {});

// Convert one node to a value; `what` names it in messages ("'rows'"). After a problem they return a harmless
// value.
const std::vector<YamlNode>& as_list(const YamlNode& node, std::string_view what,
                                     std::optional<Diagnostic>& problem);
/// The place of a word in a list; after a problem 0.
std::size_t as_choice(const YamlNode& node, const std::string& what, const std::vector<std::string>& choices,
                      std::optional<Diagnostic>& problem);
/// "true" or "false".
bool as_truth(const YamlNode& node, std::string_view key, std::optional<Diagnostic>& problem);
std::string as_text(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem);
double as_number(const YamlNode& node, const std::string& what, double at_least, double at_most,
                 std::optional<Diagnostic>& problem);
/// "33..96": from the first number to the second, which is not smaller. "33" means 33 to 33.
std::pair<std::int64_t, std::int64_t> as_range(const YamlNode& node, const std::string& what,
                                               std::int64_t at_least, std::int64_t at_most,
                                               std::optional<Diagnostic>& problem);
std::int64_t as_integer(const YamlNode& node, const std::string& what, std::int64_t at_least,
                        std::int64_t at_most, std::optional<Diagnostic>& problem);

/// A name that becomes part of C++ and of file names.
std::string as_identifier(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem);

bool is_cpp_keyword(std::string_view name);

/// The same for the name of a parameter or a function: no keyword.
std::string as_cpp_name(const YamlNode& node, const std::string& what, std::optional<Diagnostic>& problem);

/// Named nodes in the order of the file. Finds the one with this name; null if there is none.
using NamedNodes = std::vector<std::pair<std::string, const YamlNode*>>;
const YamlNode* find_same(const NamedNodes& seen, const std::string& name);

}  // namespace cudalabs
