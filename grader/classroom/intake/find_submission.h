#pragma once
// Finds a lab's file among all files of a student, for a whole class. It is more tolerant than
// locate_submission, which can ask one student to rename a file. It works in memory.

#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/classroom/intake/file_tree.h"
#include "grader/course/lab.h"
#include "grader/submission/locate.h"

namespace cudalabs {

struct FoundSubmission {
  std::string path, place;  ///< of the file (TreeFile); empty if there is a problem
  Submission submission;
  Messages note;     ///< for the teacher; may be empty
  Messages problem;  ///< why there is no submission
};

/// Finds the lab's file at its usual place; otherwise the only file of that name; otherwise the only .cu
/// file. `files`: those of one student.
FoundSubmission find_submission(const Lab& lab, std::span<const std::string> slugs,
                                std::span<const TreeFile> files);

/// The folders that have the lab's file at its usual place ("" is the root), without nested ones.
std::vector<std::string> submission_roots(const Lab& lab, std::span<const std::string> slugs,
                                          std::span<const TreeFile> files);

/// Returns whether one of `folders` contains `path`, without a linear search: a class may have 200,000
/// folders.
bool lies_below_one(const std::string& path, const std::set<std::string>& folders);

}  // namespace cudalabs
