#pragma once
// Runs the cases of one version of a built submission on a device, and records what happened. Student code
// runs only in the submission process. Whatever happens to that process, the next case starts in a working
// one.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/base/process/memory_kills.h"
#include "grader/course/lab.h"
#include "grader/device/client/device_process.h"
#include "grader/grading/compare/case_store.h"
#include "grader/grading/compare/oracle.h"
#include "grader/grading/run/budget.h"
#include "grader/grading/run/case_buffers.h"
#include "grader/grading/run/case_runner.h"

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
  /// The timed case stands behind the others.
  [[nodiscard]] const TestCase& test_case(std::size_t index) const {
    return index < lab.cases.size() ? lab.cases[index] : lab.timed;
  }
  [[nodiscard]] CaseKey key_of(std::size_t index, std::size_t version, std::uint32_t repetition = 0) const {
    return {seed, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(version), repetition};
  }
  [[nodiscard]] std::shared_ptr<const CaseData> data_of(std::size_t index, std::size_t version) const {
    return cases->make(lab, oracle, test_case(index), key_of(index, version));
  }
  /// Starts another device process in place of a lost one.
  Result<void> replace_device();
};

/// The time limit of one call on an idle machine.
inline std::chrono::milliseconds call_timeout(const Lab& lab) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(lab.limits.call_seconds * 1000));
}

/// Returns whether this case runs with blocks and warps in reverse order. Large ones do, except the timed
/// one.
bool runs_in_reverse(const Lab& lab, std::size_t index);

class VersionRunner : public CaseRunner {
 public:
  VersionRunner(RunContext& context, std::filesystem::path executable, std::size_t version_index);
  ~VersionRunner() override;

  Result<Observation> run(const CaseRequest& request, int attempt) override;
  Result<Repetition> repeat_without_host() override;
  void end_session() override;
  std::string printed() override { return printed_; }
  std::chrono::milliseconds budget_left() override;
  std::chrono::milliseconds now() override;

 private:
  /// What need not be the submission's doing: it is tried once more on a fresh device.
  using TransientFailure = std::optional<Messages>;
  Result<TransientFailure> try_case(Observation& seen);
  Result<void> start_session(Observation& seen);
  struct NotReady {
    FailedStart start;
    bool doubtful = true;  ///< the machine may have failed
  };
  /// An Error means that the program could not be started at all.
  Result<std::optional<NotReady>> start(const std::filesystem::path& program);
  Result<void> machine_starts_programs();
  Result<void> device_holds(const TestCase& test, const CaseData& data);
  /// Replaces the device after a trouble. After the second one an Error says so if another program or the
  /// machine is to blame.
  Result<void> recover(const Messages& trouble, int attempt, std::size_t index, const CaseData& data);
  void keep_printed(const SubmissionEnd& end);
  /// Ends a session whose call left no results. Returns a trouble if another process killed the submission.
  TransientFailure end_call(Observation& seen);
  Repetition repeat();
  /// The case's device buffers, filled with its inputs and poison.
  Result<CaseBuffers> arrays(const TestCase& test, const CaseData& data);
  void forget_recording();

  RunContext& context_;
  std::filesystem::path executable_;
  std::size_t version_index_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::unique_ptr<SubmissionProcess> process_;  ///< null: there is no session
  /// The arrays of the last call, and its sizes: the next one of the same has them, too. What was made of an
  /// array must not be kept until its address changes.
  std::optional<std::pair<std::vector<std::pair<std::string, std::int64_t>>, CaseBuffers>> kept_;
  bool ended_by_others_ = false;      ///< someone else ended the program that ended last
  std::string printed_;               ///< by the program, its first bytes
  std::optional<MemoryKills> kills_;  ///< since this attempt began
  // Of the last run:
  std::uint32_t recording_ = 0;  ///< 0: there is none
  std::size_t last_index_ = 0;
  int last_attempt_ = 0;
  std::shared_ptr<const CaseData> last_data_;
};

}  // namespace cudalabs
