#pragma once
// The report of a ladder, for a terminal and for the documentation.

#include <string>

#include "grader/ladder/run_ladder.h"
#include "grader/present/terminal/console.h"

namespace cudalabs {

struct LadderReport {
  const Ladder& ladder;
  const LadderRequest& request;
  const LadderRun& run;
  std::filesystem::path course;  ///< file names are relative to this folder
};

/// The table, then each rung's change, then the checkers' findings.
std::string ladder_text(const LadderReport& report, const ConsoleStyle& style);

/// The same as a section of Markdown. `table_only`: for a further card, for which only the times differ.
std::string ladder_markdown(const LadderReport& report, bool table_only);

}  // namespace cudalabs
