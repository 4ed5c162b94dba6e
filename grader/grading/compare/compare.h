#pragma once
// Checks whether an output is right. If it is not, describes the location, size and pattern of the error,
// because the pattern helps to find the bug.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/course/lab.h"
#include "grader/grading/compare/inputs.h"

namespace cudalabs {

struct Mismatch {
  std::string output;  ///< name of the parameter, "out"
  /// index of the first wrong element, outermost dimension first; {} for an output of one element
  std::vector<std::int64_t> index;
  /// as a person reads them, with enough digits to tell them apart; got is empty if it was never written
  std::string expected, got;
  /// Representable numbers between expected and got; 0 where
  /// it has no meaning (integers, NaN, never written).
  double ulps = 0;
  std::uint64_t count = 0, total = 0;  ///< wrong elements and all elements of this output
  std::uint64_t never_written = 0;     ///< of the wrong ones: still hold the poison
  /// "every 33rd row", "the last 8 columns", "all of them"; no message if no pattern was seen
  Message pattern;
  Message guess;                 ///< what the values themselves show; no message if nothing is certain
  bool usual = false;            ///< the guess is one of the lab's usual mistakes
  std::vector<Message> fitting;  ///< usual mistakes that give this answer, also where several do
  /// The one number that all elements are what is expected times, and how far it may be off, as a part of it;
  /// 0: there is none.
  double factor = 0, factor_error = 0;
  Messages statements;  ///< what is wrong, how much of it, and the guess

  [[nodiscard]] bool none_written() const { return never_written == count; }
};

/// Compares output number `output_index` (among the outputs) with the expected values, by the lab's
/// tolerance. NaN and infinities never pass if a finite number is expected. `got` has the size of the
/// poisoned output.
std::optional<Mismatch> compare_output(const Lab& lab, const TestCase& test, const CaseData& data,
                                       std::size_t output_index, std::span<const std::byte> got);

/// Does this usual mistake (a guess that is `usual`) give a wrong answer in this case?
bool shows(const Lab& lab, const TestCase& test, const CaseData& data, const Message& mistake);

}  // namespace cudalabs
