#include "grader/course/criteria.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

using Problem = std::optional<Diagnostic>;

constexpr double kMaxShare = 1e6;

void read_criterion(const YamlNode& node, Criterion& criterion, Problem& problem) {
  static const std::vector<std::string> keys = {"title", "share", "needed"};
  const YamlFields fields(node, "the criterion '" + criterion.name + "'", keys, problem);
  if (const YamlNode* title = fields.maybe("title")) criterion.titles = read_titles(*title, problem);
  if (fields.maybe("share")) criterion.share = fields.number("share", 0, kMaxShare);
  if (const YamlNode* needed = fields.maybe("needed")) {
    criterion.needed = as_truth(*needed, "needed", problem);
  }
  if (problem) return;
  if (criterion.titles.empty()) report(problem, node.where, msg::criterion_untitled(criterion.name));
  if (criterion.name == kSafe && !criterion.needed) report(problem, node.where, msg::safe_is_needed());
}

}  // namespace

Titles read_titles(const YamlNode& node, Problem& problem) {
  if (node.kind != YamlNode::Kind::Mapping) return {{"en", as_text(node, "'title'", problem)}};
  Titles titles;
  for (const auto& [language, text] : node.fields)
    titles[language.scalar] = as_text(text, "'" + language.scalar + "'", problem);
  return titles;
}

std::vector<Criterion> read_criteria(const YamlNode& node, std::vector<Criterion> known, Problem& problem) {
  if (node.kind != YamlNode::Kind::Mapping)
    report(problem, node.where, msg::not_a_mapping("'criteria'", node.found()));
  for (const auto& [name, value] : node.fields) {
    auto it = std::ranges::find(known, name.scalar, &Criterion::name);
    if (it == known.end()) it = known.insert(known.end(), Criterion{name.scalar, {}, 0, false});
    read_criterion(value, *it, problem);
  }
  return known;
}

Gate read_gate(const YamlNode& node, Problem& problem) {
  const std::string word = as_text(node, "'gate'", problem);
  std::vector<std::string> words;
  for (const Gate gate : {Gate::Proportional, Gate::Strict, Gate::None}) {
    if (word == spelling(gate)) return gate;
    words.emplace_back(spelling(gate));
  }
  report(problem, node.where, msg::unknown_choice("gate", word, suggestion(word, words)),
         msg::possible_choices(listed(words)));
  return Gate::Proportional;
}

std::vector<Criterion> criteria_in_use(const Lab& lab, const std::vector<Criterion>& known,
                                       const Location& where, Problem& problem) {
  std::vector<const TestCase*> cases{&lab.timed};
  for (const TestCase& test : lab.cases) cases.push_back(&test);
  const auto without = std::ranges::find_if(cases, [](const TestCase* t) { return t->criterion.empty(); });
  if (std::ranges::all_of(cases, [](const TestCase* t) { return t->criterion.empty(); })) return {};
  if (without != cases.end())
    report(problem, where, msg::case_without_criterion((*without)->name()), msg::criterion_for_each_case());
  std::vector<Criterion> used;
  double shares = 0;
  for (const Criterion& criterion : known) {
    const bool named =
        std::ranges::any_of(cases, [&](const TestCase* t) { return t->criterion == criterion.name; });
    if (!named && criterion.name != kSafe) continue;
    used.push_back(criterion);
    if (used.back().needed) used.back().share = 0;
    shares += used.back().share;
  }
  if (shares <= 0) report(problem, where, msg::criteria_without_share());
  return used;
}

}  // namespace cudalabs
