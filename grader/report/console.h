#pragma once
// The score card: a table that a person reads at a glance, then what was lost and what to do about it.

#include <string>
#include <string_view>

#include "grader/score/result.h"

namespace cudalabs {

struct ConsoleStyle {
  bool colour = false;
  bool utf8 = true;      ///< false: plain ASCII rules and marks
  int width = 100;       ///< columns; text is wrapped to it and the table drops columns to fit
  bool verbose = false;  ///< every failure, and the launches of the timed case

  /// For the terminal behind `fd`: its width, colour if it is
  /// a terminal and NO_COLOR is not set, UTF-8 by the locale.
  static ConsoleStyle for_descriptor(int fd);
};

std::string console_report(const GradeResult& result, const ConsoleStyle& style);

/// One line: "lab3 variant4: 67.5 of 100 points".
std::string summary_line(const GradeResult& result);

}  // namespace cudalabs
