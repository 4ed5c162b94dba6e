#pragma once
// The documents for other programs: one row for each format, found by its command-line option. A new format
// needs a function from GradeResult to text and its row in formats.cpp. If this folder may not link its
// library, the row is in cli/files/report_files.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// The grader could not grade (exit status 3): there is no result, and no document may contain a score.
struct GradingFailure {
  std::string lab, variant;
  Diagnostic problem;  ///< for staff
  /// Names of the versions that were requested; empty if they are not known.
  std::vector<std::string> versions;
};

struct ReportFormat {
  const char* option;  ///< "--junit"
  const char* help;
  std::string (*write)(const GradeResult& result);
  /// Writes the document for a failed grading; null if for this format a missing file means failure.
  std::string (*failed)(const GradingFailure& failure);
};

std::span<const ReportFormat> report_formats();

}  // namespace cudalabs
