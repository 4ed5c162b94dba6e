#pragma once
// Reads what json.h writes, so that a stored result can become any other report.

#include <string>
#include <string_view>

#include "grader/score/result.h"
#include "grader/support/result.h"

namespace cudalabs {

/// Larger documents are refused, so that a hostile one takes little memory. Eight versions with all launches
/// that a result lists need 22 MB and 350 000 values.
inline constexpr std::size_t kMaxJsonReport = 32U << 20;
inline constexpr std::size_t kMostJsonValues = 600'000;

/// A document of schema "grader/result/v1", which may come from anybody; `shown` names it in messages. Keys
/// that are not known are left alone. What is not in the document is empty: `source`, the columns of places,
/// the course. Errors: no JSON (with line and column), another schema, a key that is missing or of another
/// type, a value out of its bounds (with the key).
Result<GradeResult> read_json_report(std::string_view text, const std::string& shown = "the result");

}  // namespace cudalabs
