#pragma once
// Runs the real grader and returns its whole output, as a terminal shows it. For leftovers and limits see
// grader.h.

#include <filesystem>
#include <string>

#include "tests/harness/files.h"

namespace cudalabs::test {

/// Copies the course into an existing folder.
void copy_course(const std::filesystem::path& to);

/// A copy of the course that a test may change, and an empty working directory.
class Workplace {
 public:
  Workplace();

  [[nodiscard]] std::filesystem::path work() const { return root_.path() / "work"; }
  [[nodiscard]] std::filesystem::path course() const { return root_.path() / "course"; }

  /// The command line, the whole output (stdout and stderr together) and "[exit status N]", without this
  /// machine's paths. `arguments` use a shell's syntax.
  [[nodiscard]] std::string grader(const std::string& arguments, const std::string& language = {}) const;

 private:
  TemporaryFolder root_;
};

}  // namespace cudalabs::test
