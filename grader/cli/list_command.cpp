#include <fmt/format.h>

#include <algorithm>

#include "grader/cli/command.h"
#include "grader/score/human.h"

namespace cudalabs::cli {

int list_command(const Arguments& arguments) {
  std::string folder;
  CommandLine line("grader list", "grader list [OPTIONS]",
                   "Lists the labs and their variants, with the versions that each asks for.");
  add_course_option(line, folder);
  if (auto status = line.parse(arguments)) return *status;

  auto course = find_course(folder);
  if (!course) return complain(course.problem(), kUsage);
  auto labs = load_all_labs(*course);
  if (!labs) return complain(labs.problem(), kUsage);
  std::size_t width = 0;
  for (const Lab& lab : *labs) width = std::max(width, lab.lab.size() + 1 + lab.variant.size());
  for (const Lab& lab : *labs) {
    std::vector<std::string> versions;
    for (const Version& version : lab.versions) versions.push_back(version.name);
    fmt::print("{:<{}}   {} ({} points)\n", lab.lab + " " + lab.variant, width, lab.title,
               human_points(lab.max_points()));
    fmt::print("{:<{}}   versions: {}\n", "", width, fmt::join(versions, ", "));
  }
  return kPassed;
}

}  // namespace cudalabs::cli
