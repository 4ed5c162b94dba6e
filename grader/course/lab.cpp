#include "grader/course/lab.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/parse_number.h"

namespace cudalabs {

std::string_view spelling(Requirement requirement) {
  switch (requirement) {
    case Requirement::UsesSharedMemory: return "uses_shared_memory";
    case Requirement::BankConflictFree: return "bank_conflict_free";
    case Requirement::Coalesced: return "coalesced";
    case Requirement::UsesConstantMemory: return "uses_constant_memory";
  }
  std::abort();
}

std::string_view spelling(Rule rule) {
  switch (rule) {
    case Rule::SharedMemory: return "shared_memory";
    case Rule::ConstantMemory: return "constant_memory";
    case Rule::Atomics: return "atomics";
    case Rule::Thrust: return "thrust";
    case Rule::Cub: return "cub";
    case Rule::Cublas: return "cublas";
    case Rule::CooperativeLaunch: return "cooperative_launch";
    case Rule::CooperativeGroups: return "cooperative_groups";
    case Rule::TensorCores: return "tensor_cores";
    case Rule::HostComputation: return "host_computation";
    case Rule::DynamicParallelism: return "dynamic_parallelism";
  }
  std::abort();
}

std::string_view spelling(Exchange exchange) {
  switch (exchange) {
    case Exchange::SharedMemory: return "shared_memory";
    case Exchange::Shuffles: return "shuffles";
  }
  std::abort();
}

std::string_view spelling(Distances distances) {
  switch (distances) {
    case Distances::Growing: return "growing";
    case Distances::Shrinking: return "shrinking";
  }
  std::abort();
}

std::string_view spelling(Gate gate) {
  switch (gate) {
    case Gate::Proportional: return "proportional";
    case Gate::Strict: return "strict";
    case Gate::None: return "none";
  }
  std::abort();
}

std::string_view spelling(Distribution distribution) {
  switch (distribution) {
    case Distribution::Uniform: return "uniform";
    case Distribution::Negative: return "negative";
    case Distribution::Positive: return "positive";
    case Distribution::EdgeExtremes: return "edge_extremes";
    case Distribution::Dominant: return "dominant";
    case Distribution::Cancellation: return "cancellation";
    case Distribution::Constant: return "constant";
    case Distribution::SmallIntegers: return "small_integers";
    case Distribution::Outlying: return "outlying";
    case Distribution::ExactSums: return "exact_sums";
  }
  std::abort();
}

std::optional<std::int64_t> whole_number(std::string_view entry) {
  const auto number = parse_number<std::int64_t>(entry);
  return number && *number >= 1 ? number : std::nullopt;
}

SizePlus size_plus(std::string_view entry) {
  const std::size_t sign = entry.find('+');
  const auto more = sign == std::string_view::npos ? std::nullopt : whole_number(entry.substr(sign + 1));
  return more ? SizePlus{entry.substr(0, sign), *more} : SizePlus{entry, 0};
}

bool Parameter::acts_as(ParameterRole part) const {
  switch (part) {
    case ParameterRole::Input:
      return role == part || role == ParameterRole::InOut || role == ParameterRole::Scalar;
    case ParameterRole::Output: return role == part || role == ParameterRole::InOut;
    default: return role == part;
  }
}

bool Parameter::is_array() const { return role != ParameterRole::Size && role != ParameterRole::Scalar; }

double Version::max_points() const {
  double sum = correctness_points + speed_points;
  for (const StructurePoints& item : structure) sum += item.points;
  return sum;
}

std::int64_t TestCase::size(std::string_view name) const {
  const auto it =
      std::ranges::find(sizes, name, [](const auto& bound) -> std::string_view { return bound.first; });
  if (it == sizes.end()) std::abort();  // load_lab binds every size of every case
  return it->second;
}

std::int64_t TestCase::extent(std::string_view entry) const {
  if (const auto number = whole_number(entry)) return *number;
  const auto [name, more] = size_plus(entry);
  return size(name) + more;
}

double TestCase::scalar(std::string_view name) const {
  const auto it = std::ranges::find(scalars, name, &ScalarValue::name);
  if (it == scalars.end()) std::abort();  // load_lab binds every scalar of every case
  return it->value;
}

const CaseFile* TestCase::file_of(std::string_view input) const {
  const auto it = std::ranges::find(files, input, &CaseFile::input);
  return it == files.end() ? nullptr : &*it;
}

std::string TestCase::name() const {
  std::string text;
  for (const auto& [size, value] : sizes) text += size + "=" + std::to_string(value) + " ";
  for (const ScalarValue& scalar : scalars) text += fmt::format("{}={:g} ", scalar.name, scalar.value);
  for (const CaseFile& file : files) text += file.input + "=" + file.name + " ";
  return text + std::string(spelling(distribution));
}

double Lab::points_by_grader() const {
  double sum = 0;
  for (const Version& version : versions) sum += version.bonus ? 0 : version.max_points();
  return sum;
}

double Lab::points_by_hand() const {
  double sum = 0;
  for (const ManualCriterion& criterion : manual) sum += criterion.points;
  return sum;
}

double Lab::points_by_rank() const { return leaderboard.empty() ? 0 : leaderboard.front().second; }

double Lab::max_points() const { return points_by_grader() + points_by_hand() + points_by_rank(); }

double Lab::bonus_points() const {
  double sum = 0;
  for (const Version& version : versions)
    sum += version.bonus_points + (version.bonus ? version.max_points() : 0);
  return sum;
}

std::uint32_t Lab::case_number(std::size_t index) const {
  const TestCase& test = index < cases.size() ? cases[index] : timed;
  return test.number.value_or(static_cast<std::uint32_t>(index));
}

const Version* Lab::find_version(std::string_view name) const {
  const auto it = std::ranges::find(versions, name, &Version::name);
  return it == versions.end() ? nullptr : &*it;
}

}  // namespace cudalabs
