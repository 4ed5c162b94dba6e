#pragma once
// Lists the labs, the variants and the other YAML files under configs/.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/lab.h"

namespace cudalabs {

/// The names of the .yaml files of a folder, without the extension, in natural order. Empty if there is no
/// such folder.
std::vector<std::string> yaml_names(const std::filesystem::path& folder);

/// The shipped course and those that it carries, whatever --course or CUDA_LABS_COURSE names.
Result<std::vector<Course>> shipped_courses();

/// Where the files of a course are looked for: its root, then the shipped course's if that is another.
std::vector<std::filesystem::path> roots_of(const Course& course);

/// The names of the labs, and of one lab's variants, in natural order.
std::vector<std::string> lab_names(const Course& course);
std::vector<std::string> variant_names(const Course& course, std::string_view lab);

bool offers(const Course& course, std::string_view lab);

/// Error: no such lab or variant; it names the nearest that exists.
Result<void> check_variant_exists(const Course& course, std::string_view lab, std::string_view variant);

}  // namespace cudalabs
