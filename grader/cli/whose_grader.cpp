#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "grader/base/process/search_path.h"
#include "grader/cli/command.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/messages/score.h"

namespace cudalabs::cli {
namespace {

/// Returns whether others own this program and everybody may start it, as in /usr/bin.
bool is_installed_for_others() {
  struct stat program {};
  return ::stat("/proc/self/exe", &program) == 0 && program.st_uid != ::geteuid() &&
         (program.st_mode & S_IXOTH) != 0;
}

/// Returns whether this is the first time that this user is warned.
bool is_first_time() {
  const auto cache = cache_folder();
  if (!cache) return true;
  const std::filesystem::path mark = *cache / "warned-of-solutions";
  std::error_code ignored;
  if (std::filesystem::exists(mark, ignored)) return false;
  (void)write_file_atomically(mark, "");
  return true;
}

}  // namespace

Result<void> check_whose_grader(const Arguments& arguments) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  // They need no course, or are started by a grader that has checked this.
  static constexpr std::array<std::string_view, 5> kWithoutCourse{"run", "nvcc", "report", "--version",
                                                                  "--completion"};
  if (command.starts_with("__") || std::ranges::find(kWithoutCourse, command) != kWithoutCourse.end() ||
      !environment("CUDA_LABS_STAFF").empty())
    return {};
  const auto courses = find_courses(value_among(arguments, "--course").value_or(""));
  if (!courses) return {};  // the command says why
  // A folder is its teacher's own.
  const auto holds_solutions = [](const Course& course) { return course.unpacked && !course.for_students; };
  if (std::ranges::any_of(*courses, [&](const Course& c) { return holds_solutions(c) && c.staff_only; }))
    return error(msg::staff_only_refused(), msg::use_students_edition());
  if (is_installed_for_others() && std::ranges::any_of(*courses, holds_solutions) && is_first_time()) {
    log_progress(msg::staff_grader_installed());
    log_progress(msg::export_for_students());
  }
  return {};
}

Result<void> check_has_solutions(const Course& course, const std::string& command) {
  if (!course.for_students) return {};
  return error(msg::no_solutions_here(command), msg::staff_grader_needed());
}

}  // namespace cudalabs::cli
