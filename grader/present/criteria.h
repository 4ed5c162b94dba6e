#pragma once
// Everything that a version is judged by, as one list: what its cases test, its structure, its speed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

enum class CriterionState : std::uint8_t { Met, InPart, Missed, NotJudged };
std::string_view words_of(CriterionState state);  ///< "met", not translated

struct JudgedCriterion {
  std::string key;    ///< equal for the same criterion of another version or student
  std::string title;  ///< in the language of the reader
  CriterionState state = CriterionState::NotJudged;
  double points = 0, max_points = 0;
};

std::vector<JudgedCriterion> judged_criteria(const VersionResult& version);

}  // namespace cudalabs
