#pragma once
// The folder in which a batch's gradings run: the sources, the order, and one file for each result. Workers
// read and write nothing else, so they may run on any machine that sees the folder. The batch can regenerate
// all of it from its journal.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/submission/locate.h"

namespace cudalabs {

/// How the submissions of one run are graded.
struct WorkOrder {
  std::int64_t run = 0;  ///< the event of the run in the journal
  std::string lab, variant, course;
  std::string seed;  ///< decimal
  std::string seed_policy;
  std::map<std::string, std::string> own_seeds;  ///< of sources whose students have one; written beside them
  std::string device = "simulator", compiler, engine = "auto", profile;
  std::vector<std::string> versions;  ///< empty: all
  std::string language = "en";        ///< of the pages; everything else is English
  bool require_sandbox = false;       ///< grade only in bubblewrap
  bool run_again = false;             ///< ignore cached runs (GradeJob)
  bool stats = false;                 ///< report the times of the steps (WorkResult::stats)
};

/// The outcome of one source.
struct WorkResult {
  std::int64_t run = 0;
  std::string source;
  std::string body;     ///< the event's JSON for the journal; empty if the machine failed
  Messages failure;     ///< why the machine could not grade it
  std::string stats{};  ///< the worker's times since its last result (grader/base/log/stats.h)
};

class WorkFolder {
 public:
  /// Creates `folder` if it does not exist.
  static Result<WorkFolder> open(const std::filesystem::path& folder);

  Result<void> write_order(const WorkOrder& order) const;
  [[nodiscard]] Result<WorkOrder> order() const;

  /// Writes a submission's files and its seed; existing ones stay.
  Result<void> lay_out(const std::string& source, const Submission& submission,
                       const std::string& seed) const;
  /// The .cu file and the seed that lay_out wrote. Error: they do not exist.
  struct LaidOut {
    std::filesystem::path file;
    std::uint64_t seed = 0;
  };
  [[nodiscard]] Result<LaidOut> laid_out(const std::string& source) const;

  /// Writes the file completely or not at all.
  Result<void> write_result(const WorkResult& result) const;
  /// The result of one source, if it exists. Error: the file is damaged.
  [[nodiscard]] Result<std::optional<WorkResult>> result(const std::string& source) const;
  /// The sources that have a result.
  [[nodiscard]] std::vector<std::string> finished() const;
  /// Removes a result that the journal has.
  void remove_result(const std::string& source) const;

  /// The cache for a source's next grading.
  [[nodiscard]] std::filesystem::path kept(const std::string& source) const {
    return folder_ / "kept" / source;
  }

  /// Removes the sources that lay_out wrote.
  void clear_sources() const;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

 private:
  explicit WorkFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::filesystem::path result_file(const std::string& source) const;

  std::filesystem::path folder_;
};

}  // namespace cudalabs
