#pragma once
// The facts of a run, which grading/explain explains. They can be stored (stored_run.h) and explained again
// without a device.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "grader/base/for_overwrite.h"
#include "grader/base/message.h"
#include "grader/device/protocol/outcome.h"
#include "grader/grading/cases/inputs.h"
#include "grader/submission/submission_process.h"

namespace cudalabs {

/// Asks for one run of one case.
struct CaseRequest {
  std::size_t index = 0;  ///< of Lab::cases; behind them the timed case
  std::chrono::milliseconds timeout{};
  CallMode mode = CallMode::Plain;
  bool followed = false;     ///< track the provenance of the results, and record the call for a repetition
  bool usual_order = false;  ///< blocks and warps from the first to the last, one block after the other
  bool untimed = false;      ///< the times of its launches are not needed, although it is the timed case
  bool operator==(const CaseRequest&) const = default;
};

/// The bytes of one output after a call.
using OutputBytes = UnsetVector<std::byte>;

/// An array of the contract after a call.
struct ArrayAfterCall {
  Message damage;     ///< what was written beside it; no message: nothing
  Message change;     ///< how an input was changed; no message: it was not
  OutputBytes bytes;  ///< of an output
};

/// A submission's program that did not become ready to be called.
struct FailedStart {
  Messages why;
  SubmissionEnd end;
  bool memory_limit = false;  ///< the device process ended itself, because the program needed too much memory
  bool timed_out = false;     ///< the grader ended it, and nobody else
};

/// One run of one case.
struct Observation {
  CaseRequest request;
  int attempt = 0;          ///< 1: once more, because the first attempt failed for a reason of the machine's
  bool first_call = false;  ///< of its process
  bool in_session = false;  ///< the process waits for another call
  std::optional<FailedStart> failed_start;  ///< there was no call then
  bool called = false;                      ///< the entry was called, and the device kept the outcome
  CallOutcome outcome;                      ///< if it was called
  std::optional<SubmissionEnd> end;         ///< the process ended during the call, or was ended
  std::vector<ArrayAfterCall> arrays;       ///< in the order of the contract, if the outcome is sound
  std::optional<Messages> trouble;  ///< both attempts failed in a way that the machine may have caused
  /// The contents of the case. They follow from the seed, so they are not stored; null then.
  std::shared_ptr<const CaseData> data;
};

/// What became of the operations of a call when they were repeated on another input, without the program.
struct Repetition {
  bool begun = false;                  ///< there was room for the other input
  bool done = false;                   ///< its operations did not fail
  std::optional<Messages> trouble;     ///< a failure that the machine may have caused
  std::vector<ArrayAfterCall> arrays;  ///< if it was done
};

}  // namespace cudalabs
