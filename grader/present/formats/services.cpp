#include "grader/present/formats/services.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "grader/base/human.h"
#include "grader/diagnostics/language.h"
#include "grader/present/formats/parts.h"
#include "grader/present/terminal/console.h"
#include "grader/present/words.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxCompilerOutput = 64 << 10;
constexpr std::size_t kMaxDocument = 900 << 10;  // PrairieLearn refuses more than 1 MB

/// ASCII only, so that the size does not depend on how the reader counts characters.
std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string unfinished(const GradeResult& result) {
  return result.complete() ? ""
                           : tr("Not all versions have been run: the grading was stopped before its end.\n");
}

std::string sum_of(const GradeResult& result) {
  std::string text = summary_line(result) + "\n";
  for (const Message& note : result.nondeterministic.submission_note) text += rendered(note) + "\n";
  for (const std::string& note : points_notes(result)) text += note + "\n";
  return text + unfinished(result);
}

/// The text above the list of tests.
std::string head(const GradeResult& result) {
  std::string text = sum_of(result);
  if (!result.compiler_output.empty())
    text += "\n" + plain(rendered_lines(result.compiler_output), kMaxCompilerOutput) + "\n";
  return text;
}

std::string shown_name(const VersionResult& version, const Part& part) {
  return version.name + ": " + part.name;
}

}  // namespace

std::string gradescope_report(const GradeResult& result) {
  Json tests = Json::array();
  int number = 0;
  for (const VersionResult& version : result.versions) {
    ++number;
    int sub = 0;
    for (const Part& part : parts_of(version)) {
      const bool passed = part.state == Part::State::Passed;
      tests.push_back({{"score", part.points},
                       {"max_score", part.bonus ? 0.0 : part.max_points},
                       {"status", passed ? "passed" : "failed"},
                       {"name", shown_name(version, part)},
                       {"name_format", "text"},
                       {"number", fmt::format("{}.{}", number, ++sub)},
                       {"output", part.text},
                       {"output_format", "text"},
                       {"visibility", "visible"}});
    }
  }
  const Nondeterministic& n = result.nondeterministic;
  return dumped({{"score", result.points},
                 {"execution_time", n.wall_seconds},
                 {"output", head(result)},
                 {"output_format", "text"},
                 {"visibility", "visible"},
                 {"stdout_visibility", "hidden"},
                 {"tests", std::move(tests)},
                 {"extra_data",
                  {{"lab", result.lab + "/" + result.variant},
                   {"seed", std::to_string(result.seed)},
                   {"grader_version", n.grader_version},
                   {"complete", result.complete()}}}},
                2);
}

std::string prairielearn_report(const GradeResult& result) {
  if (nothing_compiled(result)) {
    return dumped({{"gradable", false},
                   {"format_errors",
                    {tr("The file does not compile:\n") +
                     plain(rendered_lines(result.compiler_output), kMaxCompilerOutput)}},
                   {"message", tr("The file does not compile. This costs no attempt.")}},
                  2);
  }
  Json tests = Json::array();
  for (const VersionResult& version : result.versions) {
    for (const Part& part : parts_of(version)) {
      tests.push_back({{"name", shown_name(version, part)},
                       {"description", translated_word(version.title)},
                       {"points", part.points},
                       {"max_points", part.bonus ? 0.0 : part.max_points},
                       {"message", part.text}});
    }
  }
  ConsoleStyle style;
  style.utf8 = false;
  style.with_command = false;  // the student's machine is not known
  std::string card = console_report(result, style);
  // PrairieLearn takes a share from 0 to 1.
  const double share = result.max_points > 0 ? result.points / result.max_points : 0.0;
  Json document = {
      {"gradable", true},
      {"score", std::min(share, 1.0)},
      {"message",
       sum_of(result) + (share > 1 ? tr("PrairieLearn counts no more than the maximum.\n") : std::string())},
      {"output", std::move(card)},
      {"tests", std::move(tests)}};
  std::string text = dumped(document, 2);
  if (text.size() > kMaxDocument) {  // the tests' messages contain the same text
    document.erase("output");
    text = dumped(document, 2);
  }
  return text;
}

std::string prairielearn_failure(const GradingFailure&) {
  return dumped({{"gradable", false},
                 {"format_errors", Json::array()},
                 {"message", tr("The grader failed. Your submission is not at fault, and this costs no "
                                "attempt: try again later, and report it to the course staff.")}},
                2);
}

std::string autolab_report(const GradeResult& result) {
  Json scores = Json::object();
  for (const VersionResult& version : result.versions) {
    if (version.verdict != Verdict::NotGraded) scores[version.name] = version.points;
  }
  return dumped({{"scores", std::move(scores)}}, -1);
}

/// Autolab gives every problem 0 if it does not recognize the last line, and gives no score to a problem
/// whose score is null (its app/helpers/assessment_autograde_core.rb).
std::string autolab_failure(const GradingFailure& failure) {
  Json scores = Json::object();
  for (const std::string& version : failure.versions) scores[version] = nullptr;
  return dumped({{"scores", std::move(scores)}}, -1);
}

std::string classroom50_report(const GradeResult& result) {
  const auto given = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return plain(value == nullptr ? "" : value, 2000);
  };
  const auto whole = [](double points) { return static_cast<std::int64_t>(std::floor(points + 1e-9)); };
  Json tests = Json::array();
  std::int64_t score = 0, most = 0;
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::NotGraded) continue;
    // A score above the maximum is no valid result.
    const std::int64_t max_points = version.bonus ? 0 : whole(version.max_points);
    const std::int64_t points = std::min(whole(version.points), max_points);
    score += points;
    most += max_points;
    tests.push_back({{"test-name", result.lab + "/" + result.variant + " " + version.name},
                     {"passed", version.verdict == Verdict::Accepted && version.full()},
                     {"score", points},
                     {"max-score", max_points}});
  }
  const auto or_else = [](std::string text, std::string other) { return text.empty() ? other : text; };
  return dumped({{"schema", "classroom50/result/v1"},
                 {"classroom", given("CLASSROOM")},
                 {"assignment", given("ASSIGNMENT")},
                 {"assignment_type", or_else(given("ASSIGNMENT_TYPE"), "individual")},
                 {"owner", or_else(given("OWNER"), given("USERNAME"))},
                 {"submission", given("SUBMISSION_TAG")},
                 {"commit", given("COMMIT_URL")},
                 {"release", given("RELEASE_URL")},
                 {"review", or_else(given("REVIEW_URL"), given("COMMIT_URL"))},
                 {"datetime", result.nondeterministic.started_at},
                 {"score", score},
                 {"max-score", most},
                 {"tests", std::move(tests)}},
                2);
}

}  // namespace cudalabs
