#include "grader/grading/compare/checked.h"

#include <algorithm>
#include <cmath>

#include "grader/diagnostics/messages/run.h"
#include "grader/grading/cases/element.h"

namespace cudalabs {

std::optional<Mismatch> check_outputs(const Lab& lab, const TestCase& test, const CaseData& data,
                                      std::span<const std::span<const std::byte>> outputs) {
  if (!data.oracle || !has_checked_output(lab)) return std::nullopt;
  const auto found = data.oracle->check(lab, test, data.inputs, outputs);
  if (!found) return std::nullopt;
  Mismatch mismatch;
  mismatch.count = mismatch.total = 1;
  std::string place;
  if (found->output) {
    const std::size_t p = parameters_with(lab, ParameterRole::Output)[*found->output];
    const Parameter& parameter = lab.parameters[p];
    mismatch.output = parameter.name;
    mismatch.extents = extents(parameter, test);
    mismatch.total = std::max<std::size_t>(element_count(parameter, test), 1);
    mismatch.count = std::max<std::uint64_t>(
        static_cast<std::uint64_t>(std::llround(found->wrong * static_cast<double>(mismatch.total))), 1);
    mismatch.index = index_of(std::min<std::size_t>(found->element, mismatch.total - 1), mismatch.extents);
    place = parameter.name + index_text(parameter, mismatch.index);
  }
  mismatch.statements.add(msg::found_by_check(found->words, place));
  if (found->output && found->wrong > 0)
    mismatch.statements.add(
        msg::how_many_wrong(mismatch.count, mismatch.total, "element", false, 0, Message()));
  return mismatch;
}

}  // namespace cudalabs
