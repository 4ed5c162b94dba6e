#pragma once
// Who grades the sources of a batch: processes of this machine, or a cluster. Adding one is a class behind this call and a name
// in `executor_named` of cli/batch_command.cpp.

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

  /// Grades the sources, which lie in the folder, and tells what became of each when it is known, in any order. Errors: nothing can
  /// be graded here at all (no compiler, a full disk), or what `ended` says. Ends early when it is cancelled.
  virtual Result<void> run(const WorkFolder& folder, const std::vector<std::string>& sources,
                           const std::function<Result<void>(const WorkResult&)>& ended) = 0;
};

/// `jobs` processes of this machine at a time, each grading one source after the other.
std::unique_ptr<Executor> local_executor(unsigned jobs, const std::atomic<bool>* cancel);

}  // namespace cudalabs
