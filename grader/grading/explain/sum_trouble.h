#pragma once
// Explains a wrong sum or product by the observed provenance of its results: elements that never contribute,
// or contribute more than once. Nothing is guessed.

#include <span>
#include <string>
#include <vector>

#include "grader/grading/cases/inputs.h"
#include "grader/grading/observation/observation.h"
#include "grader/sim/provenance/provenance.h"

namespace cudalabs {

/// The bytes of each output, in the order of the contract.
using CaseOutputs = std::vector<OutputBytes>;

/// A statement about wrong `outputs`, and advice; empty if nothing is certain.
struct SumTrouble {
  Message reason, advice;
};

/// `origins`: the provenance of the call that left the outputs.
SumTrouble trouble_of_sum(const Lab& lab, const TestCase& test, const CaseData& data,
                          const sim::Provenance& origins, std::span<const OutputBytes> outputs);

/// Returns whether the outputs are the expected values plus what the call `before` left.
bool added_to_the_last(const Lab& lab, const TestCase& test, const CaseData& data,
                       std::span<const OutputBytes> before, std::span<const OutputBytes> outputs);

}  // namespace cudalabs
