#pragma once
// What happened when cases were run: facts, which grading/explain explains. They can be stored
// (grading/stored_run.h) and explained again without a device.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "grader/base/for_overwrite.h"
#include "grader/base/message.h"
#include "grader/device/protocol/outcome.h"
#include "grader/grading/compare/inputs.h"
#include "grader/submission/submission_process.h"

namespace cudalabs {

/// One run of one case that somebody asks for.
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
  std::optional<Messages> trouble;  ///< of both attempts: what the machine or the device may have done
  /// what the case was made of, if it is still at hand; it follows from the seed
  std::shared_ptr<const CaseData> data;
};

/// The operations of a call, done again on another input without the program.
struct Repetition {
  bool begun = false;                  ///< there was room for the other input
  bool done = false;                   ///< its operations did not fail
  std::optional<Messages> trouble;     ///< what the machine or the device may have done
  std::vector<ArrayAfterCall> arrays;  ///< if it was done
};

}  // namespace cudalabs
