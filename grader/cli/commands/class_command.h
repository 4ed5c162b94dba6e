#pragma once
// Shared parts of the class commands: options, the order of work, progress, and the final summary.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grader/classroom/batch.h"
#include "grader/classroom/class_folder.h"
#include "grader/classroom/class_record.h"
#include "grader/cli/command.h"

namespace cudalabs::cli {

/// Options of batch and regrade.
struct WorkOptions {
  std::string jobs, seed, device = "auto", compiler, engine, profile, course;
  std::string executor = "local", partition, gres, time, per_task;
  bool require_sandbox = false, stats = false;
};
void add_work_options(CommandLine& line, WorkOptions& options);

/// What to grade, and on which machines.
struct Work {
  Course course;
  Lab lab;
  WorkOrder order;
  unsigned jobs = 1;
  bool on_slurm = false;
  SlurmOptions slurm;

  [[nodiscard]] std::unique_ptr<Executor> executor(const std::atomic<bool>* cancel) const;
};
/// Errors: those of the options (exit status 2).
Result<Work> prepare_work(const CommandLine& line, const WorkOptions& options, const std::string& lab,
                          const std::string& variant);

/// Grades the sources, shows the progress, and writes the reports. Returns the exit status.
int grade_class(ClassFolder& folder, const Work& work, const std::vector<std::string>& sources,
                const std::string& why, const std::atomic<bool>* cancel);

/// Rules for all further commands. Empty and false: as they were.
struct RuleOptions {
  std::string late;   ///< the file of the rule for lateness
  std::string names;  ///< how pages and mail texts name a student
  bool highest = false, last = false;
};
void add_names_option(CommandLine& line, RuleOptions& rules);
/// Errors: those of the options and the file.
Result<void> keep_rules(ClassFolder& folder, const RuleOptions& rules);

/// Writes the reports and prints where they are. Every command that changes a class's journal ends with this.
int finish_class(ClassFolder& folder);

}  // namespace cudalabs::cli
