#pragma once
// The result as one JSON document, schema "grader/result/v1": docs/result_format.md.

#include <string>

#include "grader/grading/score/result.h"

namespace cudalabs {

/// Indented, with a final newline. Bytes that are not UTF-8 become U+FFFD; direction marks and similar
/// characters are escaped (steady_json).
std::string json_report(const GradeResult& result);

}  // namespace cudalabs
