#pragma once
// The state that all gradings of one lab variant share: the compilers, the oracle, the reference solution and
// the figures that submissions are compared with. Each is loaded on first use and then kept.
//
// The simulator of the reference solution is kept too. Each submission gets its own device process, which
// ends with its grading. Starting a process takes milliseconds. Nothing that a submission does to it (freed
// memory, answers left in device memory, an exploited bug) can then affect the next one.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/device_profile.h"
#include "grader/course/lab.h"
#include "grader/device/client/device_process.h"
#include "grader/diagnostics/own_words.h"
#include "grader/grading/cases/case_store.h"
#include "grader/grading/cases/oracle.h"
#include "grader/grading/reference_figures.h"
#include "grader/grading/run/run_version.h"
#include "grader/grading/score/result.h"
#include "grader/submission/locate.h"
#include "grader/toolchain/compile.h"

namespace cudalabs {

struct BenchOptions {
  DeviceChoice device = DeviceChoice::Simulator;
  NamedProfile profile;                       ///< the GPU whose times the simulator estimates
  const std::atomic<bool>* cancel = nullptr;  ///< set: stop and clean up
  CompilerChoice compiler = CompilerChoice::Auto;
  /// Memory for cases that later gradings with the same seed can reuse. Useful for grading many submissions
  /// with one seed.
  std::size_t kept_case_bytes = 0;
  sim::Engine engine = sim::Engine::Auto;
  /// Runs the versions of a submission at once, each on a device process of its own. For one user who waits;
  /// a class keeps all processors busy anyway.
  bool versions_at_once = false;
};

/// Receives progress messages, one line at a time, for stderr.
using Progress = std::function<void(const Message& line)>;

/// Not thread-safe: one grading at a time. Its simulators may run side by side. The user can repair errors of
/// open() (exit status 2). Errors of the other members mean that the grader could not grade (exit status 3).
class GradingContext {
 public:
  /// Errors: no such lab or variant, or an error in the lab's file with its location.
  static Result<std::unique_ptr<GradingContext>> open(const Course& course, std::string_view lab,
                                                      std::string_view variant, BenchOptions options);
  GradingContext(const GradingContext&) = delete;
  GradingContext& operator=(const GradingContext&) = delete;

  [[nodiscard]] const Course& course() const { return course_; }
  [[nodiscard]] const Lab& lab() const { return lab_; }
  [[nodiscard]] const BenchOptions& options() const { return options_; }
  [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

  Result<BuildOutcome> build(const Submission& submission);
  /// The compiler of the submission and the reference.
  Result<CompilerName> compiler();
  Result<const Oracle*> oracle();

  /// The cases of one seed. `lab` must outlive them; it is lab() or a copy of it.
  Result<CaseContext> cases(const Lab& lab, std::uint64_t seed);

  enum class Purpose : std::uint8_t { Checkers, AccessMap };
  /// A simulator for one submission. It judges answers and structure, even if times are measured on a GPU.
  /// `lab` must outlive it; it is lab() or a copy with another timed case or other limits.
  Result<RunContext> simulator(const Lab& lab, std::uint64_t seed, Purpose purpose);
  /// The GPU for one submission. There is no device if `choice` selects the simulator. `tool`:
  /// DeviceOptions::tool.
  Result<RunContext> card(const Lab& lab, std::uint64_t seed, DeviceChoice choice,
                          std::vector<std::string> tool, const Progress& progress);

  /// The reference that a submission's times are compared with. It runs on its own data, independent of the
  /// seed.
  struct Reference {
    std::filesystem::path executable;  ///< empty in the students' edition
    ReferenceFigures figures;
  };
  Result<Reference> reference(std::size_t version, const Progress& progress);

 private:
  struct Tools {
    BuildTools build;
    std::filesystem::path oracles;  ///< folder of compiled oracles
  };
  GradingContext(Course course, Lab lab, BenchOptions options)
      : course_(std::move(course)),
        lab_(std::move(lab)),
        words_(lab_.own_words),
        options_(std::move(options)),
        cases_(std::make_shared<CaseStore>(options_.kept_case_bytes)) {}
  Result<const Tools*> tools();
  Result<void> build_reference();
  Result<std::filesystem::path> control_program();
  /// Gives a context what it needs of the compilers.
  void lend_tools(RunContext& context);
  Result<ReferenceFigures> time_reference(std::size_t version);
  [[nodiscard]] bool is_students_edition() const { return lab_.reference.empty(); }
  Result<Reference> given_reference(std::size_t version);

  Course course_;
  Lab lab_;
  Rewording words_;  ///< while the lab's submissions are graded and reported
  BenchOptions options_;
  std::shared_ptr<CaseStore> cases_;
  std::optional<Tools> tools_;
  std::optional<Oracle> oracle_;
  std::optional<BuildOutcome> reference_;
  std::optional<GivenFigures> given_;  ///< in the students' edition
  std::optional<RunContext> reference_simulator_;
  std::mutex control_mutex_;
  std::vector<std::optional<ReferenceFigures>> figures_;  ///< by version
  double cpu_ms_ = 0;                                     ///< 0: not measured yet
};

}  // namespace cudalabs
