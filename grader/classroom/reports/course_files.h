#pragma once
// The files of the course that submissions are compared with.

#include <string>
#include <vector>

#include "grader/course/course.h"

namespace cudalabs {

struct CourseFiles {
  std::string reference;  ///< of the reference solution; empty where the course has none here
  std::string stub;
  std::string contract;

  [[nodiscard]] std::vector<std::string_view> handed_out() const { return {stub, contract}; }
};

/// A file that cannot be read is left empty: reports can do without.
CourseFiles course_files(const Course& course, const std::string& lab, const std::string& variant);

}  // namespace cudalabs
