#pragma once
// Groups the lost points so that reports give each reason once.

#include <string>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

/// All losses for one reason. For example, every version loses points for a compile error. Points into the
/// result.
struct Loss {
  const LostPoints* first = nullptr;
  const VersionResult* version = nullptr;    ///< the version of `first`
  std::vector<std::string> versions, parts;  ///< all that lost points for this reason
  double points = 0;                         ///< sum over all versions
  bool wrong = false;                        ///< the answer is wrong, not only slow or of another structure

  /// "global, shared"
  [[nodiscard]] std::string version_names() const;
};

/// Adds a part of the points, if it is not there.
void add_part(std::vector<std::string>& parts, const std::string& part);

/// In the order of the result. Pending versions are left out.
std::vector<Loss> losses_of(const GradeResult& result);

/// A criterion, and what each version that was judged by it made of it.
struct CriterionRow {
  std::vector<std::pair<const VersionResult*, const CriterionResult*>> versions;

  [[nodiscard]] const Titles& titles() const { return versions.front().second->titles; }
  [[nodiscard]] const CriterionResult* of(const VersionResult& version) const;  ///< null: not judged by it
  [[nodiscard]] bool missed() const;                                            ///< by any version
  [[nodiscard]] bool needed() const { return versions.front().second->needed; }
  [[nodiscard]] bool bonus() const { return versions.front().second->bonus; }
};

/// In the order of the lab. Points into the result.
std::vector<CriterionRow> criteria_of(const GradeResult& result);

/// What a reason comes down to: its first message, or that which stands for its parameter `why`, and so on.
/// "4 of 22 cases failed; the first is rows=31: the whole output is zero" is about the output.
const Message& cause_of(const Messages& reason);

/// The failed cases except the one that `told` names, in the order of the lab. If `told` is null or names no
/// case, the first is left out.
std::vector<const CaseFailure*> failures_beside(const LostPoints* told, const CorrectnessResult& correctness);

}  // namespace cudalabs
