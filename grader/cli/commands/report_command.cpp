// grader report: writes the documents of a grading from a stored result.

#include <fmt/format.h>

#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/files/report_files.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/formats/json_reader.h"

namespace cudalabs::cli {

int report_command(const Arguments& arguments) {
  std::string file, folder;
  ReportFiles reports;
  CommandLine line("grader report", "grader report RESULT.json [OPTIONS]",
                   "Writes a stored result (of --json) in other formats. Nothing is graded.");
  line.positional("RESULT.json", file, "The file that `grader LAB VARIANT --json RESULT.json` wrote");
  reports.add_options(line);
  add_course_option(line, folder);
  line.footer(
      "The source is not in the result: excerpts of it are left out.\n"
      "\nExample:\n"
      "  grader report result.json --junit junit.xml --markdown summary.md\n");
  if (auto status = line.parse(arguments)) return *status;
  if (file.empty())
    return report_error(
        error(msg::which_result(), msg::for_example("grader report result.json --markdown -")), kUsage);
  if (reports.none())
    return report_error(error(msg::which_report(), msg::name_a_report(listed(reports.option_names()))),
                        kUsage);
  if (auto target = reports.check(); !target) return report_error(target.problem(), kUsage);
  const auto text = read_file(file, kMaxJsonReport);
  if (!text) return report_error(text.problem(), kUsage);
  const auto result = read_json_report(*text, file);
  if (!result) return report_error(result.problem(), kUsage);
  // In the words of the course, and of those that the grader carries.
  if (const auto courses = find_courses(folder); !courses && !folder.empty())
    return report_error(courses.problem(), kUsage);
  if (auto written = reports.write(*result); !written) return report_error(written.problem(), kCouldNotGrade);
  return kPassed;
}

}  // namespace cudalabs::cli
