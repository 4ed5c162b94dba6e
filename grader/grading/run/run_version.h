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
#include "grader/device/client/device_process.h"
#include "grader/grading/cases/case_context.h"
#include "grader/grading/observation/case_runner.h"
#include "grader/grading/run/budget.h"
#include "grader/grading/run/case_buffers.h"

namespace cudalabs {

/// The state that all versions of a run share. `device` is replaced when the device process is lost, and
/// between a hidden case and any other.
struct RunContext : CaseContext {
  DeviceOptions device_options{};
  std::unique_ptr<DeviceProcess> device{};
  const std::atomic<bool>* cancel = nullptr;  ///< set: stop as soon as possible
  std::shared_ptr<Budget> budget{};           ///< of the submission on all devices; null: unlimited
  /// A program that is known to start, built in the same place as submissions. It distinguishes a machine
  /// that starts no program from a submission that does not start. May be empty.
  std::function<Result<std::filesystem::path>()> control{};
  /// Finds the source lines of the host's calls that failed or raced, in a program of this context. May be
  /// empty.
  std::function<void(CallOutcome& outcome, const std::filesystem::path& executable)> place_calls{};

  bool ran_hidden = false;  ///< `device` has run a hidden case

  [[nodiscard]] bool cancelled() const { return cancel != nullptr && cancel->load(); }
  /// Starts another device process in place of a lost one.
  Result<void> replace_device();
};

class VersionRunner : public CaseRunner {
 public:
  VersionRunner(RunContext& context, std::filesystem::path executable, std::size_t version_index);
  ~VersionRunner() override;

  Result<Observation> run(const CaseRequest& request, int attempt) override;
  Result<Repetition> repeat_without_host() override;
  void end_session() override { end_session(Printed::Kept); }
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
  enum class Printed { Kept, Dropped };
  void end_session(Printed printed);
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
