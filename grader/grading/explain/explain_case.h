#pragma once
// Explains runs of cases, one after the other: what happened becomes evidence for the score.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/grading/cases/case_context.h"
#include "grader/grading/explain/answer.h"
#include "grader/grading/explain/sum_trouble.h"
#include "grader/grading/explain/verdict.h"
#include "grader/grading/observation/observation.h"
#include "grader/grading/score/evidence.h"

namespace cudalabs {

/// Needs no device. The same observations in the same order give the same evidence.
class CaseExplainer {
 public:
  CaseExplainer(const CaseContext& context, std::size_t version_index)
      : context_(context), version_index_(version_index) {}

  /// Takes what it needs out of `seen`. A version that did not start has no verdict on its cases.
  CaseEvidence explain(Observation& seen);

  /// If the host may have worked on the input, the device's operations of the call should be repeated for
  /// another input, without the program, which cannot know about it.
  [[nodiscard]] static bool wants_repetition(const Observation& seen, const CaseEvidence& evidence);
  void explain(std::size_t index, const Repetition& repetition, CaseEvidence& evidence) const;

  /// The notes on all calls that no case's failure says already. `printed`: by the program.
  [[nodiscard]] std::vector<Messages> notes(const std::vector<CaseEvidence>& cases,
                                            const std::string& printed) const;

 private:
  [[nodiscard]] CaseEvidence blank(const CaseRequest& request, const CaseData& data) const;
  void explain_end(const Observation& seen, CaseEvidence& evidence) const;
  void explain_answer(Observation& seen, const CaseData& data, CaseEvidence& evidence);
  /// Replaces the guess of `answer` by what is certain about its sums, if anything is.
  void explain_sum(const TestCase& test, const CaseData& data, Observation& seen, CaseAnswer& answer);
  /// Does the same for copies that were too short.
  void explain_copies(const TestCase& test, const CallOutcome& outcome, CaseAnswer& answer) const;
  /// Checks whether each call leaves more memory allocated than the one before.
  void look_for_leak(std::size_t index, const CallOutcome& outcome);
  void keep_notes(std::size_t index, const CallOutcome& outcome, const Location& shown);

  const CaseContext& context_;
  std::size_t version_index_;
  // Of the process that runs now:
  std::uint64_t allocations_ = 0;  ///< that it has not freed
  std::size_t leaks_ = 0;          ///< calls that left more of them
  CaseOutputs left_;               ///< outputs of its last call; empty: there was none
  // Of the version:
  struct KnownNote {
    Messages text, advice;       ///< as in Note
    std::size_t first_case = 0;  ///< that had it, in the lab's order
  };
  std::map<NoteKey, KnownNote> notes_;
  /// The usual mistakes that fit a wrong answer so far; none: no answer was wrong. What fits no case that
  /// failed is not the reason in the next one.
  Oracle::Mistakes possible_mistakes_;
};

}  // namespace cudalabs
