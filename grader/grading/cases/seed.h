#pragma once
// The seed of a grading's inputs: what the command line names, else what the course's policy gives.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// An unpredictable seed.
Result<std::uint64_t> fresh_seed();

struct ChosenSeed {
  std::uint64_t value = 0;
  std::string policy;  ///< how it was chosen: a spelling of SeedPolicy, or kNamedSeed
};
inline constexpr std::string_view kNamedSeed = "named";  ///< by --seed

std::string_view spelling(SeedPolicy policy);  ///< "fresh", "fixed", "by_student"

/// The seed of a class. By student: what the students' seeds are made of, by default of the course's and the
/// lab's name, so that every machine makes the same. `slug`: "lab3/variant4". Error: no random numbers.
Result<ChosenSeed> class_seed(const Course& course, std::string_view slug,
                              std::optional<std::uint64_t> named);

/// The seed of one grading. `student`: whose submission it is; empty where nobody says, and a seed by student
/// is then a fresh one.
Result<ChosenSeed> chosen_seed_of(const Course& course, std::string_view slug,
                                  std::optional<std::uint64_t> named, std::string_view student);

/// A student's own seed. Nobody can compute from it that of the class or of another student.
std::uint64_t seed_of_student(std::uint64_t seed_of_class, std::string_view student);

}  // namespace cudalabs
