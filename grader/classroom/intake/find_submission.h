#pragma once
// Finds a lab's file: the only search, for a student of a class as for a single grading, a service and a
// push. It works on a tree in memory (file_tree.h), so folders, archives and notebooks are alike to it.

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/intake/file_tree.h"
#include "grader/course/course.h"
#include "grader/course/lab.h"
#include "grader/submission/locate.h"

namespace cudalabs {

struct FoundSubmission {
  std::string path, place;  ///< of the file (TreeFile); empty if there is a problem
  Submission submission;
  Messages note;     ///< how it was found, if not by its name at its place; may be empty
  Messages problem;  ///< why there is no submission, and what was found
  Messages hint;     ///< what to do about the problem
};

/// "lab3/variant4" of every lab of a course.
std::vector<std::string> slugs_of(const Course& course);

/// Finds the submission among `files`, those of one student. In this order: the lab's file at its usual
/// place or nearest to it; of the other CUDA files (likeness.h) the one that defines most of the lab's
/// functions, then the one whose name is most like the lab's file, or the only one; a source of another kind
/// that defines the lab's functions. An unchanged stub yields to a file that is more. If several are equally
/// good, there is a problem that names them.
FoundSubmission find_submission(const Lab& lab, std::span<const std::string> slugs,
                                std::span<const TreeFile> files);

/// Finds the submission of `given`, the value of --submission: a folder, an archive, a notebook or a
/// source; empty means the current folder. In the usual places of a folder, links within it are followed
/// (locate_submission). Errors say what was found, or why a file cannot be read. `note`: as above.
Result<Submission> search_submission(const Lab& lab, std::span<const std::string> slugs,
                                     const std::filesystem::path& given, Messages& note);

/// The folders that have the lab's file at its usual place ("" is the root), without nested ones.
std::vector<std::string> submission_roots(const Lab& lab, std::span<const std::string> slugs,
                                          std::span<const TreeFile> files);

/// Returns whether the files are those of one student: the lab's file is at its usual place in them, or the
/// only CUDA file there has a name like it.
bool is_submission(const Lab& lab, std::span<const std::string> slugs, std::span<const TreeFile> files);

/// Returns whether one of `folders` contains `path`, without a linear search: a class may have 200,000
/// folders.
bool lies_below_one(const std::string& path, const std::set<std::string>& folders);

}  // namespace cudalabs
