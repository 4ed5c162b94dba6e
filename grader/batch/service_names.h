#pragma once
// What services call the files and folders of their downloads.

#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// What the name of a student's file or folder tells: the name, the number, and what is left of a file's own.
struct EntryName {
  std::string_view name, number, own;
};

/// Moodle: NAME_NUMBER_assignsubmission_KIND_OWN, with OWN of a file alone.
std::optional<EntryName> moodle_entry(std::string_view entry);

/// Canvas: NAME_NUMBER_NUMBER_OWN, with _LATE after the name of who was. OWN is empty where an archive was
/// called ".zip" and has become a folder.
std::optional<EntryName> canvas_entry(std::string_view entry);

/// Classroom 50: "course-task" of "course-task_submissions", also with "_<time>" behind it, and of
/// "course-task-submissions".
std::optional<std::string> class_task(std::string_view folder);

}  // namespace cudalabs
