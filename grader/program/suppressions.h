#pragma once
// The findings that a user suppresses: the files of `grader run --suppress`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/program/problems.h"

namespace cudalabs {

/// One line of such a file: `RULE [FILE[:LINE] [KERNEL]]`. * matches anything in each of the words, and in
/// the kernel, which may contain blanks.
struct Suppression {
  std::string rule, file, kernel = "*";
  std::uint32_t line = 0;  ///< 0: any

  [[nodiscard]] bool fits(const Problem& problem) const;
};

/// Blank lines and lines that begin with # are ignored. An error names the line of the file `name`.
Result<std::vector<Suppression>> read_suppressions(std::string_view text, const std::string& name);

/// A file that suppresses all these problems.
std::string suppressions_for(const std::vector<Problem>& problems);

}  // namespace cudalabs
