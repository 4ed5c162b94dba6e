#pragma once
// The documents that a grading was asked for: their options, and the files that are written from its
// result. A file is there whole or not at all: it is written anew after each version, and whoever is
// killed leaves the last one.

#include <string>
#include <vector>

#include "grader/cli/command_line.h"
#include "grader/report/formats.h"
#include "grader/support/result.h"

namespace cudalabs::cli {

class ReportFiles {
 public:
  ReportFiles();

  /// One option a format.
  void add_options(CommandLine& line);
  [[nodiscard]] std::vector<std::string> option_names() const;

  /// Before grading, so that nobody waits for a result that cannot be written. Errors: no such folder,
  /// stdout or a file named twice.
  [[nodiscard]] Result<void> check();
  [[nodiscard]] bool none() const;
  [[nodiscard]] bool asked_for(std::string_view option) const;
  /// Does one of them go to stdout? Then nothing else may.
  [[nodiscard]] bool take_stdout() const;

  /// Away with what an earlier grading left: if this one is killed, it must not be taken for its own.
  void begin() const;
  /// While the grading goes on: the files alone.
  [[nodiscard]] Result<void> write_partial(const GradeResult& result) const;
  [[nodiscard]] Result<void> write(const GradeResult& result) const;
  /// There is no result: says so where the format can, and removes the others.
  void fail(const GradingFailure& failure) const;

 private:
  struct Target {
    ReportFormat format;
    std::string file;       ///< as it was given; empty: not asked for; "-": stdout
    std::string path;       ///< where its bytes go, through links
    bool replaced = false;  ///< whole files take each other's place; else it is written in place, once
  };
  [[nodiscard]] static Result<void> write_one(const Target& target, const std::string& text);

  std::vector<Target> targets_;
};

}  // namespace cudalabs::cli
