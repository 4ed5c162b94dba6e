#pragma once
// Assigns files to students: the layouts of services' downloads, and plain folders. A new layout is a row of
// kLayouts (layouts.cpp).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/classroom/intake/file_tree.h"
#include "grader/classroom/intake/hand_in_time.h"
#include "grader/course/lab.h"
#include "grader/submission/locate.h"

namespace cudalabs {

/// The submission of one student. Every student of a download has one, even without a gradable file. All its
/// texts are UTF-8 (utf8_name.h).
struct HandIn {
  std::string student;    ///< unique: the service's number, otherwise the folder's name
  std::string name;       ///< for people; may equal `student`
  std::string place;      ///< "class.zip: smith/row_max.cu"
  HandInTime time{};      ///< from the service
  Messages note;          ///< for the teacher, such as a file that was taken despite its name
  Submission submission;  ///< if there is no problem
  Messages problem;       ///< why there is nothing to grade
};

struct ClassSources {
  std::string layout;       ///< "Canvas", "Moodle", "Gradescope", "Classroom 50", "folders", "one submission"
  bool of_service = false;  ///< the ids are a service's
  std::vector<HandIn> hand_ins;
  /// Hidden folders and files (".name") that would otherwise belong to students, with paths from the
  /// students' folder on. Irrelevant ones such as ".vscode" are not listed.
  std::vector<std::string> left_out;
  /// Files beside the students' that are no submissions, such as a roster.
  std::vector<std::string> beside;
};

/// `slugs`: those of all labs ("lab3/variant4"), so that another variant's file of the same name is not
/// taken.
ClassSources hand_ins_of(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree);

/// Gives the hand-ins the times of a worksheet of Moodle's (worksheet.h). Returns how many got one.
std::size_t add_times(std::vector<HandIn>& hand_ins, std::string_view worksheet);

}  // namespace cudalabs
