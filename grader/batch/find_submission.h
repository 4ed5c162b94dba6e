#pragma once
// A lab's file among all that a student handed in, for a whole class: more forgiving than locate_submission,
// which can tell one student what to rename. Everything is in memory.

#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/batch/file_tree.h"
#include "grader/config/lab.h"
#include "grader/submission/locate.h"

namespace cudalabs {

struct FoundSubmission {
  std::string path, place;  ///< of the file (TreeFile); empty if there is a problem
  Submission submission;
  std::string note;     ///< what a teacher should know; may be empty
  std::string problem;  ///< why there is none: a sentence without a final stop
};

/// The lab's file where it belongs; else the only one of its name; else the only .cu
/// file. `files`: a student's.
FoundSubmission find_submission(const Lab& lab, std::span<const std::string> slugs,
                                std::span<const TreeFile> files);

/// The folders in which the lab's file lies where it belongs ("" is the topmost),
/// without those inside of others.
std::vector<std::string> submission_roots(const Lab& lab, std::span<const std::string> slugs,
                                          std::span<const TreeFile> files);

/// Is one of `folders` above `path`? Without a look at each of them: a class may bring 200,000.
bool lies_below_one(const std::string& path, const std::set<std::string>& folders);

}  // namespace cudalabs
