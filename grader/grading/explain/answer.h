#pragma once
// Judges what a call left in its arrays.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/compare/mismatch.h"
#include "grader/grading/observation/observation.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// The result of a call, by its arrays.
struct CaseAnswer {
  Verdict verdict = Verdict::Accepted;
  Messages message, advice;            ///< of the first thing that is wrong
  Mismatch mismatch;                   ///< of the last output that is wrong
  Message seen;                        ///< the reason that was seen in what happened, one of the messages
  std::string short_call, short_word;  ///< it was seen in a copy or a set: ShortCopy
  bool untouched = false;              ///< no element of any output was written
  std::uint64_t fingerprint = 0;       ///< of the outputs' bits, if it is wanted

  /// What explains the answer, seen or guessed; no message if nothing does.
  [[nodiscard]] const Message& explanation() const { return seen.empty() ? mismatch.guess : seen; }
};

/// Checks that the outputs are right and that inputs and guards are unchanged. `fingerprint`: also compute
/// the answer's fingerprint. `possible`: as in compare_output().
CaseAnswer judge_answer(const Lab& lab, const TestCase& test, const CaseData& data,
                        std::span<const ArrayAfterCall> arrays, bool fingerprint = false,
                        const Oracle::Mistakes& possible = std::nullopt);

}  // namespace cudalabs
