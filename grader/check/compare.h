#pragma once
// Is an output right? If not: where, by how much, and in what pattern, because the pattern finds the bug.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/check/inputs.h"
#include "grader/config/lab.h"

namespace cudalabs {

struct Mismatch {
  std::string output;  ///< name of the parameter, "out"
  /// of the first wrong element, outermost first; {} for an output of one element
  std::vector<std::int64_t> index;
  std::string expected, got;  ///< as a person reads them; enough digits to tell them apart
  /// Representable numbers between expected and got; 0 where
  /// it has no meaning (integers, NaN, never written).
  double ulps = 0;
  std::uint64_t count = 0, total = 0;  ///< wrong elements and all elements of this output
  std::uint64_t never_written = 0;     ///< of the wrong ones: still hold the poison
  std::string pattern;  ///< "every 33rd row", "the last 8 columns", "all of them", "" if none was seen
  /// what the values themselves show: "the whole output is zero", "" if nothing is certain
  std::string diagnosis;
  bool usual = false;                ///< that is one of the lab's usual mistakes
  std::vector<std::string> fitting;  ///< usual mistakes that give this answer, also where several do
  /// The one number that all elements are what is expected times, and how far it may be off, as a part of it;
  /// 0: there is none.
  double factor = 0, factor_error = 0;
  std::string sentence;  ///< all of it for the score card, one sentence without a final stop
};

/// Diagnoses that only describe; the second goes on with the value.
inline constexpr const char* kAllZero = "the whole output is zero";
inline constexpr const char* kAllTheSame = "every element is ";
inline constexpr const char* kAllNan = "each of the wrong ones is NaN";
inline constexpr const char* kRoundings = "none of the wrong ones is off by more than 4 roundings";
inline constexpr const char* kAddedTo = "it was added to without having been set to zero first";

/// Compares output number `output_index` (among the outputs) with what was
/// expected, by the lab's tolerance. NaN and infinities never pass where a
/// finite number is expected. `got` has the size of the poisoned output.
std::optional<Mismatch> compare_output(const Lab& lab, const TestCase& test, const CaseData& data,
                                       std::size_t output_index, std::span<const std::byte> got);

/// Would who makes this usual mistake (a diagnosis that is `usual`) get a wrong answer in this case?
bool shows(const Lab& lab, const TestCase& test, const CaseData& data, const std::string& mistake);

}  // namespace cudalabs
