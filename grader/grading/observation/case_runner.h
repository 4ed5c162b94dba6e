#pragma once
// The interface of what runs cases: on a device (run/run_version.h), or from a stored run (stored_run.h).

#include <chrono>
#include <string>

#include "grader/base/result.h"
#include "grader/grading/observation/observation.h"

namespace cudalabs {

/// An error of a function means that the grader or its device failed, not the submission.
class CaseRunner {
 public:
  CaseRunner() = default;
  virtual ~CaseRunner() = default;
  CaseRunner(const CaseRunner&) = delete;
  CaseRunner& operator=(const CaseRunner&) = delete;

  /// Runs a case. After a failure that the machine may have caused it runs once more on a fresh device,
  /// unless `attempt` is 1 already.
  virtual Result<Observation> run(const CaseRequest& request, int attempt) = 0;

  /// Repeats the operations of the call that has just been run, which was followed and returned, on another
  /// input. After a failure that the machine may have caused the device is a fresh one.
  virtual Result<Repetition> repeat_without_host() = 0;

  /// Ends the submission's process: the next case is the first call of another one.
  virtual void end_session() = 0;

  /// The first bytes of what the processes have printed.
  virtual std::string printed() = 0;

  /// The time that is left for all calls of the submission together.
  virtual std::chrono::milliseconds budget_left() = 0;

  /// The time since the runner was made.
  virtual std::chrono::milliseconds now() = 0;
};

}  // namespace cudalabs
