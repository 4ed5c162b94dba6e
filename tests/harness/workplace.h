#pragma once
// The real grader's whole texts, as a terminal shows them. What it leaves behind, and its limits: grader.h.

#include <filesystem>
#include <string>

#include "tests/harness/files.h"

namespace cudalabs::test {

/// What there is of the course, into a folder that is there.
void copy_course(const std::filesystem::path& to);

/// A copy of the course, so that a test may spoil it, and an empty folder to work in.
class Workplace {
 public:
  Workplace();

  [[nodiscard]] std::filesystem::path work() const { return root_.path() / "work"; }
  [[nodiscard]] std::filesystem::path course() const { return root_.path() / "course"; }

  /// The command as one types it, everything that came out, stdout and stderr together, and
  /// "[exit status N]": without this machine's paths. `arguments` are a shell's.
  [[nodiscard]] std::string grader(const std::string& arguments, const std::string& language = {}) const;

 private:
  TemporaryFolder root_;
};

}  // namespace cudalabs::test
