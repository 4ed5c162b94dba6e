#include "grader/course/planted.h"

#include <algorithm>

#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

using Problem = std::optional<Diagnostic>;
using Names = std::vector<std::string>;

Planted read_planted(const YamlNode& node, const Names& versions, const Names& criteria, Problem& problem) {
  static const Names keys = {"edits", "misses"};
  const YamlFields fields(node, "a planted bug", keys, problem);
  Planted planted{node.where, {}, {}};
  for (const YamlNode& edit : as_list(fields.need("edits"), "'edits'", problem)) {
    if (edit.items.size() != 2) {
      report(problem, edit.where, msg::edit_malformed());
      continue;
    }
    const YamlNode& after = edit.items[1];
    const bool deletes = after.kind == YamlNode::Kind::Scalar && after.quoted && after.scalar.empty();
    planted.edits.emplace_back(as_text(edit.items[0], "the text", problem),
                               deletes ? std::string() : as_text(after, "the replacement", problem));
  }
  const YamlNode& misses = fields.need("misses");
  if (misses.kind != YamlNode::Kind::Mapping)
    report(problem, misses.where, msg::not_a_mapping("'misses'", misses.found()));
  for (const auto& [version, missed] : misses.fields) {
    Names names;
    as_choice(version, "version", versions, problem);
    const std::string& name = version.scalar;
    for (const YamlNode& one : as_list(missed, "the missed criteria", problem)) {
      as_choice(one, "criterion", criteria, problem);
      names.push_back(one.scalar);
    }
    if (names.empty()) report(problem, missed.where, msg::list_empty(name, "criterion"));
    planted.misses.emplace_back(name, std::move(names));
  }
  return planted;
}

}  // namespace

Result<std::vector<Planted>> load_planted(const Lab& lab) {
  const std::filesystem::path file = lab.oracle.parent_path() / "planted.yaml";
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::vector<Planted>{};
  const auto root = read_yaml(file, file.string());
  if (!root) return root.problem();
  Names versions, criteria;
  for (const Version& version : lab.versions) versions.push_back(version.name);
  for (const Criterion& criterion : lab.criteria) criteria.push_back(criterion.name);
  Problem problem;
  std::vector<Planted> all;
  for (const YamlNode& node : as_list(*root, "the file", problem))
    all.push_back(read_planted(node, versions, criteria, problem));
  if (problem) return *problem;
  return all;
}

Result<std::string> with_bugs(std::string source, const Planted& planted) {
  for (const auto& [before, after] : planted.edits) {
    const std::size_t at = source.find(before);
    if (before.empty() || at == std::string::npos || source.find(before, at + 1) != std::string::npos)
      return Diagnostic{planted.where, msg::edit_not_once(before), {}};
    source.replace(at, before.size(), after);
  }
  return source;
}

}  // namespace cudalabs
