#pragma once
// The page of one submission: its card, what was lost and what to do about it, and how its versions compare
// with the reference and with what the card can do. Plain data in, one HTML page out that needs nothing else:
// no script, no font, no picture, no network.

#include <optional>
#include <string>
#include <vector>

#include "grader/score/result.h"
#include "grader/simulator/cost/profile.h"

namespace cudalabs {

struct SubmissionPage {
  const GradeResult& result;  ///< its `source` gives the excerpts, its reference_launches the comparison
  /// Of the card whose times these are; without them there is no roofline.
  std::optional<sim::DeviceProfile> peaks;
  std::string student;  ///< a name for the heading; may be empty
};

/// The whole document, UTF-8. What is not known (source, peaks, figures of the reference, bank maps)
/// is left out with a word. Texts may be anything: they are escaped and cut to a bounded length, so
/// that a page is below 2 MB.
std::string submission_page(const SubmissionPage& page);

}  // namespace cudalabs
