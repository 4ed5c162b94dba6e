#pragma once
// Phrases that several reports share.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/grading/score/result.h"

namespace cudalabs {

std::string verdict_words(Verdict verdict);  ///< "wrong answer"
/// The same, but "right, not as asked" where the answers are right and the version has not the structure that
/// it asks for.
std::string verdict_words(const VersionResult& version);
std::string points_of(double points, double max_points);  ///< "24.64/35"
std::string points_of(const VersionResult& version);      ///< "24.64/35", "+4/5" if it is a bonus
/// "readable code: 8 of 10 points, by hand", or that they are open. `place`: in the class.
std::string given_words(const OpenPoints& open, std::optional<double> points, std::int64_t place = 0);
std::string bonus_note(const GradeResult& result);  ///< empty: there is none
std::vector<std::string> open_notes(const GradeResult& result);
/// What stands below the sum of the points: how many are a bonus, and which ones are open.
std::vector<std::string> points_notes(const GradeResult& result);
/// "18.4 us for the whole call, 18.1 us in kernels (41 repetitions, 95 % sure within 1.1 %)"
std::string words_of(const CallTime& time);
/// "grader lab3 variant4 --compiler clang ... --seed 7"
std::string repeat_command(const GradeResult& result);

}  // namespace cudalabs
