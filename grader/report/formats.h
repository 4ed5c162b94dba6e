#pragma once
// The documents that other programs read: one row a format, by the option that asks for it. Adding one is a
// function from GradeResult to text, and its row in formats.cpp; one whose library lies above this one, a row
// in cli/report_files.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/score/result.h"

namespace cudalabs {

/// The machine failed (exit status 3): there is no result, and no document may hold a score.
struct GradingFailure {
  std::string lab, variant;
  std::string message;  ///< for staff
  /// That were to be graded, by name; empty where not even these are known.
  std::vector<std::string> versions;
};

struct ReportFormat {
  const char* option;  ///< "--junit"
  const char* help;
  std::string (*write)(const GradeResult& result);
  /// What its reader takes for "could not be graded"; null: that the file is not there.
  std::string (*failed)(const GradingFailure& failure);
};

std::span<const ReportFormat> report_formats();

}  // namespace cudalabs
