#pragma once
// The cases of one lab for one seed: what makes their contents, and how each of them is run.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/cases/case_store.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/cases/oracle.h"

namespace cudalabs {

struct CaseContext {
  const Lab& lab;
  const Oracle& oracle;
  std::uint64_t seed = 0;
  bool tracks_provenance = true;  ///< the device can: the simulator
  bool fingerprints = false;      ///< compute fingerprints of the answers, to compare devices
  std::shared_ptr<CaseStore> cases = std::make_shared<CaseStore>(0);  ///< never null

  /// The timed case stands behind the others.
  [[nodiscard]] const TestCase& test_case(std::size_t index) const {
    return index < lab.cases.size() ? lab.cases[index] : lab.timed;
  }
  [[nodiscard]] CaseKey key_of(std::size_t index, std::size_t version, std::uint32_t repetition = 0) const {
    return {seed, lab.case_number(index), static_cast<std::uint32_t>(version), repetition};
  }
  [[nodiscard]] std::shared_ptr<const CaseData> data_of(std::size_t index, std::size_t version) const {
    return cases->make(lab, oracle, test_case(index), key_of(index, version));
  }
};

/// The time limit of one call on an idle machine.
inline std::chrono::milliseconds call_timeout(const Lab& lab) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(lab.limits.call_seconds * 1000));
}

/// Total size of all arrays, or of those of one role.
std::size_t bytes_of(const Lab& lab, const TestCase& test);
std::size_t bytes_of(const Lab& lab, const TestCase& test, ParameterRole role);

/// The checkers watch every block of small cases; they slow a launch down by an order of magnitude. In other
/// cases they watch a few blocks (sim/checkers/sampled_checkers.h).
bool is_small(const Lab& lab, const TestCase& test);

/// Returns whether this case runs with blocks and warps in reverse order. Large ones do, except the timed
/// one.
bool runs_in_reverse(const Lab& lab, std::size_t index);

/// The case in which the provenance of the results is tracked, as an index into Lab::cases: the small case
/// that has most of everything. None if there is no small case. The call would be run anyway and looks like
/// all others, so the submission cannot recognize it, and its verdict does not depend on the seed.
std::optional<std::size_t> case_to_follow(const Lab& lab);

/// All small cases that are not hidden, from the best to the worst. If the answer of the first is wrong, the
/// grader tracks another.
std::vector<std::size_t> cases_to_follow(const Lab& lab);

}  // namespace cudalabs
