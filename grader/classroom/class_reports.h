#pragma once
// A class's journal as lines for people.

#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_folder.h"

namespace cudalabs {

/// One line for each event, for people: "7: alice handed in ..."; with `student` only that student's events.
Result<std::vector<std::string>> journal_lines(ClassFolder& folder, const std::string& student);

}  // namespace cudalabs
