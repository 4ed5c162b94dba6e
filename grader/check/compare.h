#pragma once
// Checks whether an output is right. If it is not, describes the location, size and pattern of the error,
// because the pattern helps to find the bug.

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
  /// index of the first wrong element, outermost dimension first; {} for an output of one element
  std::vector<std::int64_t> index;
  std::string expected, got;  ///< formatted with enough digits to tell them apart
  /// Representable numbers between expected and got; 0 if that has no meaning (integers, NaN, never written).
  double ulps = 0;
  std::uint64_t count = 0, total = 0;  ///< wrong elements and all elements of this output
  std::uint64_t never_written = 0;     ///< wrong elements that still hold the poison
  std::string pattern;  ///< "every 33rd row", "the last 8 columns", "all of them", or "" for no pattern
  /// what the values themselves show: "the whole output is zero"; "" if nothing is certain
  std::string diagnosis;
  bool usual = false;                ///< the diagnosis is one of the lab's usual mistakes
  std::vector<std::string> fitting;  ///< all usual mistakes that give this answer
  /// If every element is the expected value times one factor: that factor and its relative error; otherwise
  /// 0.
  double factor = 0, factor_error = 0;
  std::string sentence;  ///< the whole description for the score card, without a final full stop
};

/// Diagnoses that only describe the values. kAllTheSame is followed by the value.
inline constexpr const char* kAllZero = "the whole output is zero";
inline constexpr const char* kAllTheSame = "every element is ";
inline constexpr const char* kAllNan = "each of the wrong ones is NaN";
inline constexpr const char* kRoundings = "none of the wrong ones is off by more than 4 roundings";
inline constexpr const char* kAddedTo = "it was added to without having been set to zero first";

/// Compares output number `output_index` (among the outputs) with the expected values, by the lab's
/// tolerance. NaN and infinities never pass if a finite number is expected. `got` has the size of the
/// poisoned output.
std::optional<Mismatch> compare_output(const Lab& lab, const TestCase& test, const CaseData& data,
                                       std::size_t output_index, std::span<const std::byte> got);

/// Returns whether a program with this usual mistake (a diagnosis that is `usual`) gives a wrong answer in
/// this case.
bool shows(const Lab& lab, const TestCase& test, const CaseData& data, const std::string& mistake);

}  // namespace cudalabs
