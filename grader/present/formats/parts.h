#pragma once
// Splits a version into the entries of a service's test list: correctness, each structure requirement, and
// speed. Each part has its points and an explanation of the lost ones. Every format except the score card and
// the JSON uses these parts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

struct Part {
  enum class State : std::uint8_t { Passed, Failed, NotJudged, Pending };

  /// "correctness", "structure.coalesced", "speed", "bonus": the same in every grading of the lab
  std::string name;
  State state = State::Passed;
  double points = 0, max_points = 0;
  bool bonus = false;  ///< its points count above the maximum
  /// A few lines on why it did not pass and what to do; one sentence if it was not judged; otherwise empty.
  std::string text{};
};

/// In the order of the table's columns. The points add up to the version's. Empty if the version was not
/// graded.
std::vector<Part> parts_of(const VersionResult& version);

/// Reason, location and advice, each on one or more lines.
std::string words_of(const LostPoints& lost);

/// The longest message that a service gets, in bytes.
inline constexpr std::size_t kMaxMessage = 3000;

/// Converts the output of a submission or its compiler to text that every service accepts. Control characters
/// and bytes that are not UTF-8 become '?' (as in printable()). Text longer than `most` bytes is cut, and
/// "... (N bytes more)" is appended.
std::string plain(std::string_view text, std::size_t most);

/// The path of a location's file in the repository: relative to the submission's folder, without "./".
std::string path_of(const GradeResult& result, const std::string& file);

/// Returns whether no version compiled.
bool nothing_compiled(const GradeResult& result);

}  // namespace cudalabs
