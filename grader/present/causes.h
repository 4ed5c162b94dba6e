#pragma once
// What went wrong, one cause a paragraph: a bug fails many cases, of several versions, and hides what can
// only be judged without it.

#include <string>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

/// Points into the result.
struct Cause {
  struct Share {
    const VersionResult* version = nullptr;
    int failed = 0;  ///< cases that fail by this cause
  };

  /// Equal for one cause in two gradings. Values, sizes and numbers of cases, which differ from one to the
  /// next, are no part of it.
  std::string key;
  const LostPoints* lost = nullptr;      ///< of the first version
  const CaseFailure* failure = nullptr;  ///< the case that `lost` tells of; null: it tells of none
  std::vector<Share> shares;             ///< by version; one for each if there is no failure
  std::vector<Location> places;          ///< each line once
  std::vector<std::string> parts;        ///< of the points
  double points = 0;                     ///< of all versions
  Message judged_later;                  ///< what can be judged only without the cause; may be empty
  /// Other failures of the same versions, one for each cause, that no loss tells of.
  std::vector<const CaseFailure*> beside;

  [[nodiscard]] std::string version_names() const;
  [[nodiscard]] std::string part_words() const;  ///< "correctness, speed", translated
  /// What is wrong, with the values of one case.
  [[nodiscard]] Messages reason() const;
  /// What is wrong, in one message and if possible without values.
  [[nodiscard]] Message summary() const;
  /// "26 of 27 cases of one, two fail; the one shown is n=1000"; empty if there is no failure.
  [[nodiscard]] Messages extent() const;
};

/// "structure: bank conflict free" for LostPoints::part "structure.bank_conflict_free", translated.
std::string words_of_part(std::string_view part);

/// All losses of the result, what to mend first in front. Pending versions are left out.
std::vector<Cause> causes_of(const std::vector<VersionResult>& versions);
std::vector<Cause> causes_of(const GradeResult& result);

}  // namespace cudalabs
