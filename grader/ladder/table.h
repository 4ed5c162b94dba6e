#pragma once
// A ladder that has run, for a terminal and for the documentation.

#include <string>

#include "grader/ladder/run_ladder.h"
#include "grader/report/console.h"

namespace cudalabs {

struct LadderReport {
  const Ladder& ladder;
  const LadderRequest& request;
  const LadderRun& run;
  std::filesystem::path course;  ///< files are named from here
};

/// The table, then for each rung what it changes, then what the checkers found.
std::string ladder_text(const LadderReport& report, const ConsoleStyle& style);

/// The same as a section of Markdown. `table_only`: for a further card, of which only the times differ.
std::string ladder_markdown(const LadderReport& report, bool table_only);

}  // namespace cudalabs
