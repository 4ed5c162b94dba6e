#include "grader/check/rehearsal.h"

#include <fmt/format.h>

#include <map>

#include "grader/check/compare.h"
#include "grader/check/inputs.h"

namespace cudalabs {
namespace {

bool same(const std::vector<Expected>& a, const std::vector<Expected>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].values != b[i].values || a[i].integers != b[i].integers) return false;
  }
  return true;
}

/// The first case that the CPU program answers wrongly; "" if there is none.
std::string wrong_baseline(const Lab& lab, const Oracle& oracle, const TestCase& test, const CaseData& data,
                           std::uint64_t seed) {
  std::vector<std::vector<std::byte>> results;
  oracle.baseline(lab, test, data.inputs, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const auto wrong = compare_output(lab, test, data, i, results[i]))
      return fmt::format("baseline() in {} disagrees with oracle() for {} (seed {}): {}",
                         lab.oracle.filename().string(), test.name(), seed, wrong->sentence);
  }
  return "";
}

}  // namespace

std::vector<std::string> rehearse(const Lab& lab, const Oracle& oracle, std::uint64_t seed) {
  std::vector<TestCase> cases = lab.cases;
  cases.push_back(lab.timed);
  std::string baseline;
  std::map<std::string, bool> differs;  // by a mistake's words: in any case
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const CaseData data = make_case(lab, oracle, cases[i], {seed, static_cast<std::uint32_t>(i), 0, 0});
    if (baseline.empty()) baseline = wrong_baseline(lab, oracle, cases[i], data, seed);
    for (const Oracle::Mistake& mistake : oracle.usual_mistakes(lab, cases[i], data.inputs)) {
      bool& differs_here = differs[mistake.words];
      differs_here = differs_here || !same(mistake.answer, data.expected);
    }
  }
  std::vector<std::string> problems;
  if (!baseline.empty()) problems.push_back(baseline);
  for (const auto& [words, found] : differs) {
    if (!found)
      problems.push_back(
          fmt::format("usual_mistake() in {} calls the right answer a mistake, in every case: \"{}\"",
                      lab.oracle.filename().string(), words));
  }
  return problems;
}

}  // namespace cudalabs
