#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/cli/command.h"
#include "grader/cli/print.h"
#include "grader/course/lab_files.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/csv.h"
#include "grader/present/layout.h"

namespace cudalabs::cli {
namespace {

Messages example() { return {msg::for_example("grader list lab3 variant4 --files"), msg::list_shows_all()}; }

/// `headed`: there are others.
int list_labs(const Course& course, bool headed) {
  auto labs = load_all_labs(course);
  if (!labs) return report_error(labs.problem(), kUsage);
  if (labs->empty() && !headed) return report_error(error(msg::no_labs(), msg::lab_is_a_file()), kUsage);
  std::size_t width = 0;
  if (headed) print_out("{} ({})\n\n", printable(one_line(title_of(course.titles))), course.name);
  for (const Lab& lab : *labs) width = std::max(width, lab.lab.size() + 1 + lab.variant.size());
  for (const Lab& lab : *labs) {
    std::vector<std::string> versions;
    for (const Version& version : lab.versions) versions.push_back(version.name);
    print_out("{:<{}}   {} ({} points)\n", lab.lab + " " + lab.variant, width,
              printable(one_line(translated_word(lab.title))), human_points(lab.max_points()));
    print_out("{:<{}}   versions: {}\n", "", width, fmt::join(versions, ", "));
  }
  return kPassed;
}

int list_files(const Course& course, const std::string& lab_name, const std::string& variant) {
  const auto lab = load_lab(course, lab_name, variant);
  if (!lab) return report_error(lab.problem(), kUsage);
  const auto files = files_of(course, *lab);
  if (!files) return report_error(files.problem(), kUsage);
  std::size_t width = 0;
  for (const LabFile& file : *files) width = std::max(width, file.role.size());
  for (const LabFile& file : *files) print_out("{:<{}}   {}\n", file.role, width, file.path.string());
  return kPassed;
}

}  // namespace

int list_command(const Arguments& arguments) {
  std::string lab, variant, folder;
  bool files = false;
  CommandLine line(
      "grader list", "grader list [OPTIONS]\n       grader list LAB VARIANT --files [OPTIONS]",
      "Lists the labs and their variants, with the versions that each requires; or all files of one "
      "variant.");
  line.positional("LAB", lab, "With --files: the lab, for example lab3");
  line.positional("VARIANT", variant, "With --files: its variant, for example variant4");
  line.flag("--files", files, "List the files of one variant, one a line: its purpose and its path");
  line.footer("Example:\n  grader list lab3 variant4 --files\n");
  add_course_option(line, folder);
  if (auto status = line.parse(arguments)) return *status;
  if (files && variant.empty()) return report_error(error(msg::list_files_needs_lab(), example()), kUsage);
  if (!files && !lab.empty()) return report_error(error(msg::list_takes_lab_with_files(), example()), kUsage);

  if (files) {
    const auto course = find_course(folder, lab);
    return course ? list_files(*course, lab, variant) : report_error(course.problem(), kUsage);
  }
  const auto courses = find_courses(folder);
  if (!courses) return report_error(courses.problem(), kUsage);
  for (std::size_t i = 0; i < courses->size(); ++i) {
    if (i > 0) print_out("\n");
    if (const int status = list_labs((*courses)[i], courses->size() > 1); status != kPassed) return status;
  }
  return kPassed;
}

}  // namespace cudalabs::cli
