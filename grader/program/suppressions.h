#pragma once
// What a user does not want to hear of: the files of `grader run --suppress`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/program/problems.h"
#include "grader/support/result.h"

namespace cudalabs {

/// One line of such a file: `RULE [FILE[:LINE] [KERNEL]]`. In each of the words, and in the kernel, which may
/// hold blanks, * stands for anything.
struct Suppression {
  std::string rule, file, kernel = "*";
  std::uint32_t line = 0;  ///< 0: any

  [[nodiscard]] bool fits(const Problem& problem) const;
};

/// Blank lines and those that begin with # mean nothing. An error names the line of `name`.
Result<std::vector<Suppression>> read_suppressions(std::string_view text, const std::string& name);

/// A file that suppresses all of these.
std::string suppressions_for(const std::vector<Problem>& problems);

}  // namespace cudalabs
