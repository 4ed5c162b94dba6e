#pragma once
// Assigns the files of plain folders to students.

#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/classroom/intake/file_tree.h"
#include "grader/classroom/intake/hand_in_time.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// One student's part of a tree.
struct PathPart {
  std::string student, name;
  HandInTime time{};
  std::vector<TreeFile> files;  ///< paths relative to the student's folder
  int submissions = 1;          ///< of which this is the latest
};
using Parts = std::vector<PathPart>;

/// Names of a tree that belong to no student.
struct Leftovers {
  std::set<std::string> hidden;     ///< folders and files (".name") that would otherwise belong to students
  std::set<std::string> beside;     ///< files beside the students' that are no submissions, such as a roster
  std::vector<std::string> tables;  ///< the texts of those with kTableEnding

  /// `holder`: the folders around the file, with '/' at the end.
  void add_beside(const TreeFile& file, const std::string& holder);
};

std::string first_part(const std::string& path);

/// The files in `folder` ("a/b"), with paths relative to it. `files` are ordered by path. If the folder has a
/// problem, it is included with an empty path.
std::vector<TreeFile> below(std::span<const TreeFile> files, const std::string& folder);

/// Returns whether a file beside students' folders is a table, a page or a note of the teacher's.
bool is_beside(const Lab& lab, const TreeFile& file);

/// Each folder, archive and file of one name is a student. Folders whose contents are several students
/// (sections, groups of an exercise) are opened first. Ids are unique.
Parts students_of(const Lab& lab, std::span<const std::string> slugs, std::span<const TreeFile> files,
                  Leftovers& left);

}  // namespace cudalabs
