#include "grader/grading/run/followed_case.h"

#include <algorithm>

#include "grader/grading/cases/case_context.h"

namespace cudalabs {
namespace {

constexpr double kUsualLimit = 1.0 / 64;  // if only bank conflicts are checked, not use

const StructurePoints* asks(const Version& version, Requirement requirement) {
  const auto found = std::ranges::find(version.structure, requirement, &StructurePoints::requirement);
  return found == version.structure.end() ? nullptr : &*found;
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

CallResults results_of(const Lab& lab, const Version& version, const TestCase& test,
                       const CaseBuffers& buffers, bool follow) {
  CallResults results;
  for (const std::size_t p : parameters_with(lab, ParameterRole::Output)) {
    if (element_count(lab.parameters[p], test) > 0) results.outputs.push_back(buffers.arguments()[p]);
  }
  for (const std::size_t p : input_arrays(lab)) {
    if (element_count(lab.parameters[p], test) > 0) results.inputs.push_back(buffers.arguments()[p]);
  }
  if (!follow) return results;
  results.parts = parts_of(lab, version, test);
  if (asks(version, Requirement::UsesConstantMemory) != nullptr) {
    // All threads read the smallest input alike.
    const std::vector<std::size_t> inputs = input_arrays(lab);
    const auto smallest = std::ranges::min_element(
        inputs, {}, [&](std::size_t p) { return element_count(lab.parameters[p], test); });
    if (smallest != inputs.end()) results.table = buffers.arguments()[*smallest];
  }
  return results;
}

}  // namespace cudalabs
