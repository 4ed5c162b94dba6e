#pragma once
// Hidden cases: results say which of them failed and what kind of failure it was, and nothing of their data.

#include "grader/grading/score/evidence.h"
#include "grader/grading/score/remarks.h"

namespace cudalabs {

/// Takes the data of hidden cases out of what a result would say about them. The line in the submission
/// stays, and advice without values.
void hide_data(VersionEvidence& evidence);

/// The same for a remark on one case.
void hide_data(const CaseEvidence& test, Remark& remark);

}  // namespace cudalabs
