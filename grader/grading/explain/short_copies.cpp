#include "grader/grading/explain/short_copies.h"

#include <algorithm>
#include <cstdint>

#include "grader/diagnostics/messages/run.h"

namespace cudalabs {
namespace {

/// A smaller count may be intended: one element, or a vector of elements.
constexpr std::uint64_t kFew = 16;

Message advice_for(const Parameter& parameter) {
  return msg::count_bytes(spelling(parameter.contract_type()));
}

std::uint64_t elements_of(const Parameter& parameter, const TestCase& test) {
  return element_count(parameter, test) / static_cast<std::size_t>(parameter.components);
}

std::string call_of(const CopyRecord& copy) {
  return copy.set ? "cudaMemset" : copy.variable.empty() ? "cudaMemcpy" : "cudaMemcpyToSymbol";
}

/// Checks a copy of an array of the call. `variable`: the destination, if it has a name.
ShortCopy of_array(const Parameter& parameter, const TestCase& test, const CopyRecord& copy, bool alone) {
  const std::uint64_t count = elements_of(parameter, test), size = parameter.element_bytes();
  if (copy.offset != 0 || copy.bytes >= count * size || !alone) return {};
  const bool counts_elements =
      copy.bytes == count && (copy.bytes % size != 0 || copy.bytes >= kFew || !copy.variable.empty());
  const bool cuts_element = copy.set && copy.bytes % size != 0;
  if (!counts_elements && !cuts_element && copy.variable.empty()) return {};
  const Message reason =
      copy.set ? msg::set_too_little(copy.bytes, count * size, parameter.name, counts_elements)
      : copy.variable.empty()
          ? msg::copied_too_little(copy.bytes, count * size, parameter.name, counts_elements)
          : msg::copied_too_little_to_variable(copy.bytes, count * size, parameter.name, copy.variable,
                                               counts_elements);
  const std::string& word = copy.variable.empty() ? parameter.name : copy.variable;
  return {reason, advice_for(parameter), copy.variable, call_of(copy), word};
}

}  // namespace

ShortCopy short_copy(const Lab& lab, const TestCase& test, const CallOutcome& outcome) {
  for (const CopyRecord& copy : outcome.copies) {
    const std::uint32_t argument = copy.from != CopyRecord::kNone ? copy.from : copy.to;
    // An array may be copied piece by piece.
    const bool alone = std::ranges::none_of(outcome.copies, [&](const CopyRecord& other) {
      return other != copy && other.from == copy.from && other.to == copy.to && other.set == copy.set;
    });
    if (argument < lab.parameters.size() && lab.parameters[argument].is_array()) {
      if (ShortCopy found = of_array(lab.parameters[argument], test, copy, alone); !found.reason.empty())
        return found;
    } else if (!copy.variable.empty() && alone) {
      // The host may have any array at the source, so the only evidence is that the count equals a number of
      // elements.
      for (const std::size_t p : input_arrays(lab)) {
        const Parameter& parameter = lab.parameters[p];
        const std::uint64_t count = elements_of(parameter, test);
        if (copy.bytes != count || (count % parameter.element_bytes() == 0 && count < kFew)) continue;
        return {msg::copied_as_many_as_elements(copy.bytes, copy.variable, parameter.name),
                advice_for(parameter), copy.variable, call_of(copy), copy.variable};
      }
    }
  }
  return {};
}

}  // namespace cudalabs
