#include "grader/classroom/reports/course_files.h"

#include "grader/submission/locate.h"

namespace cudalabs {

CourseFiles course_files(const Course& course, const std::string& lab, const std::string& variant) {
  CourseFiles files;
  const auto loaded = load_lab(course, lab, variant);
  if (!loaded) return files;
  const auto read = [](const std::filesystem::path& file, std::string& into) {
    if (auto content = read_file(file, kMaxSourceBytes)) into = std::move(*content);
  };
  read(loaded->reference, files.reference);
  read(loaded->stub, files.stub);
  read(loaded->contract, files.contract);
  return files;
}

}  // namespace cudalabs
