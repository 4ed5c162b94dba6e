#include "grader/course/read_points.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

using Problem = std::optional<Diagnostic>;

constexpr double kMaxShare = 1e6;

/// Points: for a higher ratio. Ranks: for a better place, which is a smaller number.
enum class Ascending : std::uint8_t { Points, Ranks };

/// A list of [ratio or place, points]: the first number ascends, and points do not fall, or do not rise.
std::vector<std::pair<double, double>> read_table(const YamlNode& node, const std::string& key, Ascending by,
                                                  Problem& problem) {
  std::vector<std::pair<double, double>> table;
  const bool ranks = by == Ascending::Ranks;
  for (const YamlNode& item : as_list(node, "'" + key + "'", problem)) {
    if (item.kind != YamlNode::Kind::Sequence || item.items.size() != 2) {
      report(problem, item.where, msg::table_row_malformed(key, ranks, item.found()));
      continue;
    }
    const YamlNode& first = item.items[0];
    const double at = ranks ? static_cast<double>(as_integer(first, "the place", 1, 1'000'000, problem))
                            : as_number(first, "the ratio", 0, 1000, problem);
    const double points = as_number(item.items[1], "the points", 0, kMaxPoints, problem);
    if (!table.empty() &&
        (at <= table.back().first || (ranks ? points > table.back().second : points < table.back().second)))
      report(problem, item.where, msg::table_not_in_order(key, ranks));
    table.emplace_back(at, points);
  }
  if (table.empty()) report(problem, node.where, msg::list_empty(key, "row"));
  return table;
}

void read_criterion(const YamlNode& node, Criterion& criterion, Problem& problem) {
  static const std::vector<std::string> keys = {"title", "share", "needed", "bonus"};
  const YamlFields fields(node, "the criterion '" + criterion.name + "'", keys, problem);
  if (const YamlNode* title = fields.maybe("title")) criterion.titles = read_titles(*title, problem);
  if (fields.maybe("share")) criterion.share = fields.number("share", 0, kMaxShare);
  if (const YamlNode* needed = fields.maybe("needed")) {
    criterion.needed = as_truth(*needed, "needed", problem);
  }
  if (const YamlNode* bonus = fields.maybe("bonus")) criterion.bonus = as_truth(*bonus, "bonus", problem);
  if (problem) return;
  if (criterion.titles.empty()) report(problem, node.where, msg::criterion_untitled(criterion.name));
  if (criterion.name == kSafe && !criterion.needed) report(problem, node.where, msg::safe_is_needed());
  if (criterion.bonus && criterion.needed) report(problem, node.where, msg::bonus_is_needed(criterion.name));
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
    if (it == known.end()) it = known.insert(known.end(), Criterion{name.scalar, {}, 0, false, false});
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
  double shares = 0, bonus_shares = 0;
  for (const Criterion& criterion : known) {
    const bool named =
        std::ranges::any_of(cases, [&](const TestCase* t) { return t->criterion == criterion.name; });
    if (!named && criterion.name != kSafe) continue;
    used.push_back(criterion);
    if (used.back().needed) used.back().share = 0;
    (criterion.bonus ? bonus_shares : shares) += used.back().share;
    if (criterion.bonus && lab.timed.criterion == criterion.name)
      report(problem, where, msg::timed_case_is_bonus(criterion.name));
  }
  if (shares <= 0) report(problem, where, msg::criteria_without_share());
  const bool gives = std::ranges::any_of(lab.versions, [](const Version& v) { return v.bonus_points > 0; });
  // The cases of a bonus criterion may all be elsewhere.
  if (gives != (bonus_shares > 0) && !(gives && lab.hidden_elsewhere > 0))
    report(problem, where, msg::bonus_points_without_criterion(gives));
  return used;
}

Curve read_curve(const YamlNode& node, Problem& problem) {
  Curve curve;
  for (const YamlNode& item : as_list(node, "'speed_curve'", problem)) {
    if (item.kind != YamlNode::Kind::Sequence || item.items.size() != 2) {
      report(problem, item.where, msg::curve_point_malformed(item.found()));
      continue;
    }
    const double ratio = as_number(item.items[0], "the ratio", 0, 1000, problem);
    const double share = as_number(item.items[1], "the share", 0, 1, problem);
    if (!curve.empty() && ratio <= curve.back().first) {
      report(problem, item.where, msg::curve_ratios_descend());
    }
    if (!curve.empty() && share < curve.back().second) {
      report(problem, item.where, msg::curve_shares_descend());
    }
    curve.emplace_back(ratio, share);
  }
  if (curve.empty()) report(problem, node.where, msg::list_empty("speed_curve", "point"));
  return curve;
}

void read_speed(const YamlFields& fields, const Curve& default_curve, Version& version, Problem& problem) {
  if (fields.maybe("speed_points")) version.speed_points = fields.number("speed_points", 0, kMaxPoints);
  const YamlNode* const curve = fields.maybe("speed_curve");
  const YamlNode* const table = fields.maybe("speed_thresholds");
  version.speed_curve = curve ? read_curve(*curve, problem) : default_curve;
  if (table == nullptr) return;
  if (curve != nullptr) report(problem, table->where, msg::thresholds_and_curve());
  const auto steps = read_table(*table, "speed_thresholds", Ascending::Points, problem);
  if (steps.empty()) return;
  const double most = steps.back().second;
  if (!fields.maybe("speed_points")) version.speed_points = most;
  if (version.speed_points != most)
    report(problem, table->where, msg::thresholds_end_elsewhere(most, version.speed_points));
  version.speed_curve.clear();
  double before = 0;
  for (const auto& [ratio, points] : steps) {
    version.speed_curve.emplace_back(ratio, before);
    before = most > 0 ? points / most : 0;
    version.speed_curve.emplace_back(ratio, before);
  }
}

std::vector<ManualCriterion> read_manual(const YamlNode& node, Problem& problem) {
  static const std::vector<std::string> keys = {"name", "title", "points"};
  std::vector<ManualCriterion> all;
  NamedNodes seen;
  for (const YamlNode& item : as_list(node, "'manual'", problem)) {
    const YamlFields fields(item, "a manual criterion", keys, problem);
    ManualCriterion one;
    one.name = as_identifier(fields.need("name"), "'name'", problem);
    one.titles = read_titles(fields.need("title"), problem);
    one.points = fields.number("points", 0, kMaxPoints);
    if (const YamlNode* first = find_same(seen, one.name))
      report(problem, item.where, msg::stands_twice("criterion", one.name),
             msg::first_given_on_line(first->where.line));
    seen.emplace_back(one.name, &item);
    all.push_back(std::move(one));
  }
  return all;
}

Ranks read_leaderboard(const YamlNode& node, Problem& problem) {
  Ranks ranks;
  for (const auto& [rank, points] : read_table(node, "leaderboard", Ascending::Ranks, problem))
    ranks.emplace_back(static_cast<std::int64_t>(rank), points);
  return ranks;
}

}  // namespace cudalabs
