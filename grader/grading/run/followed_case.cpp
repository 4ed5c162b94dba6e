#include "grader/grading/run/followed_case.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "grader/grading/compare/inputs.h"

namespace cudalabs {
namespace {

constexpr double kUsualLimit = 1.0 / 64;  // if only bank conflicts are checked, not use

const StructurePoints* asks(const Version& version, Requirement requirement) {
  const auto found = std::ranges::find(version.structure, requirement, &StructurePoints::requirement);
  return found == version.structure.end() ? nullptr : &*found;
}

std::size_t bytes_of(const Lab& lab, const TestCase& test, ParameterRole role) {
  std::size_t bytes = 0;
  for (const std::size_t p : parameters_with(lab, role))
    bytes += element_count(lab.parameters[p], test) * size_of(lab.parameters[p].type);
  return bytes;
}

/// The number of parts that the inputs of one result must form in shared memory.
double parts_of(const Lab& lab, const Version& version, const TestCase& test) {
  const StructurePoints* const uses = asks(version, Requirement::UsesSharedMemory);
  const double limit = uses != nullptr ? uses->limit : kUsualLimit;
  const auto input = static_cast<double>(bytes_of(lab, test, ParameterRole::Input));
  const auto output = static_cast<double>(bytes_of(lab, test, ParameterRole::Output));
  return std::max(1.0, limit * input / std::max(output, 1.0));
}

}  // namespace

std::size_t bytes_of(const Lab& lab, const TestCase& test) {
  return bytes_of(lab, test, ParameterRole::Input) + bytes_of(lab, test, ParameterRole::Output);
}

bool is_small(const Lab& lab, const TestCase& test) {
  constexpr std::size_t kSmall = std::size_t{1} << 19;
  return bytes_of(lab, test) <= kSmall;
}

std::vector<std::size_t> cases_to_follow(const Lab& lab) {
  std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> has;  // smallest size, bytes, the case
  for (std::size_t i = 0; i < lab.cases.size(); ++i) {
    const TestCase& test = lab.cases[i];
    if (!has_output_elements(lab, test) || !is_small(lab, test)) continue;
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

CallResults results_of(const Lab& lab, const Version& version, const TestCase& test,
                       const CaseBuffers& buffers, bool follow) {
  CallResults results;
  for (const std::size_t p : parameters_with(lab, ParameterRole::Output)) {
    if (element_count(lab.parameters[p], test) > 0) results.outputs.push_back(buffers.arguments()[p]);
  }
  for (const std::size_t p : parameters_with(lab, ParameterRole::Input)) {
    if (element_count(lab.parameters[p], test) > 0) results.inputs.push_back(buffers.arguments()[p]);
  }
  if (!follow) return results;
  results.parts = parts_of(lab, version, test);
  if (asks(version, Requirement::UsesConstantMemory) != nullptr) {
    // All threads read the smallest input alike.
    const std::vector<std::size_t> inputs = parameters_with(lab, ParameterRole::Input);
    const auto smallest = std::ranges::min_element(
        inputs, {}, [&](std::size_t p) { return element_count(lab.parameters[p], test); });
    if (smallest != inputs.end()) results.table = buffers.arguments()[*smallest];
  }
  return results;
}

}  // namespace cudalabs
