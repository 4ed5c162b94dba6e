#pragma once
// The page of one submission: its score card, the lost points with advice, and a comparison of its versions
// with the reference and the limits of the GPU. It turns plain data into one HTML page without scripts,
// fonts, images or network access.

#include <optional>
#include <string>
#include <vector>

#include "grader/grading/score/result.h"
#include "grader/sim/timing/profile.h"

namespace cudalabs {

struct SubmissionPage {
  const GradeResult& result;  ///< excerpts use its `source`, the comparison its reference_launches
  /// The limits of the GPU whose times these are; without them there is no roofline.
  std::optional<sim::DeviceProfile> peaks;
  std::string student;  ///< a name for the heading; may be empty
};

/// The whole document, UTF-8. Unknown data (source, peaks, figures of the reference, bank maps) are left out
/// with a note. Texts are untrusted: they are escaped and cut to a bounded length, so that a page stays below
/// 2 MB.
std::string submission_page(const SubmissionPage& page);

/// A page without the lines that said which points were open when it was written.
std::string without_open_points(std::string page);

}  // namespace cudalabs
