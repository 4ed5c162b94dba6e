#pragma once
// What all gradings of one lab variant share: the compilers, the oracle, the reference solution and the
// figures that submissions are compared with. Each is found when it is first asked for, and kept.
//
// The simulator that the reference solution runs on is kept too. A submission gets a device process of its
// own, which ends with its grading: starting one takes milliseconds, and nothing that a submission did to it
// (a place that it freed, answers that lie in a card's memory, a bug that it found) is there for the next.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/check/case_store.h"
#include "grader/check/oracle.h"
#include "grader/compile/compile.h"
#include "grader/config/device_profile.h"
#include "grader/config/lab.h"
#include "grader/device/handle/device_process.h"
#include "grader/grade/reference_figures.h"
#include "grader/run/run_version.h"
#include "grader/score/result.h"
#include "grader/submission/locate.h"
#include "grader/support/result.h"

namespace cudalabs {

struct BenchOptions {
  DeviceChoice device = DeviceChoice::Simulator;
  NamedProfile profile;                       ///< the card whose times the simulator estimates
  const std::atomic<bool>* cancel = nullptr;  ///< set: stop and clean up
  CompilerChoice compiler = CompilerChoice::Auto;
  /// Memory for cases that the next grading with the same seed finds made. Of use to
  /// who grades many with one.
  std::size_t kept_case_bytes = 0;
  sim::Engine engine = sim::Engine::Auto;
};

/// What is going on, a line at a time, for stderr.
using Progress = std::function<void(std::string_view line)>;

/// Not thread-safe: one grading at a time. Errors of open() are the user's to repair (exit status 2); those
/// of the other members mean that the grader could not grade (exit status 3).
class Bench {
 public:
  /// Errors: no such lab or variant, or what is wrong in its file and where.
  static Result<std::unique_ptr<Bench>> open(const Course& course, std::string_view lab,
                                             std::string_view variant, BenchOptions options);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  [[nodiscard]] const Lab& lab() const { return lab_; }
  [[nodiscard]] const BenchOptions& options() const { return options_; }
  [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

  Result<BuildOutcome> build(const Submission& submission);
  /// What it builds with: the submission and the reference.
  Result<CompilerName> compiler();
  Result<const Oracle*> oracle();

  enum class Purpose : std::uint8_t { Checkers, AccessMap };
  /// A simulator for one submission: it judges answers and structure wherever the times come from. `lab`,
  /// which must outlive it, is lab() or a copy of it with another timed case or other limits.
  Result<RunContext> simulator(const Lab& lab, std::uint64_t seed, Purpose purpose);
  /// The card, for one submission. It has no device where `choice` comes to the simulator. `tool`:
  /// DeviceOptions::tool.
  Result<RunContext> card(const Lab& lab, std::uint64_t seed, DeviceChoice choice,
                          std::vector<std::string> tool, const Progress& progress);

  /// What a submission's times stand beside. The reference runs on data of its own, whatever the seed.
  struct Reference {
    std::filesystem::path executable;
    ReferenceFigures figures;
  };
  Result<Reference> reference(std::size_t version, const Progress& progress);

 private:
  struct Tools {
    BuildTools build;
    std::filesystem::path oracles;  ///< where compiled oracles are kept
  };
  Bench(Course course, Lab lab, BenchOptions options)
      : course_(std::move(course)),
        lab_(std::move(lab)),
        options_(std::move(options)),
        cases_(std::make_shared<CaseStore>(options_.kept_case_bytes)) {}
  Result<const Tools*> tools();
  Result<void> build_reference();
  Result<std::filesystem::path> control_program();
  Result<ReferenceFigures> time_reference(std::size_t version);

  Course course_;
  Lab lab_;
  BenchOptions options_;
  std::shared_ptr<CaseStore> cases_;
  std::optional<Tools> tools_;
  std::optional<Oracle> oracle_;
  std::optional<BuildOutcome> reference_;
  std::optional<RunContext> reference_simulator_;
  std::vector<std::optional<ReferenceFigures>> figures_;  ///< by version
  double cpu_ms_ = 0;                                     ///< 0: not measured yet
};

/// A seed that nobody can foretell.
Result<std::uint64_t> fresh_seed();

}  // namespace cudalabs
