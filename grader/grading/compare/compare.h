#pragma once
// Checks whether an output is right. If it is not, describes the location, size and pattern of the error,
// because the pattern helps to find the bug.

#include <cstddef>
#include <optional>
#include <span>

#include "grader/base/message.h"
#include "grader/course/lab.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/compare/mismatch.h"

namespace cudalabs {

/// Compares output number `output_index` (among the outputs) with the expected values, by the lab's
/// tolerance. NaN and infinities never pass if a finite number is expected. `got` has the size of the
/// poisoned output. Of the usual mistakes only `possible` ones are looked for in a large answer, because each
/// must be computed. `outputs`: what all outputs hold, which a mistake must give, too; empty: only this one.
std::optional<Mismatch> compare_output(const Lab& lab, const TestCase& test, const CaseData& data,
                                       std::size_t output_index, std::span<const std::byte> got,
                                       const Oracle::Mistakes& possible = std::nullopt,
                                       std::span<const std::span<const std::byte>> outputs = {});

/// The bytes of the outputs that a right call need not write: behind an output's length, and where an array
/// in place holds the right answer before the call.
std::size_t free_bytes(const Lab& lab, const TestCase& test, const CaseData& data);

/// Returns whether the outputs are lengths, and arrays of which such a length says that no element counts.
bool has_empty_answer(const Lab& lab, const TestCase& test, const CaseData& data);

/// Does this usual mistake (a guess that is `usual`) give a wrong answer in this case?
bool shows(const Lab& lab, const TestCase& test, const CaseData& data, const Message& mistake);

}  // namespace cudalabs
