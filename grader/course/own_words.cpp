#include "grader/course/own_words.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/diagnostics/catalogue.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/message_table.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

using Problem = std::optional<Diagnostic>;

void read_text(const std::string& id, const std::string& language, const YamlNode& node,
               std::vector<OwnWords>& words, Problem& problem) {
  OwnWords own{id, language, as_text(node, "'" + language + "'", problem), node.where};
  if (problem) return;
  if (const auto read = read_template(id, own.text, own.where); !read) problem = read.problem();
  words.push_back(std::move(own));
}

}  // namespace

std::vector<OwnWords> read_own_words(const YamlNode& node, Problem& problem) {
  std::vector<OwnWords> words;
  if (node.kind != YamlNode::Kind::Mapping)
    report(problem, node.where, msg::not_a_mapping("'messages'", node.found()));
  for (const auto& [id, value] : node.fields) {
    if (find_row(id.scalar) == nullptr) {
      const auto unknown = read_template(id.scalar, "", id.where).problem();
      report(problem, unknown.where, unknown.message, unknown.hint);
    } else if (value.kind == YamlNode::Kind::Scalar) {
      read_text(id.scalar, "en", value, words, problem);
    } else if (value.kind != YamlNode::Kind::Mapping) {
      report(problem, value.where, msg::own_words_malformed(id.scalar, value.found()));
    }
    for (const auto& [language, text] : value.fields) {
      const std::vector<std::string>& names = language_names();
      if (std::ranges::find(names, language.scalar) == names.end())
        report(problem, language.where,
               msg::own_words_language(language.scalar, suggestion(language.scalar, names)),
               msg::the_languages(listed(names)));
      read_text(id.scalar, language.scalar, text, words, problem);
    }
  }
  return words;
}

}  // namespace cudalabs
