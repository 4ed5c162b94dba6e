#pragma once
// Where a batch's gradings happen: what is to be graded and how, and the results, a file each. Workers read
// and write nothing else, so they may run on any machine that sees the folder. Beside the journal, which is
// the batch's own, all of it can be thrown away.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

/// How the submissions of one run are graded.
struct WorkOrder {
  std::int64_t run = 0;  ///< the event of the run in the journal
  std::string lab, variant, course;
  std::string seed;  ///< decimal
  std::string device = "simulator", compiler, engine = "auto", profile;
  std::vector<std::string> versions;  ///< empty: all
  std::string language = "en";        ///< of the pages; everything else is English
  bool require_sandbox = false;       ///< whoever grades it does so behind bubblewrap or not at all
  bool run_again = false;             ///< whatever was found before (GradeJob)
};

/// What became of one source.
struct WorkResult {
  std::int64_t run = 0;
  std::string source;
  std::string body;     ///< for the journal: the event's JSON; empty if the machine failed
  std::string failure;  ///< why the machine could not grade it
};

class WorkFolder {
 public:
  /// `folder` is made if it is not there.
  static Result<WorkFolder> open(const std::filesystem::path& folder);

  Result<void> write_order(const WorkOrder& order) const;
  [[nodiscard]] Result<WorkOrder> order() const;

  /// Lays a submission's files out; what is there already stays.
  Result<void> lay_out(const std::string& source, const Submission& submission) const;
  /// The .cu file that lay_out wrote. Error: there is none.
  [[nodiscard]] Result<std::filesystem::path> source_file(const std::string& source) const;

  /// Written whole or not at all.
  Result<void> write_result(const WorkResult& result) const;
  /// The result of one source; none if it has none. Error: the file is damaged.
  [[nodiscard]] Result<std::optional<WorkResult>> result(const std::string& source) const;
  /// The sources that have a result.
  [[nodiscard]] std::vector<std::string> finished() const;
  /// Away with a result that the journal has.
  void remove_result(const std::string& source) const;

  /// Where what was found out about a source is kept for the next time.
  [[nodiscard]] std::filesystem::path kept(const std::string& source) const {
    return folder_ / "kept" / source;
  }

  /// Away with the sources that were laid out.
  void clear_sources() const;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

 private:
  explicit WorkFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::filesystem::path result_file(const std::string& source) const;

  std::filesystem::path folder_;
};

}  // namespace cudalabs
