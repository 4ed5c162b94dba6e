#include "grader/run/memory_flow.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "grader/check/inputs.h"

namespace cudalabs {
namespace {

constexpr double kAll = std::numeric_limits<std::uint32_t>::max();
constexpr double kExpected = 5;     // changed ones among the loads that an output must depend on
constexpr double kUsualLimit = 64;  // one in so many bytes, where conflicts are judged and use is not

std::vector<std::size_t> elements_of(const Lab& lab, const TestCase& test, ParameterRole role) {
  std::vector<std::size_t> elements;
  for (const std::size_t p : parameters_with(lab, role))
    elements.push_back(element_count(lab.parameters[p], test));
  return elements;
}

/// The share of output elements whose bits differ.
double share_that_differs(const Lab& lab, const CaseOutputs& one, const CaseOutputs& other) {
  std::size_t elements = 0, differ = 0, output = 0;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.role != ParameterRole::Output) continue;
    const std::vector<std::byte>&a = one[output], &b = other[output];
    ++output;
    const std::size_t width = size_of(parameter.type);
    for (std::size_t at = 0; at + width <= a.size(); at += width) {
      ++elements;
      if (!std::equal(&a[at], &a[at] + width, &b[at])) ++differ;
    }
  }
  return elements == 0 ? 1 : static_cast<double>(differ) / static_cast<double>(elements);
}

}  // namespace

MemoryFlow::MemoryFlow(const Lab& lab, const Version& version, const TestCase& test,
                       const CaseEvidence& timed, std::uint64_t seed) {
  const auto asks = [&](Requirement requirement) {
    const auto found = std::ranges::find(version.structure, requirement, &StructurePoints::requirement);
    return found == version.structure.end() ? nullptr : &*found;
  };
  const StructurePoints* const uses = asks(Requirement::UsesSharedMemory);
  double needed = 0;  // loads that an output must depend on
  if (uses != nullptr || asks(Requirement::BankConflictFree) != nullptr) {
    const double limit = uses != nullptr ? uses->limit : 1 / kUsualLimit;
    needed = limit * static_cast<double>(timed.input_bytes) / static_cast<double>(timed.output_bytes);
  } else if (asks(Requirement::UsesConstantMemory) != nullptr) {
    // What all threads read alike: the smallest input, every element of it for each output.
    disturbance_.memory = sim::Disturbance::Memory::Constant;
    const auto inputs = elements_of(lab, test, ParameterRole::Input);
    if (!inputs.empty()) needed = static_cast<double>(std::ranges::min(inputs));
  } else {
    return;
  }
  const auto outputs = elements_of(lab, test, ParameterRole::Output);
  // One output changes or does not: a few runs tell more.
  runs_ = std::accumulate(outputs.begin(), outputs.end(), std::size_t{0}) < 16 ? 5 : 1;
  const double share = needed > kExpected ? kExpected / needed : 1;
  disturbance_.share = static_cast<std::uint32_t>(kAll * share);
  disturbance_.salt = static_cast<std::uint32_t>(seed ^ (seed >> 32));
}

Result<void> MemoryFlow::run(const Repeat& repeat) {
  for (int run = 0; run < runs_; ++run) {
    auto outputs = repeat(disturbance_);
    if (!outputs) return outputs.problem();
    if (!outputs->empty()) disturbed_.push_back(std::move(*outputs));
    ++disturbance_.salt;
  }
  return {};
}

std::optional<CaseEvidence::Flow> MemoryFlow::compare(const Lab& lab, const CaseOutputs& outputs) const {
  if (disturbed_.empty()) return std::nullopt;
  double changed = 0;
  for (const CaseOutputs& other : disturbed_) changed += share_that_differs(lab, outputs, other);
  return CaseEvidence::Flow{disturbance_.memory, disturbance_.share / kAll,
                            changed / static_cast<double>(disturbed_.size())};
}

}  // namespace cudalabs
