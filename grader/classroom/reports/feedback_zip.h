#pragma once
// Archives of feedback files, named as learning platforms want them back.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/classroom/class_record.h"
#include "grader/classroom/intake/file_tree.h"

namespace cudalabs {

struct FeedbackFile {
  std::string path, content;
};

/// A zip archive. Equal files give equal bytes. Error: too many or too large files.
Result<std::string> zip_of(const std::vector<FeedbackFile>& files);

/// Moodle's form: "NAME_NUMBER_assignfeedback_file_/FILE". `number` is the participant's.
std::string moodle_feedback_path(const std::string& name, const std::string& number, const std::string& file);

/// Canvas's form is the name of a file of its download, with another name in place of the student's own.
/// Canvas finds the student and the upload by the numbers in it. Returns the beginnings of such names by
/// number: of the .cu file, if there is one. Students who uploaded no file have none.
std::map<std::string, std::string> canvas_upload_names(const FileTree& download);

}  // namespace cudalabs
