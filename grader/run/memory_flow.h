#pragma once
// Do results really flow through the memory that a version is about? The timed call is repeated on the
// simulator while some of what it loads from there is changed.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "grader/config/lab.h"
#include "grader/run/case_buffers.h"
#include "grader/score/evidence.h"

namespace cudalabs {

/// So few loads are changed that an output which depends on as many as the
/// lab asks for is all but sure to change, and one that depends on a few is
/// not: a finished result that passes through a tile last is no use of it.
class MemoryFlow {
 public:
  MemoryFlow() = default;  ///< tries nothing
  /// Tries what the version's requirements ask about: shared memory, else constant memory; of a version that
  /// asks about both, constant memory is not tried. `timed`: the bytes of the case.
  MemoryFlow(const Lab& lab, const Version& version, const TestCase& test, const CaseEvidence& timed,
             std::uint64_t seed);

  [[nodiscard]] bool wanted() const { return runs_ > 0; }

  /// Makes one call under a disturbance: what it left in the outputs, nothing if it did not survive.
  using Repeat = std::function<Result<CaseOutputs>(const sim::Disturbance&)>;
  Result<void> run(const Repeat& repeat);

  /// Beside what the undisturbed call left. None if no disturbed call survived.
  [[nodiscard]] std::optional<CaseEvidence::Flow> compare(const Lab& lab, const CaseOutputs& outputs) const;

 private:
  sim::Disturbance disturbance_;
  int runs_ = 0;
  std::vector<CaseOutputs> disturbed_;
};

}  // namespace cudalabs
