#include "grader/grading/cases/case_context.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace cudalabs {

std::size_t bytes_of(const Lab& lab, const TestCase& test, ParameterRole role) {
  std::size_t bytes = 0;
  for (const std::size_t p : parameters_with(lab, role))
    bytes += element_count(lab.parameters[p], test) * size_of(lab.parameters[p].type);
  return bytes;
}

std::size_t bytes_of(const Lab& lab, const TestCase& test) {
  return bytes_of(lab, test, ParameterRole::Input) + bytes_of(lab, test, ParameterRole::Output);
}

bool is_small(const Lab& lab, const TestCase& test) {
  constexpr std::size_t kSmall = std::size_t{1} << 19;
  return bytes_of(lab, test) <= kSmall;
}

bool runs_in_reverse(const Lab& lab, std::size_t index) {
  return index != lab.cases.size() && !is_small(lab, lab.cases[index]);
}

std::vector<std::size_t> cases_to_follow(const Lab& lab) {
  std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> has;  // smallest size, bytes, the case
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const TestCase& test = lab.cases[i];
    // What is found out about the followed case is shown with figures.
    if (!has_output_elements(lab, test) || !is_small(lab, test) || test.hidden()) continue;
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    for (const auto& [name, size] : test.sizes) smallest = std::min(smallest, size);
    has.emplace_back(-smallest, ~bytes_of(lab, test, ParameterRole::Input), i);
  }
  std::ranges::sort(has);
  std::vector<std::size_t> cases;
  for (const auto& [smallest, bytes, index] : has) cases.push_back(index);
  return cases;
}

std::optional<std::size_t> case_to_follow(const Lab& lab) {
  const std::vector<std::size_t> cases = cases_to_follow(lab);
  return cases.empty() ? std::nullopt : std::optional(cases.front());
}

}  // namespace cudalabs
