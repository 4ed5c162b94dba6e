#include "grader/program/suppressions.h"

#include <algorithm>
#include <array>
#include <set>

#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/sim/checkers/base/checker.h"

namespace cudalabs {
namespace {

/// True iff the text matches the pattern, in which * matches anything.
bool like(std::string_view text, std::string_view pattern) {
  std::size_t at = 0, p = 0, star = std::string_view::npos, resumed = 0;
  while (at < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumed = at;
    } else if (p < pattern.size() && pattern[p] == text[at]) {
      ++p;
      ++at;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      at = ++resumed;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t\r";
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlanks)));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kBlanks)));
  return word;
}

/// The rules of problems that no checker reports.
constexpr std::array<std::string_view, 2> kOtherRules{"launch", "unsupported"};

bool may_be_reported(std::string_view rule) {
  return std::ranges::find(kOtherRules, rule) != kOtherRules.end() ||
         std::ranges::any_of(sim::kCheckers,
                             [&](const sim::CheckerInfo& checker) { return like(checker.name, rule); });
}

std::string all_rules() {
  std::string names;
  for (const sim::CheckerInfo& checker : sim::kCheckers) names += std::string(checker.name) + ", ";
  for (const std::string_view rule : kOtherRules) names += std::string(rule) + ", ";
  return names.substr(0, names.size() - 2);
}

/// The words of a problem that a suppression matches.
std::string words_of(const Problem& problem) {
  std::string words = problem.rule;
  if (problem.here.file.empty() && problem.kernel.empty()) return words;
  words += " " + (problem.here.file.empty() ? "*" : problem.here.file);
  if (problem.here.line > 0) words += ":" + std::to_string(problem.here.line);
  return problem.kernel.empty() ? words : words + " " + problem.kernel;
}

}  // namespace

bool Suppression::fits(const Problem& problem) const {
  return like(problem.rule, rule) && like(problem.here.file, file) && like(problem.kernel, kernel) &&
         (line == 0 || static_cast<int>(line) == problem.here.line);
}

Result<std::vector<Suppression>> read_suppressions(std::string_view text, const std::string& name) {
  std::vector<Suppression> all;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = take_until(text, '\n');
    const std::string_view rule = next_word(line);
    if (rule.empty() || rule.starts_with('#')) continue;
    Suppression one;
    one.rule = rule;
    if (!may_be_reported(rule)) {
      return Diagnostic{
          {name, number, 0}, msg::no_such_checker(rule), msg::hint_suppression_rules(all_rules())};
    }
    std::string_view place = next_word(line);
    const std::size_t colon = place.rfind(':');
    if (colon != std::string_view::npos) {
      one.line = parse_number<decltype(one.line)>(place.substr(colon + 1)).value_or(0);
      if (one.line == 0) {
        return Diagnostic{
            {name, number, 0}, msg::suppression_place_unreadable(place), msg::hint_suppression_place()};
      }
      place = place.substr(0, colon);
    }
    one.file = place.empty() ? "*" : place;
    if (const std::size_t end = line.find_last_not_of(" \t\r"); end != std::string_view::npos)
      one.kernel = line.substr(0, end + 1);
    all.push_back(std::move(one));
  }
  return all;
}

std::string suppressions_for(const std::vector<Problem>& problems) {
  std::string text =
      "# RULE [FILE[:LINE] [KERNEL]], * stands for anything; grader run --suppress reads this file.\n";
  std::set<std::string> written;
  for (const Problem& problem : problems) {
    if (!may_be_reported(problem.rule)) continue;
    if (std::string words = words_of(problem); written.insert(words).second) text += words + "\n";
  }
  return text;
}

}  // namespace cudalabs
