#pragma once
// What a submission's times stand beside, kept on disk: the reference solution does the same work on the same
// data in every grading, and the simulator counts the same for it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/compile/build_cache.h"
#include "grader/config/lab.h"
#include "grader/device/wire/outcome.h"
#include "grader/simulator/cost/profile.h"
#include "grader/support/result.h"

namespace cudalabs {

struct ReferenceFigures {
  std::vector<LaunchRecord> launches;  ///< of one version, for the timed case, on the simulator
  double copies_ns = 0;                ///< of that case, estimated: copies and sets
  double cpu_ms = 0;                   ///< of the course's CPU program for that case, one thread
};

class KeptFigures {
 public:
  /// Of the program at `reference`, an entry of the build cache, for the cards of `profile`. Nothing is found
  /// that another build of the grader has left. Error: the cache cannot be used.
  static Result<KeptFigures> open(const std::filesystem::path& reference, const Lab& lab,
                                  const sim::DeviceProfile& profile);

  [[nodiscard]] std::optional<ReferenceFigures> find(std::size_t version) const;
  /// That it cannot be written costs only time.
  void keep(std::size_t version, ReferenceFigures figures) const;

 private:
  KeptFigures(BuildCache cache, std::string key) : cache_(std::move(cache)), key_(std::move(key)) {}

  BuildCache cache_;
  std::string key_;
};

}  // namespace cudalabs
