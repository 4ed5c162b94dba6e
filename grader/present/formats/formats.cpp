#include "grader/present/formats/formats.h"

#include "grader/present/formats/annotations.h"
#include "grader/present/formats/json.h"
#include "grader/present/formats/junit.h"
#include "grader/present/formats/markdown.h"
#include "grader/present/formats/sarif.h"
#include "grader/present/formats/services.h"

namespace cudalabs {

std::span<const ReportFormat> report_formats() {
  static constexpr ReportFormat kFormats[] = {
      {"--json", "Write the result as JSON; - means stdout, for this and the following", json_report,
       nullptr},
      {"--junit", "... as JUnit XML, as GitLab, Jenkins and others read it", junit_report, junit_failure},
      {"--markdown", "... as Markdown, for the summary of a GitHub step or a comment", markdown_report,
       markdown_failure},
      {"--annotations", "... as commands to GitHub's runner, which mark lines of the source",
       github_annotations, github_failure},
      {"--codequality", "... as a Code Quality report, with which GitLab marks lines", code_quality_report,
       nullptr},
      {"--sarif", "... as SARIF, with which code scanning and editors mark lines", sarif_report, nullptr},
      {"--problems", "... as a compiler's lines, which editors read: FILE:LINE: error: ...", problem_lines,
       nullptr},
      {"--gradescope", "... as results.json of Gradescope", gradescope_report, nullptr},
      {"--prairielearn", "... as results.json of PrairieLearn", prairielearn_report, prairielearn_failure},
      {"--autolab", "... as the line that Autolab reads: the last one of stdout", autolab_report,
       autolab_failure},
      {"--classroom50", "... as result.json of Classroom 50, whose variables say whose it is",
       classroom50_report, nullptr},
  };
  return kFormats;
}

}  // namespace cudalabs
