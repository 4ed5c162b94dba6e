#pragma once
// Who handed in what: the layouts in which services let a teacher download a class, and plain folders.
// Adding one is a row of kLayouts (layouts.cpp).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/batch/file_tree.h"
#include "grader/config/lab.h"
#include "grader/submission/locate.h"

namespace cudalabs {

/// What one student handed in. Every student of a download has one, also who handed in
/// nothing that can be graded. All of its words are UTF-8 (utf8_name.h).
struct HandIn {
  std::string student;            ///< what tells students apart: the service's number, else the folder's name
  std::string name;               ///< as a person says it; may be the same
  std::string place;              ///< "class.zip: smith/row_max.cu"
  std::int64_t submitted_at = 0;  ///< seconds since 1970, as the service says; 0: not known
  std::string note;       ///< what a teacher should know, such as a file of another name that was taken
  Submission submission;  ///< if there is no problem
  std::string problem;    ///< why there is nothing to grade: a sentence without a final stop
};

struct ClassSources {
  std::string layout;  ///< "Canvas", "Moodle", "Gradescope", "Classroom 50", "folders", "one submission"
  std::vector<HandIn> hand_ins;
  /// Folders and files that would be students', were they not hidden (".name"), from the students' folder on;
  /// not those that nobody misses, such as ".vscode".
  std::vector<std::string> left_out;
};

/// `slugs`: all labs' ("lab3/variant4"), so that another variant's file of the same name is not taken.
ClassSources hand_ins_of(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree);

/// "2026-01-31 12:00:00 Z", "2026-01-31T12:00:00.5+01:00", "2026-01-31" as seconds since 1970; a time without
/// a zone is UTC. 0 if it is none of these.
std::int64_t parse_time(std::string_view text);

}  // namespace cudalabs
