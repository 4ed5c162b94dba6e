#include "grader/grading/explain/sum_trouble.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/compare/compare.h"
#include "grader/grading/compare/pattern.h"

namespace cudalabs {
namespace {

constexpr std::size_t kWord = 4;  // bytes in each unit that sim::Provenance counts

/// Returns whether each input element contributes to the results of a right program. A maximum uses only
/// some.
bool adds_up(const Lab& lab) {
  if (lab.tolerance.kind == ToleranceKind::SumOfProducts) return true;
  const std::vector<std::size_t> inputs = parameters_with(lab, ParameterRole::Input),
                                 outputs = parameters_with(lab, ParameterRole::Output);
  return std::ranges::all_of(outputs, [&](std::size_t out) {
    return lab.parameters[out].type == ElementType::Int64 && std::ranges::all_of(inputs, [&](std::size_t in) {
             return lab.parameters[in].type == ElementType::Int32;
           });
  });
}

/// How often the results use each element of one input.
struct Uses {
  const Parameter& parameter;
  std::size_t input;  ///< its number among the inputs
  std::vector<std::int64_t> extents;
  std::vector<std::uint16_t> of;  ///< as sim::Provenance::uses, by element

  [[nodiscard]] std::vector<std::size_t> where(auto holds) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < of.size(); ++i)
      if (holds(of[i])) places.push_back(i);
    return places;
  }
  /// "the last 512 elements (488..999)"; no message if these places have no pattern, or are all.
  [[nodiscard]] Message pattern(const std::vector<std::size_t>& places) const {
    if (places.size() == of.size()) return {};
    return describe_places(places, extents, units_of(parameter));
  }
};

std::vector<Uses> uses_of(const Lab& lab, const TestCase& test, const sim::Provenance& origins) {
  std::vector<Uses> uses;
  std::size_t known = 0;
  const std::vector<std::size_t> inputs = parameters_with(lab, ParameterRole::Input);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Parameter& parameter = lab.parameters[inputs[k]];
    if (!parameter.is_array()) continue;
    Uses& input = uses.emplace_back(Uses{parameter, k, extents(parameter, test), {}});
    const std::size_t count = element_count(parameter, test), words = size_of(parameter.type) / kWord;
    if (words == 0) return {};  // several elements share one
    if (count == 0) continue;   // the device does not know this array
    if (known >= origins.uses.size() || origins.uses[known].size() < count * words) return {};
    for (std::size_t i = 0; i < count; ++i) input.of.push_back(origins.uses[known][i * words]);
    ++known;
  }
  return uses;
}

/// Returns whether the right result is a sum of products of input elements, and `output` is the same sum with
/// each element counted as often as `uses` says.
bool explains(const Lab& lab, const CaseData& data, const std::vector<Uses>& uses,
              std::span<const std::byte> output) {
  const Parameter& result = lab.parameters[parameters_with(lab, ParameterRole::Output)[0]];
  long double once = 0, as_used = 0, magnitude = 0, terms = 0;
  for (std::size_t i = 0; i < uses[0].of.size(); ++i) {
    long double product = 1;
    for (const Uses& use : uses) {
      product *= with_type(use.parameter.type, [&]<class T>(T) {
        return static_cast<long double>(load_element<T>(data.inputs[use.input], i));
      });
    }
    const long double times = std::max(0, uses[0].of[i] - 1);
    once += product;
    as_used += times * product;
    magnitude += times * std::fabs(product);
    terms += times;
  }
  return with_type(result.type, [&]<class T>(T) {
    const auto got = static_cast<long double>(load_element<T>(output, 0));
    if constexpr (!kIsFloat<T>) {
      return once == static_cast<long double>(data.expected[0].integers[0]) && as_used == got;
    } else {
      // The likely rounding error of so many additions.
      const long double unit = std::ldexp(1.0L, 1 - kDigits<T>) * 4 * std::sqrt(terms);
      const long double right = data.expected[0].values[0];
      // The rounding error must be smaller than the difference that is to be explained.
      return unit * magnitude < std::fabs(as_used - right) / 4 &&
             std::fabs(once - right) <= unit * magnitude && std::fabs(as_used - got) <= unit * magnitude;
    }
  });
}

SumTrouble too_often(const Lab& lab, const CaseData& data, const std::vector<Uses>& uses,
                     std::span<const OutputBytes> outputs) {
  const Uses& first = uses[0];
  const auto is_like_first = [&](const Uses& other) { return other.of == first.of; };
  if (outputs.size() != 1 || data.expected[0].values.size() + data.expected[0].integers.size() != 1 ||
      !std::ranges::all_of(uses, is_like_first) || !explains(lab, data, uses, outputs[0]))
    return {};
  const auto twice = first.where([](std::uint16_t use) { return use > 2; });
  if (twice.empty()) return {};
  const std::uint16_t times = first.of[twice[0]];
  const bool alike = std::ranges::all_of(twice, [&](std::size_t i) { return first.of[i] == times; });
  const auto lost = first.where([](std::uint16_t use) { return use < 2; });
  const bool whole = twice.size() == first.of.size();
  constexpr int kLanes = 32;
  return {
      msg::elements_too_often(whole, twice.size(), first.of.size(), first.parameter.name,
                              first.pattern(twice), alike ? times - 1 : 0,
                              lost.empty() ? Message()
                                           : msg::some_elements(lost.size(), first.of.size(),
                                                                first.parameter.name, first.pattern(lost))),
      whole && alike && times - 1 == kLanes ? msg::one_lane_adds()
      : whole                               ? msg::one_thread_adds()
                                            : msg::threads_overlap()};
}

}  // namespace

SumTrouble trouble_of_sum(const Lab& lab, const TestCase& test, const CaseData& data,
                          const sim::Provenance& origins, std::span<const OutputBytes> outputs) {
  // Provenance does not cover arrays that were copied to constant memory.
  if (!origins.known || origins.constants > 0 || !adds_up(lab)) return {};
  const std::vector<Uses> uses = uses_of(lab, test, origins);
  if (uses.empty()) return {};
  if (SumTrouble often = too_often(lab, data, uses, outputs); !often.reason.empty()) return often;
  for (const Uses& input : uses) {
    const auto lost = input.where([](std::uint16_t use) { return use < 2; });
    if (lost.empty()) continue;
    const bool never_read = std::ranges::all_of(lost, [&](std::size_t i) { return input.of[i] == 0; });
    const bool whole = lost.size() == input.of.size();
    const Message places = input.pattern(lost);
    const std::string& name = input.parameter.name;
    if (never_read)
      return {msg::elements_never_read(whole, lost.size(), input.of.size(), name, places),
              msg::elements_left_out()};
    return {msg::elements_in_no_result(whole, lost.size(), input.of.size(), name, places),
            msg::lost_before_result()};
  }
  return {};
}

bool added_to_the_last(const Lab& lab, const TestCase& test, const CaseData& data,
                       std::span<const OutputBytes> before, std::span<const OutputBytes> outputs) {
  const std::vector<std::size_t> parameters = parameters_with(lab, ParameterRole::Output);
  if (before.size() != outputs.size() || !adds_up(lab) || has_checked_output(lab)) return false;
  CaseData both = data;
  both.oracle.reset();
  constexpr double kVisible = 65536;  // beyond this factor the old value hides the sum
  bool differs = false, hidden = false, seen = false, stored = false;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (before[k].size() != outputs[k].size()) return false;
    with_type(lab.parameters[parameters[k]].type, [&]<class T>(T) {
      Expected& sum = both.expected[k];
      for (std::size_t i = 0; i < outputs[k].size() / sizeof(T); ++i) {
        const auto last = static_cast<ValueOf<T>>(load_element<T>(before[k], i));
        stored |= static_cast<ValueOf<T>>(load_element<T>(outputs[k], i)) != 0;
        if constexpr (kIsFloat<T>) {
          differs |= std::abs(last) > std::abs(sum.values[i]) / 1024;
          hidden |= std::abs(sum.values[i]) * kVisible < std::abs(static_cast<double>(last));
          sum.values[i] += static_cast<double>(last);
          if (i < sum.magnitudes.size()) sum.magnitudes[i] += std::abs(static_cast<double>(last));
          if (i < sum.roundings.size()) sum.roundings[i] += 1;
        } else {
          differs |= last != 0;
          sum.integers[i] += static_cast<std::int64_t>(last);
        }
      }
    });
    if (hidden || compare_output(lab, test, both, k, outputs[k])) return false;
    // The expected value alone must be a different answer. Otherwise any large value would fit.
    seen |= compare_output(lab, test, both, k, before[k]).has_value();
  }
  return differs && seen && stored;  // a program that keeps a sum leaves more than zeros
}

}  // namespace cudalabs
