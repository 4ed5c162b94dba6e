#pragma once
// Runs cases, and says how much time is left for them: on a device (run_version.h), or from a file
// (grading/stored_run.h).

#include <chrono>
#include <string>

#include "grader/base/result.h"
#include "grader/grading/run/observation.h"

namespace cudalabs {

/// An error of a function means that the grader or its device failed, not the submission.
class CaseRunner {
 public:
  CaseRunner() = default;
  virtual ~CaseRunner() = default;
  CaseRunner(const CaseRunner&) = delete;
  CaseRunner& operator=(const CaseRunner&) = delete;

  /// Runs a case. What the machine may have done is tried once more on a fresh device, unless `attempt` is 1
  /// already.
  virtual Result<Observation> run(const CaseRequest& request, int attempt) = 0;

  /// Repeats the call that has just been run, which was followed and returned, for another input. After a
  /// trouble the device is a fresh one.
  virtual Result<Repetition> repeat_without_host() = 0;

  /// Ends the submission's process: the next case is the first call of another one.
  virtual void end_session() = 0;

  /// What the processes printed until now, the first bytes.
  virtual std::string printed() = 0;

  /// What is left for all calls of the submission together.
  virtual std::chrono::milliseconds budget_left() = 0;

  /// The time since the runner was made.
  virtual std::chrono::milliseconds now() = 0;
};

}  // namespace cudalabs
