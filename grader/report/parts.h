#pragma once
// A version as the services' test lists show it: right answers, each requirement of structure, speed,
// every one with its points, and what was lost with it in plain words. Every format but the card and the
// JSON is written from these.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/score/result.h"

namespace cudalabs {

struct Part {
  enum class State : std::uint8_t { Passed, Failed, NotJudged, Pending };

  std::string name;  ///< "correctness", "structure.coalesced", "speed": the same in every grading of the lab
  State state = State::Passed;
  double points = 0, max_points = 0;
  /// Why it is not passed and what to do, some lines; of what was not judged a sentence; else empty.
  std::string text;
};

/// In the order of the table's columns. Their points sum up to the version's. None if it was left out.
std::vector<Part> parts_of(const VersionResult& version);

/// Reason, place and advice, a line or more each.
std::string words_of(const LostPoints& lost);

/// What a submission or its compiler wrote, as text that every service can take: control characters and bytes
/// that are no UTF-8 become '?' (terminal_text's printable()), and of more than `most` bytes the first ones,
/// with "... (N bytes more)".
std::string plain(std::string_view text, std::size_t most);

/// The file of a place as the repository names it: in the folder of the submission, without "./".
std::string path_of(const GradeResult& result, const std::string& file);

/// Did no version compile?
bool nothing_compiled(const GradeResult& result);

}  // namespace cudalabs
