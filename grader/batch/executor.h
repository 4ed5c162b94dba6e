#pragma once
// Who grades the sources of a batch: processes of this machine, or a cluster. Adding one is a class behind
// this call and a name in `read_executor` of cli/class_command.cpp.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/batch/work_folder.h"
#include "grader/support/result.h"

namespace cudalabs {

class Executor {
 public:
  Executor() = default;
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Grades the sources, which lie in the folder, and tells what became of each when it is known, in any
  /// order. Errors: nothing can be graded here at all (no compiler, a full disk), or what `ended` says. Ends
  /// early when it is cancelled.
  virtual Result<void> run(const WorkFolder& folder, const std::vector<std::string>& sources,
                           const std::function<Result<void>(const WorkResult&)>& ended) = 0;
};

/// `jobs` processes of this machine at a time, each grading one source after the other.
std::unique_ptr<Executor> local_executor(unsigned jobs, const std::atomic<bool>* cancel);

/// What sbatch is told. Empty: the cluster's own default.
struct SlurmOptions {
  std::string partition, gres, time;
  unsigned at_once = 0;    ///< tasks of the array that may run at a time; 0: as many as there are
  unsigned per_task = 10;  ///< submissions that one task grades
  double poll_seconds = 2;
};

/// A job array of a Slurm cluster whose nodes see the work folder under the same path. A task whose node died
/// or that ran out of its time or memory is given to a new array, twice at most; then the machine has failed.
/// Whoever cancels the batch ends the array too, and an array that a killed batch left is ended first.
std::unique_ptr<Executor> slurm_executor(SlurmOptions options, const std::atomic<bool>* cancel);

}  // namespace cudalabs
