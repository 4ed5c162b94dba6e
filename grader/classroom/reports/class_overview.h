#pragma once
// The contents of a class's page, from its record.

#include <map>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_folder.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/reports/course_files.h"
#include "grader/present/web/pages/class_page.h"

namespace cudalabs {

/// Two files to show side by side.
struct Comparison {
  std::string first, second;  ///< ids; `second` is empty for the reference solution
  double share = 0;
  std::string file;  ///< of the page, in the folder `similar`
};

struct ClassOverview {
  ClassPage page;
  std::vector<Comparison> comparisons;
  std::map<std::string, std::string> sources;  ///< the file of each student who is compared
};

/// How the class was graded: one value for all, or the values, with those who have them if `with_students`.
void describe_conditions(ClassPage& page, const ClassRecord& record, bool with_students);

/// `pseudonyms`: by student. Errors: the journal cannot be read, or holds a result that cannot.
Result<ClassOverview> class_overview(ClassFolder& folder, const ClassRecord& record,
                                     const std::map<std::string, std::string>& pseudonyms,
                                     const CourseFiles& course);

}  // namespace cudalabs
