#pragma once
// Parses the names of files and folders in services' downloads.

#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// The parts of an entry's name: the student's name and number, and the original file name.
struct EntryName {
  std::string name, number, own;
  std::string file_number{};  ///< Canvas's, of the file
  bool late = false;
};

/// Moodle: NAME_NUMBER_assignsubmission_KIND_OWN; only files have OWN.
std::optional<EntryName> moodle_entry(std::string_view entry);

/// Canvas: NAME_NUMBER_NUMBER_OWN, with _LATE after the name of a late student. OWN is empty if an archive
/// named ".zip" became a folder.
std::optional<EntryName> canvas_entry(std::string_view entry);

/// Classroom 50: "course-task" for "course-task_submissions", also with "_<time>" at the end, and for
/// "course-task-submissions".
std::optional<std::string> class_task(std::string_view folder);

}  // namespace cudalabs
