#pragma once
// The report files of a grading: their options, and writing them from the result. A file is either complete
// or missing. It is replaced after each version, so a killed grading leaves the last one.

#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/cli/command_line.h"
#include "grader/present/formats/formats.h"

namespace cudalabs::cli {

class ReportFiles {
 public:
  ReportFiles();

  /// One option for each format.
  void add_options(CommandLine& line);
  [[nodiscard]] std::vector<std::string> option_names() const;

  /// Checks the files before grading, so that nobody waits for a result that cannot be written. Errors: no
  /// such folder, or stdout or a file named twice.
  [[nodiscard]] Result<void> check();
  [[nodiscard]] bool none() const;
  [[nodiscard]] bool asked_for(std::string_view option) const;
  /// Returns whether one of them goes to stdout, which then must receive nothing else.
  [[nodiscard]] bool take_stdout() const;

  /// Removes the files of an earlier grading: if this one is killed, they must not be taken for its results.
  void begin() const;
  /// Writes only regular files, during the grading.
  [[nodiscard]] Result<void> write_partial(const GradeResult& result) const;
  [[nodiscard]] Result<void> write(const GradeResult& result) const;
  /// There is no result: writes the error if the format supports that, and removes the other files.
  void fail(const GradingFailure& failure) const;

 private:
  struct Target {
    ReportFormat format;
    std::string file;       ///< as given; empty: not requested; "-": stdout
    std::string path;       ///< the file after resolving links
    bool replaced = false;  ///< the whole file is replaced; otherwise it is written once, in place
  };
  [[nodiscard]] static Result<void> write_one(const Target& target, const std::string& text);

  std::vector<Target> targets_;
};

}  // namespace cudalabs::cli
