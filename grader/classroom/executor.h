#pragma once
// Runs the gradings of a batch: in processes of this machine, or on a cluster. A new kind needs a class with
// this interface and a name in `read_executor` of cli/commands/class_command.cpp.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/work_folder.h"

namespace cudalabs {

class Executor {
 public:
  Executor() = default;
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Grades the sources in the folder and reports each result as soon as it is known, in any order. Errors:
  /// grading is impossible here (no compiler, a full disk), or the error that `ended` returned. A
  /// cancellation ends it early.
  virtual Result<void> run(const WorkFolder& folder, const std::vector<std::string>& sources,
                           const std::function<Result<void>(const WorkResult&)>& ended) = 0;
};

/// Runs `jobs` processes of this machine at a time. Each grades one source after another.
std::unique_ptr<Executor> local_executor(unsigned jobs, const std::atomic<bool>* cancel);

/// Options for sbatch. Empty values leave the cluster's defaults.
struct SlurmOptions {
  std::string partition, gres, time;
  unsigned at_once = 0;    ///< maximum number of array tasks at a time; 0: no limit
  unsigned per_task = 10;  ///< submissions per task
  double poll_seconds = 2;
};

/// Runs a job array on a Slurm cluster whose nodes see the work folder under the same path. If a task's node
/// fails, or the task runs out of time or memory, its sources go into a new array, at most twice. After that
/// the machine has failed. Cancelling the batch also ends the array, and an array left by a killed batch is
/// ended first.
std::unique_ptr<Executor> slurm_executor(SlurmOptions options, const std::atomic<bool>* cancel);

}  // namespace cudalabs
