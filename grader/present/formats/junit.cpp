#include "grader/present/formats/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/formats/parts.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxOfCompiler = 64 << 10;

/// Escapes text or the value of an attribute. plain() has already removed what XML 1.0 cannot represent,
/// except for the two noncharacters.
std::string xml(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\xEF\xBF\xBE") || text.substr(i).starts_with("\xEF\xBF\xBF")) {
      out += '?';
      i += 2;
      continue;
    }
    switch (text[i]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += text[i];
    }
  }
  return out;
}

std::string attribute(std::string_view text) {
  std::string line = plain(text, 400);
  std::ranges::replace(line, '\n', ' ');
  return xml(line);
}

/// Escapes a body: GitLab would make a link of "[[ATTACHMENT|path]]".
std::string body(std::string_view text) {
  std::string safe(text);
  for (std::size_t at = 0; (at = safe.find("[[", at)) != std::string::npos; at += 3) safe.insert(at + 1, " ");
  return xml(safe);
}

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(Part::State state) {
    ++tests;
    failures += state == Part::State::Failed;
    errors += state == Part::State::Pending;
    skipped += state == Part::State::NotJudged;
  }
  [[nodiscard]] std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}")", tests, failures, errors);
  }
};

std::string_view element(Part::State state) {
  switch (state) {
    case Part::State::Failed: return "failure";
    case Part::State::Pending: return "error";
    default: return "skipped";
  }
}

/// Formats seconds with a decimal point in every locale.
std::string seconds(double value) { return fmt::format("{:.3f}", value); }

}  // namespace

std::string junit_report(const GradeResult& result) {
  const std::string lab = result.lab + "/" + result.variant;
  const std::string file = attribute(path_of(result, result.file));
  Counts all;
  std::string suites;
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::NotGraded) continue;
    Counts counts;
    std::string cases;
    const std::string suite = attribute(lab + " " + version.name);
    for (const Part& part : parts_of(version)) {
      all.add(part.state);
      counts.add(part.state);
      cases += fmt::format(R"(    <testcase classname="{}" name="{}" file="{}")", suite, attribute(part.name),
                           file);
      // The speed case gets the time of the kernels. GitLab expects a number in the attribute.
      if (part.name == "speed" && version.speed.source != TimeSource::None)
        cases += fmt::format(R"( time="{:.9f}")", version.speed.student_ns / 1e9);
      if (part.state == Part::State::Passed) {
        cases += "/>\n";
        continue;
      }
      cases += fmt::format(
          ">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", element(part.state),
          attribute(tr("{} of {} points", human_points(part.points), human_points(part.max_points))),
          body(part.text));
    }
    suites += fmt::format("  <testsuite name=\"{}\" {} skipped=\"{}\">\n{}", suite, counts.attributes(),
                          counts.skipped, cases);
    if (!result.compiler_output.empty() && version.verdict == Verdict::CompileError)
      suites += fmt::format("    <system-err>{}</system-err>\n",
                            body(plain(rendered_lines(result.compiler_output), kMaxOfCompiler)));
    suites += "  </testsuite>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {} "
      "time=\"{}\">\n{}</testsuites>\n",
      attribute(lab), all.attributes(), seconds(result.nondeterministic.wall_seconds), suites);
}

std::string junit_failure(const GradingFailure& failure) {
  const std::string lab = attribute(failure.lab + "/" + failure.variant);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
      "  <testsuite name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n"
      "    <testcase classname=\"{0}\" name=\"grading\">\n      <error message=\"could not be "
      "graded\">{1}</error>\n"
      "    </testcase>\n  </testsuite>\n</testsuites>\n",
      lab,
      body(plain(tr("The grader failed; the submission is not at fault.\n") + shown_text(failure.problem),
                 8192)));
}

}  // namespace cudalabs
