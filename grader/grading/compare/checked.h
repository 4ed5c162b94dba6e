#pragma once
// Outputs that the course's oracle judges itself: ToleranceKind::Checked.

#include <cstddef>
#include <optional>
#include <span>

#include "grader/grading/cases/inputs.h"
#include "grader/grading/compare/mismatch.h"

namespace cudalabs {

/// What the oracle finds wrong; nothing if the lab has no such outputs. `outputs`: all outputs of a call, in
/// the order of the contract.
std::optional<Mismatch> check_outputs(const Lab& lab, const TestCase& test, const CaseData& data,
                                      std::span<const std::span<const std::byte>> outputs);

}  // namespace cudalabs
