#pragma once
// Bugs that a lab plants into its reference solution, to prove its criteria: labs/LAB/VARIANT/planted.yaml.

#include <string>
#include <utility>
#include <vector>

#include "grader/course/lab.h"

namespace cudalabs {

struct Planted {
  Location where;
  std::vector<std::pair<std::string, std::string>> edits;  ///< texts that occur once, and their replacements
  /// By version, the criteria that it may miss; the first one it must miss. Other versions miss none.
  std::vector<std::pair<std::string, std::vector<std::string>>> misses;
};

/// Empty if the lab has no such file. Errors: it cannot be read, or names a version or criterion that the lab
/// does not have.
Result<std::vector<Planted>> load_planted(const Lab& lab);

/// The reference solution with the bugs in it. Error: a text does not occur exactly once.
Result<std::string> with_bugs(std::string source, const Planted& planted);

}  // namespace cudalabs
