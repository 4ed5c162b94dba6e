#pragma once
// The times of hand-ins in Moodle's grading worksheet, in whatever language it is.

#include <map>
#include <string>
#include <string_view>

#include "grader/classroom/intake/hand_in_time.h"

namespace cudalabs {

/// By the number of the participant, which is also in the names of a download. Empty: the text is no such
/// worksheet. The times have no zone.
std::map<std::string, HandInTime> times_of_worksheet(std::string_view csv);

}  // namespace cudalabs
