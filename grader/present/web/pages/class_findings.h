#pragma once
// Findings that many students of a class share, with the lines that cause them.

#include <cstddef>
#include <string>
#include <vector>

#include "grader/present/web/pages/class_page.h"

namespace cudalabs {

/// Lines of several students that differ only in blanks.
struct CommonLine {
  std::string text;  ///< as the first student wrote it
  int line = 0;      ///< in the first student's file
  std::size_t students = 0;
};

/// A text about several students.
struct CommonText {
  Messages text;
  std::size_t students = 0;
};

/// All findings with one key. Points into the page's students.
struct CommonFinding {
  const ClassFinding* first = nullptr;
  CommonText message, advice;                 ///< those that most students have
  std::vector<const ClassStudent*> students;  ///< each once
  std::vector<std::string> versions;
  double points = 0;              ///< lost by all students together
  std::vector<CommonLine> lines;  ///< most frequent first
};

/// Sorted by the number of students, largest first.
std::vector<CommonFinding> common_findings(const std::vector<ClassStudent>& students);

}  // namespace cudalabs
