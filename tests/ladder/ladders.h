#pragma once
// What is tested of the course's ladders (configs/ladders), and
// shown in docs/estimate.md: which published orders, at which sizes.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/ladder/ladder.h"
#include "grader/program/program.h"

namespace cudalabs::test {

/// Compiles FILE.cu with our runtime; the program is gone when the tests end.
std::filesystem::path build_program(const std::filesystem::path& source);

/// Runs it on the simulator, with times of this profile. `threads`: workers, 0 for one a core.
ProgramRun run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::string& profile, unsigned threads = 0);

/// The order of some of a document's figures.
struct PublishedOrder {
  std::string ladder, profile;
  ElementType type{};
  std::int64_t size = 0;                ///< of the run that is tested
  std::string source;                   ///< of the figures, where there are several of a card and type
  std::vector<std::string> only{};      ///< of these rungs; none: of all that have a figure
  std::vector<std::string> without{};   ///< but not of these
  std::vector<std::string> not_kept{};  ///< rungs whose estimate is not below that of the next slower one
};
const std::vector<PublishedOrder>& published_orders();

/// The table that it is from.
const PublishedFigures& figures_of(const PublishedOrder& order);

const Ladder& ladder_of(const std::string& name);

/// Estimated milliseconds by rung of one run of the ladder;
/// negative: the answer was wrong. `only`: these rungs; none: all.
std::vector<std::pair<std::string, double>> run_ladder(const std::string& ladder, const std::string& profile,
                                                       ElementType type, std::int64_t size,
                                                       const std::vector<std::string>& only = {});

}  // namespace cudalabs::test
