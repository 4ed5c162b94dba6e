#pragma once
// The list of a course's students: a CSV table with a column of ids, as the university's systems export it.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/present/csv.h"

namespace cudalabs {

/// The columns to read, with the place of each name for messages.
struct ClassColumns {
  std::string student = "student", name = "name";
  std::vector<std::string> ids;  ///< further columns by which a student may be named
};

struct ListedStudent {
  std::string id, name;
  std::vector<std::string> ids;  ///< the id, and others
  CsvRow cells;
  int line = 0;
};

struct ClassList {
  std::string shown;
  CsvRow header;
  std::vector<ListedStudent> students;  ///< in the order of the list
  std::map<std::string, std::size_t> by_id;
};

/// Reads a table with commas, semicolons or tabs. A row "Points Possible", as Canvas exports it, is left out.
/// Errors: no such column, a row without an id, or an id of two students.
Result<ClassList> parse_class_list(std::string_view text, const ClassColumns& columns,
                                   const std::string& shown);

}  // namespace cudalabs
