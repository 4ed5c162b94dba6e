#pragma once
// Reads the JSON that json.h writes, so that any other report can be made from a stored result.

#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// Larger documents are rejected, so that a hostile one takes little memory. Eight versions with the maximum
/// number of listed launches need 22 MB and 350 000 values.
inline constexpr std::size_t kMaxJsonReport = 32U << 20;
inline constexpr std::size_t kMaxJsonValues = 600'000;

/// Reads a document of schema "grader/result/v1" from an untrusted source; `shown` names it in messages.
/// Unknown keys are ignored. Values that the document does not have remain empty: `source`, the columns of
/// locations, the course. Errors: invalid JSON (with line and column), another schema, a key that is missing
/// or of the wrong type, or a value out of range (with the key).
Result<GradeResult> read_json_report(std::string_view text, const std::string& shown = "the result");

}  // namespace cudalabs
