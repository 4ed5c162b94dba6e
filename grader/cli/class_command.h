#pragma once
// What the commands for a class share: options, the order of work, progress, and the end's summary.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/batch/batch.h"
#include "grader/batch/class_folder.h"
#include "grader/batch/class_record.h"
#include "grader/cli/command.h"

namespace cudalabs::cli {

/// Options of batch and regrade.
struct WorkOptions {
  std::string jobs, seed, device = "auto", compiler, engine, profile, course;
  std::string executor = "local", partition, gres, time, per_task;
  bool require_sandbox = false;
};
void add_work_options(CommandLine& line, WorkOptions& options);

/// What is to be graded, and by whom.
struct Work {
  Course course;
  Lab lab;
  WorkOrder order;
  unsigned jobs = 1;
  bool on_slurm = false;
  SlurmOptions slurm;

  [[nodiscard]] std::unique_ptr<Executor> executor(const std::atomic<bool>* cancel) const;
};
/// Errors: as the options' messages say (exit status 2).
Result<Work> prepare_work(const CommandLine& line, const WorkOptions& options, const std::string& lab,
                          const std::string& variant);

/// Grades, shows how far it is, and writes the reports. Returns the exit status.
int grade_class(ClassFolder& folder, const Work& work, const std::vector<std::string>& sources,
                const std::string& why, const std::atomic<bool>* cancel);

/// From now on these rules hold: those of a file, if one is named, and which grading counts.
Result<void> keep_rules(ClassFolder& folder, const std::string& late_file, bool highest, bool last);

/// Writes the reports and says what there is to see: the end of every command that changes a class's journal.
int finish_class(ClassFolder& folder);

}  // namespace cudalabs::cli
