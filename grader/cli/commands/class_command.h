#pragma once
// Shared parts of the class commands: options, the order of work, progress, and the final summary.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/classroom/batch.h"
#include "grader/classroom/class_folder.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/gradebook.h"
#include "grader/cli/command.h"
#include "grader/grading/cases/seed.h"

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

/// The seed of the class: that of its last run, so that everybody gets the same cases, also after a regrade.
/// At first what the command line names, else what the course says.
Result<ChosenSeed> seed_of_class(const ClassRecord& record, const Work& work);
/// Returns whether each student has an own seed, made of the class's.
bool has_own_seeds(const ChosenSeed& seed);

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

/// Fills in a platform's exported table, writes it to `target`, and prints who has no row in it. Returns the
/// exit status.
int fill_table(const std::string& file, const std::filesystem::path& target, const GradeSheet& sheet,
               const std::function<Result<FilledTable>(const GradeSheet&, const CsvTable&,
                                                       const std::string& shown)>& with);

/// Writes the reports and prints where they are. Every command that changes a class's journal ends with this.
int finish_class(ClassFolder& folder);

}  // namespace cudalabs::cli
