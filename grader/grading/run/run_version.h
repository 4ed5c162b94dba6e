#pragma once
// Runs the versions of one built submission on a device, case by case, and records what happened. Student
// code runs only in the submission process. Whatever happens to that process, the next case starts in a
// working one.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/course/lab.h"
#include "grader/device/client/device_process.h"
#include "grader/grading/compare/case_store.h"
#include "grader/grading/compare/inputs.h"
#include "grader/grading/compare/oracle.h"
#include "grader/grading/run/budget.h"
#include "grader/grading/run/case_buffers.h"
#include "grader/grading/run/verdict.h"
#include "grader/grading/score/evidence.h"
#include "grader/submission/submission_process.h"

namespace cudalabs {

/// The state that all versions of a run share. `device` is replaced when the device process is lost.
struct RunContext {
  const Lab& lab;
  const Oracle& oracle;
  std::uint64_t seed = 0;
  DeviceOptions device_options;
  std::unique_ptr<DeviceProcess> device;
  const std::atomic<bool>* cancel = nullptr;  ///< set: stop as soon as possible
  std::shared_ptr<Budget> budget;             ///< of the submission on all devices; null: unlimited
  /// A program that is known to start, built in the same place as submissions. It distinguishes a machine
  /// that starts no program from a submission that does not start. May be empty.
  std::function<Result<std::filesystem::path>()> control;
  bool fingerprints = false;  ///< compute fingerprints of the answers, to compare devices
  std::shared_ptr<CaseStore> cases = std::make_shared<CaseStore>(0);  ///< never null

  [[nodiscard]] bool cancelled() const { return cancel != nullptr && cancel->load(); }
  /// Starts another device process in place of a lost one.
  Result<void> replace_device();
};

/// The time limit of one call on an idle machine.
inline std::chrono::milliseconds call_timeout(const Lab& lab) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(lab.limits.call_seconds * 1000));
}

/// Returns whether too many cases contradict `mistake`: they have the same sizes as a case whose guess is
/// this mistake, but their answer is wrong in another way.
using SizesOf = std::function<const std::vector<std::pair<std::string, std::int64_t>>&(std::size_t)>;
bool differs_among_alike(const Message& mistake, const std::vector<CaseEvidence>& cases,
                         const SizesOf& sizes);

class VersionRunner {
 public:
  VersionRunner(RunContext& context, std::filesystem::path executable, std::size_t version_index);
  ~VersionRunner();

  /// Runs all cases from small to large. The evidence is in the lab's order, with the timed case last. An
  /// error means that the grader or its device failed, not the submission.
  Result<VersionEvidence> run_all();

  /// Runs only the timed case, without checkers (for the reference solution).
  Result<CaseEvidence> run_timed();

 private:
  Result<CaseEvidence> run_case(std::size_t index, std::chrono::milliseconds timeout, CallMode mode);
  /// A failure that need not be the submission's doing: it is tried once more on a fresh device.
  using TransientFailure = std::optional<Messages>;
  Result<TransientFailure> try_case(std::size_t index, std::chrono::milliseconds timeout, CallMode mode,
                                    const CaseData& data, CaseEvidence& evidence);
  [[nodiscard]] CaseEvidence blank(std::size_t index, CallMode mode, const CaseData& data) const;
  Result<void> start_session();
  /// A submission's program that did not become ready. An Error instead means that it could not be started at
  /// all.
  struct FailedStart {
    Messages why;
    bool doubtful = true;    ///< the machine may have failed
    bool timed_out = false;  ///< the grader ended it, and nobody else
  };
  Result<std::optional<FailedStart>> start(const std::filesystem::path& program);
  Result<void> machine_starts_programs();
  Result<void> device_holds(const TestCase& test, const CaseData& data);
  void end_session();
  void keep_printed(const SubmissionEnd& end);
  /// Returns a trouble if another process killed the submission.
  TransientFailure judge_end(const CallOutcome& outcome, std::chrono::milliseconds timeout,
                             CaseEvidence& evidence);
  /// Replaces the guess of `answer` by what is certain about its sums, if anything is.
  Result<void> explain_sum(const TestCase& test, const CaseData& data, const CaseBuffers& buffers,
                           const CallOutcome& outcome, CaseAnswer& answer);
  /// Does the same for copies that were too short.
  void explain_copies(const TestCase& test, const CallOutcome& outcome, CaseAnswer& answer) const;
  /// Checks whether each call leaves more memory allocated than the one before.
  void look_for_leak(std::size_t index, const CallOutcome& outcome);
  /// Drops guesses that fit only tiny cases although other cases are wrong too, and usual mistakes that other
  /// cases do not confirm.
  void drop_odd_guesses(std::vector<CaseEvidence>& cases) const;
  /// Would this usual mistake have given another answer in as many of the cases that say nothing of it?
  [[nodiscard]] bool is_refuted(const Message& mistake, std::size_t enough,
                                const std::vector<CaseEvidence>& cases) const;
  /// Explains answers that were divided by a constant instead of by the size.
  void explain_by_divisor(std::vector<CaseEvidence>& cases) const;
  /// The case's device buffers, filled with its inputs and poison.
  Result<CaseBuffers> arrays(const TestCase& test, const CaseData& data);
  /// Returns whether this case runs with blocks and warps in reverse order. Large ones do, except the timed
  /// one.
  [[nodiscard]] bool in_reverse(std::size_t index) const;
  /// Only the first case is a program's first call. Data kept from that call could make a later answer right
  /// or wrong depending on the order that the seed chose. When the program must be restarted, the grader
  /// therefore calls an earlier case before this one.
  Result<void> call_before(const std::vector<std::size_t>& order, std::size_t index,
                           const std::vector<CaseEvidence>& cases);
  /// Repeats a case in the usual order if its answer was wrong in reverse order.
  Result<void> explain_by_order(std::size_t index, CaseEvidence& evidence);
  /// Handles wrong answers of which most have no known reason. It calls the smallest of them alone in a new
  /// process and compares it with the cases that are smaller still. `order`: the order in which the cases
  /// ran.
  Result<void> explain_by_the_others(const std::vector<std::size_t>& order, std::vector<CaseEvidence>& cases);
  /// Does the same with the provenance of a small case in `wrong`: which elements never reached the results,
  /// or reached them too often. Returns whether it found a reason.
  Result<bool> explain_by_origins(const std::vector<std::size_t>& wrong, std::vector<CaseEvidence>& cases);
  /// Returns whether the budget allows one more call.
  [[nodiscard]] bool has_time() const;
  /// If another case has an error that is independent of the answer, runs the checks that the timed case
  /// otherwise skips: those for blocks that communicate through global memory.
  Result<void> look_closer(std::vector<CaseEvidence>& cases);
  /// If the case that was tracked is wrong, tracks the provenance of another one.
  Result<void> follow_another(std::vector<CaseEvidence>& cases);
  /// If the host may have worked on the input, replays the device's operations of this call for another
  /// input, without the program, which cannot know about it.
  TransientFailure repeat_without_host(std::size_t index, const CallOutcome& outcome, CaseBuffers& buffers,
                                       CaseEvidence& evidence);
  [[nodiscard]] const TestCase& test_case(std::size_t index) const;

  RunContext& context_;
  std::filesystem::path executable_;
  std::size_t version_index_;
  std::unique_ptr<SubmissionProcess> process_;  ///< null: there is no session
  /// Why the submission never became ready; Accepted if it did.
  Verdict start_verdict_ = Verdict::Accepted;
  Messages start_message_, start_advice_;
  std::optional<std::size_t> followed_;  ///< the case in which it is looked at what results are made of
  std::uint64_t allocations_ = 0;        ///< that this process has not freed
  std::size_t leaks_ = 0;                ///< calls of it that left more of them
  /// The arrays of the last call, and its sizes: the next one of the same has them, too. What was made of an
  /// array must not be kept until its address changes.
  std::optional<std::pair<std::vector<std::pair<std::string, std::int64_t>>, CaseBuffers>> kept_;
  CaseOutputs left_;              ///< outputs of this process's last call; empty: there was none
  bool ended_by_others_ = false;  ///< someone else ended the program that ended last
  bool forward_ = false;          ///< this case also runs in the usual order
  bool closer_ = false;           ///< the timed case is not timed in this call
  std::string printed_;           ///< by the program, its first bytes
  struct KnownNote {
    Messages text, advice;       ///< as in Note
    std::size_t first_case = 0;  ///< that had it, in the lab's order
  };
  std::map<NoteKey, KnownNote> notes_;
};

}  // namespace cudalabs
