#pragma once
// What was lost, as reports tell it: each reason once.

#include <string>
#include <vector>

#include "grader/score/result.h"

namespace cudalabs {

/// Losses for one reason, told once: what a compile error costs is lost by every
/// version. Points into the result.
struct Loss {
  const LostPoints* first = nullptr;
  const VersionResult* version = nullptr;    ///< of the first
  std::vector<std::string> versions, parts;  ///< that lost for it
  double points = 0;                         ///< of all
  bool wrong = false;                        ///< not only slow or of another structure

  /// "global, shared"
  [[nodiscard]] std::string version_names() const;
};

/// In the order of the result; nothing of what is pending.
std::vector<Loss> losses_of(const GradeResult& result);

/// The cases that failed beside the one that `told` tells of, in the order of the lab. Null, or a reason that
/// names none: beside the first.
std::vector<const CaseFailure*> failures_beside(const LostPoints* told, const CorrectnessResult& correctness);

}  // namespace cudalabs
