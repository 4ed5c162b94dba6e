#pragma once
// Why a sum or a product is wrong, from what its results were seen to be made of: elements that never come
// in, or come in more often than once. Nothing is guessed.

#include <span>
#include <string>
#include <vector>

#include "grader/check/inputs.h"
#include "grader/simulator/observers/origins.h"

namespace cudalabs {

/// A part of a sentence about wrong `outputs`, and what to do; empty: nothing is certain.
struct SumTrouble {
  Message reason, advice;
};

/// `origins`: of the call that left the outputs.
SumTrouble trouble_of_sum(const Lab& lab, const TestCase& test, const CaseData& data,
                          const sim::Origins& origins, std::span<const std::vector<std::byte>> outputs);

/// The guess that follows where the next holds in several cases.
inline constexpr const char* kKeptFromCall =
    "this is what is expected, added to what the call before this one left";

/// Are they what is expected, added to what the call `before` left?
bool added_to_the_last(const Lab& lab, const TestCase& test, const CaseData& data,
                       std::span<const std::vector<std::byte>> before,
                       std::span<const std::vector<std::byte>> outputs);

}  // namespace cudalabs
