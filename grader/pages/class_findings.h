#pragma once
// What many students of a class have in common: findings with the lines that cause them.

#include <cstddef>
#include <string>
#include <vector>

#include "grader/pages/class_page.h"

namespace cudalabs {

/// Lines of several students that differ in nothing but blanks.
struct CommonLine {
  std::string text;  ///< as the first student wrote it
  int line = 0;      ///< there
  std::size_t students = 0;
};

/// The findings of one key. Points into the page's students.
struct CommonFinding {
  const ClassFinding* first = nullptr;
  std::vector<const ClassStudent*> students;  ///< each once
  std::vector<std::string> versions;
  double points = 0;              ///< lost by all of them together
  std::vector<CommonLine> lines;  ///< the most frequent first
};

/// Those of most students first.
std::vector<CommonFinding> common_findings(const std::vector<ClassStudent>& students);

}  // namespace cudalabs
