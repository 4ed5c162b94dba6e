#pragma once
// The facts that a run of a submission found, without points. `score` turns them into a GradeResult.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"
#include "grader/grading/compare/mismatch.h"
#include "grader/grading/measure/measurement.h"
#include "grader/grading/score/result.h"

namespace cudalabs {

/// A launch of a case that does what a rule names.
struct RuleDeed {
  Rule rule{};
  std::string kernel;
  Location where;  ///< the line at which it does so, if known
};

/// The threads of a block of a kernel.
struct BlockSize {
  std::string kernel;
  std::int64_t threads = 0;
  friend bool operator==(const BlockSize&, const BlockSize&) = default;
};

/// One call of one entry on one test case.
struct CaseEvidence {
  std::string name;
  bool hidden = false;  ///< results say nothing of its data
  bool timed = false;
  bool drawn = false;  ///< its sizes were drawn from the seed
  /// false: nothing must be written; such a case can only fail and never earns points
  bool has_output = true;
  bool empty_answer = false;  ///< the right answer is only that there are no elements: zeros in its lengths
  Verdict verdict = Verdict::NotGraded;  ///< Accepted: the answer is right; NotGraded: skipped
  Messages message, advice;              ///< for a failure
  Location where;
  /// The first kernel whose launch the CUDA runtime refused, if that is the failure.
  std::string refused_kernel;
  /// The CUDA runtime call that failed, and a word in that call.
  std::string failed_call, failed_word;
  std::string shown_launch;  ///< of a wrong answer: the kernel whose launch is the place to show
  /// Of a wrong answer whose place is a store: all lines that store, most first.
  std::vector<Location> stores;
  bool fault = false;          ///< the failure is an access of a kernel out of bounds, or misaligned
  bool wrong_barrier = false;  ///< the failure is a barrier that some threads never reach
  /// of a wrong answer; it has no guess where the reason was seen in what happened
  Mismatch mismatch;
  /// Of a wrong answer: does the message say why, not only what?
  enum class Reason : std::uint8_t { None, Guessed, Seen } reason = Reason::None;
  bool watched = false;   ///< run under all checkers
  bool by_order = false;  ///< wrong in reverse order of blocks and warps, right in the usual order
  bool unsound = false;   ///< the checkers found a race or an uninitialized output
  std::uint64_t input_bytes = 0, output_bytes = 0;
  std::uint64_t free_bytes = 0;  ///< of the outputs, what a right call need not write
  std::uint64_t input_elements = 0, output_elements = 0;
  double factors = 0;  ///< in all terms of its sums (Sums); 0: there are no sums
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< copied by the submission during the call
  std::uint64_t argument_bytes = 0;                      ///< of the launches
  /// Result of replaying the call for another input, without the host. Unknown: a replay is not possible.
  enum class Repeated : std::uint8_t { NotAsked, Right, Wrong, Unknown } repeated = Repeated::NotAsked;
  double copies_ns = 0;              ///< estimated time of the copies and sets
  std::uint64_t bytes_put_last = 0;  ///< as in CallOutcome
  /// the timed case lists each launch; any other case has one record with the summed counters, because a
  /// submission may make 50 000 launches in each case
  std::vector<LaunchRecord> launches;
  std::vector<RuleDeed> deeds;    ///< by rule, the first launch
  std::vector<BlockSize> blocks;  ///< the different ones, at most 64
  std::uint64_t peak_bytes = 0;   ///< the most that the submission had allocated at once
  std::uint64_t threads = 0;      ///< most of one kernel, all its launches together
  std::uint64_t fingerprint = 0;  ///< hash of the outputs' bits, if requested and the call returned
  bool followed = false;          ///< the provenance of the results was tracked (grading/run/followed_case.h)
  sim::Provenance origins;        ///< provenance of the results; known in the tracked case

  /// Of the outputs, what a right call must write.
  [[nodiscard]] std::uint64_t bytes_to_write() const { return output_bytes - free_bytes; }
};

struct VersionEvidence {
  std::string name;
  /// Accepted: the version was run; otherwise CompileError, Missing, NotGraded or RuleViolation
  Verdict state = Verdict::Accepted;
  Messages message, advice;  ///< unless Accepted
  Location where;
  std::vector<CaseEvidence> cases;  ///< in the order of the lab, the timed case last
  /// launches of the reference's same version on the timed case; empty: not timed
  std::vector<LaunchRecord> reference_launches;
  double reference_copies_ns = 0;
  std::optional<Measurement> measured;  ///< on a GPU; without one times are estimated from the launches
  std::vector<Messages> notes;
};

}  // namespace cudalabs
