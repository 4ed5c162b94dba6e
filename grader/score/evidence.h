#pragma once
// What a run of a submission left to be judged: facts, not points. `score` turns them into a GradeResult.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/wire/outcome.h"
#include "grader/measure/measurement.h"
#include "grader/score/result.h"

namespace cudalabs {

/// One call of one entry on one test case.
struct CaseEvidence {
  std::string name;
  bool timed = false;
  bool drawn = false;      ///< its sizes are the seed's
  bool has_output = true;  ///< false: zero elements; such a case can only be spoiled, never earn points
  Verdict verdict = Verdict::NotGraded;  ///< Accepted: the answer is right; NotGraded: skipped
  Messages message, advice;              ///< for a failure
  Location where;
  /// The first one whose launch the CUDA runtime refused, where that is the failure.
  std::string refused_kernel;
  /// The call of the CUDA runtime that is the failure, and a word that stands in it.
  std::string failed_call, failed_word;
  bool fault = false;     ///< the failure is an access of a kernel out of bounds, or misaligned
  bool left_out = false;  ///< of a wrong answer: all elements that are wrong were never written
  Message guess;          ///< what the values suggest, one of the messages; none: nothing, or it was seen
  bool guess_is_usual = false;          ///< that is one of the lab's usual mistakes
  std::vector<Message> fitting;         ///< of a wrong answer: Mismatch
  double factor = 0, factor_error = 0;  ///< of a wrong answer: Mismatch
  /// Of a wrong answer: does the message say why, not only what?
  enum class Reason : std::uint8_t { None, Guessed, Seen } reason = Reason::None;
  bool watched = false;   ///< run under the checkers, with all that they see
  bool by_order = false;  ///< wrong with blocks and warps in reverse, right in the usual order
  bool unsound = false;   ///< they found what is wrong whatever came out: a race, an output read unset
  std::uint64_t input_bytes = 0, output_bytes = 0;
  std::uint64_t input_elements = 0, output_elements = 0;
  double factors = 0;  ///< of all terms that its outputs add up (Sums); 0: it adds up nothing
  std::uint64_t bytes_to_device = 0, bytes_to_host = 0;  ///< copied by the submission during the call
  std::uint64_t argument_bytes = 0;                      ///< of its launches
  /// Done again for another input, without the host: were the results right? Unknown: that cannot be done.
  enum class Repeated : std::uint8_t { NotAsked, Right, Wrong, Unknown } repeated = Repeated::NotAsked;
  double copies_ns = 0;              ///< estimated, of its copies and sets
  std::uint64_t bytes_put_last = 0;  ///< CallOutcome
  /// one by one of the timed case; of any other one record for all, with their counters: a
  /// submission may make 50 000 in each
  std::vector<LaunchRecord> launches;
  std::uint64_t fingerprint = 0;  ///< of the outputs' bits, if they are wanted and the call returned
  bool followed = false;          ///< it was asked what the results are made of (run/followed_case.h)
  sim::Origins origins;           ///< of its results; known in the case that is followed
};

struct VersionEvidence {
  std::string name;
  /// Accepted: it was run; else CompileError, Missing, NotGraded, RuleViolation
  Verdict state = Verdict::Accepted;
  Messages message, advice;  ///< unless Accepted
  Location where;
  std::vector<CaseEvidence> cases;  ///< in the order of the lab, the timed case last
  /// the reference's same version on the timed case; empty: no time
  std::vector<LaunchRecord> reference_launches;
  double reference_copies_ns = 0;
  std::optional<Measurement> measured;  ///< on a GPU; without one times are estimated from the launches
  std::vector<Messages> notes;
};

}  // namespace cudalabs
