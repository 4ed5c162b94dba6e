#pragma once
// Phrases that several reports share.

#include <string>

#include "grader/grading/score/result.h"

namespace cudalabs {

std::string verdict_words(Verdict verdict);  ///< "wrong answer"
/// The same, but "right, not as asked" where the answers are right and the version has not the structure that
/// it asks for.
std::string verdict_words(const VersionResult& version);
std::string points_of(double points, double max_points);  ///< "24.64/35"
/// "18.4 us for the whole call, 18.1 us in kernels (41 repetitions, 95 % sure within 1.1 %)"
std::string words_of(const CallTime& time);
/// "grader lab3 variant4 --compiler clang ... --seed 7"
std::string repeat_command(const GradeResult& result);

}  // namespace cudalabs
