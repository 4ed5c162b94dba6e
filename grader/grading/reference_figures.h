#pragma once
// Stores the figures that a submission's times are compared with. The reference solution does the same work
// on the same data in every grading, and the simulator gets the same counts for it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/device_profile.h"
#include "grader/course/lab.h"
#include "grader/device/protocol/outcome.h"
#include "grader/sim/timing/profile.h"
#include "grader/toolchain/build_cache.h"

namespace cudalabs {

struct ReferenceFigures {
  std::vector<LaunchRecord> launches;  ///< of one version for the timed case, on the simulator
  double copies_ns = 0;                ///< estimated time of that case's copies and sets
  double cpu_ms = 0;                   ///< time of the course's CPU program for that case, on one thread
};

class KeptFigures {
 public:
  /// Opens the figures of a reference solution for the GPUs of `profile`. `source` names everything that its
  /// program or its figures depend on. Figures that another build of the grader stored are not used. Error:
  /// the cache cannot be used.
  static Result<KeptFigures> open(const std::string& source, const Lab& lab,
                                  const sim::DeviceProfile& profile);

  [[nodiscard]] std::optional<ReferenceFigures> find(std::size_t version) const;
  /// A failed write only costs time later.
  void keep(std::size_t version, ReferenceFigures figures) const;

 private:
  KeptFigures(BuildCache cache, std::string key) : cache_(std::move(cache)), key_(std::move(key)) {}

  BuildCache cache_;
  std::string key_;
};

/// The figures in the students' edition, by version, without what a solution's lines and names would tell.
using GivenFigures = std::vector<std::optional<ReferenceFigures>>;

/// The file in lab.figures: for a profile and a compiler ("nvcc").
std::string figures_file(const NamedProfile& profile, const std::string& compiler);
std::string write_figures(GivenFigures versions, const NamedProfile& profile);

/// Error: there are no figures for this profile, by any compiler.
Result<void> check_figures(const Lab& lab, const NamedProfile& profile);

/// Errors: there are none for this profile and this compiler, or another build of the grader wrote them.
Result<GivenFigures> given_figures(const Lab& lab, const NamedProfile& profile, const std::string& compiler);

}  // namespace cudalabs
