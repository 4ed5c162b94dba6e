#pragma once
// Runs the versions of one built submission on a device, case by case, and writes down what happened. Student
// code runs only in the submission process; whatever becomes of it, the next case gets an honest chance.

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

#include "grader/check/case_store.h"
#include "grader/check/inputs.h"
#include "grader/check/oracle.h"
#include "grader/config/lab.h"
#include "grader/device/handle/device_process.h"
#include "grader/run/budget.h"
#include "grader/run/case_buffers.h"
#include "grader/score/evidence.h"
#include "grader/submission/submission_process.h"

namespace cudalabs {

/// What all versions of a run share. `device` is replaced when the device process is lost.
struct RunContext {
  const Lab& lab;
  const Oracle& oracle;
  std::uint64_t seed = 0;
  DeviceOptions device_options;
  std::unique_ptr<DeviceProcess> device;
  const std::atomic<bool>* cancel = nullptr;  ///< set: stop as soon as possible
  std::shared_ptr<Budget> budget;             ///< of the submission, on all devices; null: no bound
  /// A program that is known to start, built where submissions are: for telling a machine that starts none
  /// from a submission that does not. May be empty.
  std::function<Result<std::filesystem::path>()> control;
  bool fingerprints = false;  ///< of answers are wanted: for who compares devices
  std::shared_ptr<CaseStore> cases = std::make_shared<CaseStore>(0);  ///< never null

  [[nodiscard]] bool cancelled() const { return cancel != nullptr && cancel->load(); }
  /// Starts another device process in place of one that is lost.
  Result<void> replace_device();
};

/// Of one call, on an idle machine.
inline std::chrono::milliseconds call_timeout(const Lab& lab) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(lab.limits.call_seconds * 1000));
}

/// Is the answer wrong in another way than this usual mistake's in too many of the cases that have the sizes
/// of one that says it?
using SizesOf = std::function<const std::vector<std::pair<std::string, std::int64_t>>&(std::size_t)>;
bool differs_among_alike(const Message& mistake, const std::vector<CaseEvidence>& cases,
                         const SizesOf& sizes);

class VersionRunner {
 public:
  VersionRunner(RunContext& context, std::filesystem::path executable, std::size_t version_index);
  ~VersionRunner();

  /// All cases, from small to large; the evidence is in the lab's order, the timed case last.
  /// An error means that the grader or its device failed, not the submission.
  Result<VersionEvidence> run_all();

  /// Only the timed case (the reference solution), which no checker watches.
  Result<CaseEvidence> run_timed();

 private:
  Result<CaseEvidence> run_case(std::size_t index, std::chrono::milliseconds timeout, CallMode mode);
  /// A failure that need not be the submission's doing: it is tried once more on a fresh device.
  using Trouble = std::optional<Messages>;
  Result<Trouble> try_case(std::size_t index, std::chrono::milliseconds timeout, CallMode mode,
                           const CaseData& data, CaseEvidence& evidence);
  [[nodiscard]] CaseEvidence blank(std::size_t index, CallMode mode, const CaseData& data) const;
  Result<void> start_session();
  /// The submission's program, and whether it became ready. Error: it could not be started at all.
  struct FailedStart {
    Messages why;
    bool doubtful = true;    ///< the machine may have failed
    bool timed_out = false;  ///< ended by us, and by nobody else
  };
  Result<std::optional<FailedStart>> start(const std::filesystem::path& program);
  Result<void> machine_starts_programs();
  Result<void> device_holds(const TestCase& test, const CaseData& data);
  void end_session();
  void keep_printed(const SubmissionEnd& end);
  /// Trouble: somebody else killed it.
  Trouble judge_end(const CallOutcome& outcome, std::chrono::milliseconds timeout, CaseEvidence& evidence);
  /// What is certain about sums beside what the values look like: it becomes the guess of `answer`.
  Result<void> explain_sum(const TestCase& test, const CaseData& data, const CaseBuffers& buffers,
                           const CallOutcome& outcome, CaseAnswer& answer);
  /// The same of copies that were too short.
  void explain_copies(const TestCase& test, const CallOutcome& outcome, CaseAnswer& answer) const;
  /// Does each call leave more memory than the one before?
  void look_for_leak(std::size_t index, const CallOutcome& outcome);
  /// A guess that fits tiny cases alone, where others are wrong too, is no explanation, nor is a usual
  /// mistake that others do not show.
  void drop_odd_guesses(std::vector<CaseEvidence>& cases) const;
  /// Would this usual mistake have given another answer in as many of the cases that say nothing of it?
  [[nodiscard]] bool is_refuted(const Message& mistake, std::size_t enough,
                                const std::vector<CaseEvidence>& cases) const;
  /// A division by one number, whatever the size is that it should be by.
  void explain_by_divisor(std::vector<CaseEvidence>& cases) const;
  /// Filled for this case.
  Result<CaseBuffers> arrays(const TestCase& test, const CaseData& data);
  /// Is this case run with blocks and warps in reverse order? Large ones are, but for the timed one.
  [[nodiscard]] bool in_reverse(std::size_t index) const;
  /// No case but the first one is a program's first call: what is kept from there would make it right, or
  /// wrong, by where the seed has put it. Where the program is to be started anew, an earlier case is
  /// called before.
  Result<void> call_before(const std::vector<std::size_t>& order, std::size_t index,
                           const std::vector<CaseEvidence>& cases);
  /// A wrong answer in reverse order is asked for in the usual one.
  Result<void> explain_by_order(std::size_t index, CaseEvidence& evidence);
  /// Wrong answers most of which say no reason: the smallest of these (`order`: as they ran) is called
  /// alone, in a process of its own, and compared with those that are smaller yet.
  Result<void> explain_by_the_others(const std::vector<std::size_t>& order, std::vector<CaseEvidence>& cases);
  /// The same, by what the results of a small one of `wrong` are made of: which elements never came into
  /// them, or too often. Was that seen?
  Result<bool> explain_by_origins(const std::vector<std::size_t>& wrong, std::vector<CaseEvidence>& cases);
  /// Is enough of the budget left for one more call?
  [[nodiscard]] bool has_time() const;
  /// Where another case has what is wrong whatever comes out, the timed one is asked for what only the others
  /// are: blocks that meet in global memory.
  Result<void> look_closer(std::vector<CaseEvidence>& cases);
  /// Where the case that was followed is not right, what results are made of is looked up in another one.
  Result<void> follow_another(std::vector<CaseEvidence>& cases);
  /// Where the host could have worked on the input: what the device did in this call is done again for
  /// another one, without the program, which cannot know.
  Trouble repeat_without_host(std::size_t index, const CallOutcome& outcome, CaseBuffers& buffers,
                              CaseEvidence& evidence);
  [[nodiscard]] const TestCase& test_case(std::size_t index) const;

  RunContext& context_;
  std::filesystem::path executable_;
  std::size_t version_index_;
  std::unique_ptr<SubmissionProcess> process_;  ///< null: no session
  /// Why the submission never became ready; empty while it does.
  Verdict start_verdict_ = Verdict::Accepted;
  Messages start_message_, start_advice_;
  std::optional<std::size_t> followed_;  ///< the case in which it is looked at what results are made of
  std::uint64_t allocations_ = 0;        ///< that this process has not freed
  std::size_t leaks_ = 0;                ///< calls of it that left more of them
  /// The arrays of the last call, and its sizes: the next one of the same has them, too. What was made of an
  /// array must not be kept until its address changes.
  std::optional<std::pair<std::vector<std::pair<std::string, std::int64_t>>, CaseBuffers>> kept_;
  CaseOutputs left_;              ///< by the last call of this process; empty: there was none
  bool ended_by_others_ = false;  ///< the program that ended last, and not by its own doing
  bool forward_ = false;          ///< this case is run in the usual order, too
  bool closer_ = false;           ///< the timed case is not timed in this call
  std::string printed_;           ///< by the program, its first bytes
  /// By what they are about: the text, and the first case, in the lab's order, that had it.
  std::map<std::string, std::pair<Messages, std::size_t>> notes_;
};

}  // namespace cudalabs
