#pragma once
// Names for leaderboards. A student keeps one for ever, and nobody without the class's journal can tell whose
// it is.

#include <map>
#include <string>

#include "grader/classroom/class_record.h"

namespace cudalabs {

/// "Vega 12", by student; each once. An earlier student's pseudonym does not depend on a later one.
std::map<std::string, std::string> pseudonyms(const ClassRecord& record);

}  // namespace cudalabs
