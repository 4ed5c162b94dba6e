// The documents for services, each checked against the rules of its reader. tests/present/formats/golden
// contains whole texts.

#include "grader/present/formats/formats.h"
#include "grader/diagnostics/messages/score.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/formats/parts.h"
#include "grader/present/losses.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/golden.h"
#include "tests/harness/process.h"
#include "tests/present/formats/sample.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::check_golden;

const ReportFormat& format(std::string_view option) {
  const auto formats = report_formats();
  const auto found = std::ranges::find(formats, option, &ReportFormat::option);
  REQUIRE(found != formats.end());
  return *found;
}

std::string document(std::string_view option, const GradeResult& result) {
  return format(option).write(result);
}

const std::string kNasty =
    "<script>alert(1)</script> ]]> [[ATTACHMENT|/etc/passwd]] `x` ```` ``` @everyone #1 | www.evil.example "
    "http://evil.example **b** \"q\" 'a' &amp; 100% \r\n::error file=x::injected\n##[error]x\n\x1b[2J \x01 "
    "\xff\xfe "
    "\xef\xbf\xbe \xe2\x80\xae $x$ :smile:";

/// Everything that a submission can put into a result.
GradeResult hostile() {
  GradeResult result = mixed();
  result.compiler_output = verbatim(kNasty + std::string(2'000'000, 'x'));
  for (std::string& line : result.source) line = kNasty + std::string(1'000'000, '`');
  for (VersionResult& version : result.versions) {
    version.notes.emplace_back(verbatim(kNasty));
    for (LostPoints& lost : version.lost) {
      lost.reason = verbatim(kNasty + std::string(1'000'000, 'y'));
      lost.advice = verbatim(kNasty);
    }
    for (CaseFailure& failure : version.correctness.failures) failure.message = verbatim(kNasty);
  }
  return result;
}

std::vector<GradeResult> all() {
  return {full_marks(), with_bonus(), measured(), mixed(), partial(), compile_error(), hostile()};
}

std::size_t count(std::string_view text, std::string_view piece) {
  std::size_t times = 0;
  for (std::size_t at = text.find(piece); at != std::string_view::npos; at = text.find(piece, at + 1))
    ++times;
  return times;
}

double sum(const Json& list, const char* key) {
  double sum = 0;
  for (const Json& one : list) sum += one.at(key).get<double>();
  return sum;
}

}  // namespace

TEST_CASE("documents for services are as they were") {
  const std::map<std::string, std::string> endings{{"--junit", "xml"},
                                                   {"--markdown", "md"},
                                                   {"--annotations", "txt"},
                                                   {"--autolab", "txt"},
                                                   {"--problems", "txt"}};
  for (const ReportFormat& one : report_formats()) {
    const std::string option = one.option;
    if (option == "--json") continue;  // score_card_test
    const std::string name = option.substr(2);
    const auto ending = endings.contains(option) ? endings.at(option) : "json";
    check_golden(name + "_mixed." + ending, one.write(mixed()));
    check_golden(name + "_compile_error." + ending, one.write(compile_error()));
    if (one.failed != nullptr)
      check_golden(name + "_failed." + ending,
                   one.failed({"lab3",
                               "variant4",
                               error(verbatim("no space left on <device>"), verbatim("make some")),
                               {"global", "shared"}}));
  }
}

TEST_CASE("documents speak the language to people, and programs read the same") {
  const std::string english = document("--codequality", mixed());
  const LanguageScope russian("ru");
  check_golden("markdown_mixed_ru.md", document("--markdown", mixed()));
  check_golden("annotations_mixed_ru.txt", document("--annotations", mixed()));
  check_golden("gradescope_mixed_ru.json", document("--gradescope", mixed()));
  check_golden("junit_mixed_ru.xml", document("--junit", mixed()));
  check_golden("autolab_mixed.txt", document("--autolab", mixed()));
  check_golden("classroom50_mixed.json", document("--classroom50", mixed()));
  check_golden("markdown_failed_ru.md",
               format("--markdown").failed({"lab3", "variant4", error(msg::command_interrupted()), {}}));
  // An issue has the same identity in every language.
  const Json issues = Json::parse(document("--codequality", mixed())), before = Json::parse(english);
  REQUIRE(issues.size() == before.size());
  for (std::size_t i = 0; i < issues.size(); ++i) {
    CHECK(issues[i].at("fingerprint") == before[i].at("fingerprint"));
    CHECK(issues[i].at("check_name") == before[i].at("check_name"));
  }
}

TEST_CASE("every document of every result is bounded text") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  for (const ReportFormat& one : report_formats()) {
    if (std::string_view(one.option) == "--json") continue;
    for (const GradeResult& result : all()) {
      const std::string text = one.write(result);
      INFO(one.option);
      CHECK_FALSE(first_invalid_utf8(text));
      CHECK(text.size() < 300'000);
      CHECK(std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' ' && c != '\n'; }));
    }
  }
}

TEST_CASE("a version's parts have its points") {
  for (const GradeResult& result : all()) {
    for (const VersionResult& version : result.versions) {
      double points = 0, max_points = 0;
      for (const Part& part : parts_of(version)) {
        points += part.points;
        max_points += part.max_points;
        CHECK((part.state == Part::State::Passed) == part.text.empty());
      }
      CHECK(points == Approx(version.points));
      const double bonus = version.correctness.criteria.empty() ? 0 : version.bonus_points;
      CHECK(max_points == Approx(version.max_points + bonus));
    }
  }
  VersionResult left_out;
  CHECK(parts_of(left_out).empty());
}

TEST_CASE("JUnit: well-formed, as the schema says, and the counts are right") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  const auto status = [](const std::string& text) {
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "junit.xml";
    std::ofstream(file) << text;
    return test::run({.words = {"xmllint", "--noout", "--schema",
                                std::string(CUDALABS_TEST_DATA) + "/junit.xsd", file}})
        .status;
  };
  if (test::run({.words = test::shell("command -v xmllint")}).status != 0) {
    WARN("skipped: xmllint is not here");
  } else {
    for (const GradeResult& result : all()) CHECK(status(document("--junit", result)) == 0);
    CHECK(status(format("--junit").failed({"lab3", "variant4", error(verbatim(kNasty)), {}})) == 0);
    // The schema does detect errors.
    std::string wrong = document("--junit", mixed());
    CHECK(status(wrong.replace(wrong.find("correctness"), 11, "speed")) == 3);
    CHECK(status("<testsuites>\x01</testsuites>") == 1);
  }
  for (const GradeResult& result : all()) {
    const std::string text = document("--junit", result);
    const auto total = [&](const std::string& name) {
      const std::size_t at = text.find(name + "=\"") + name.size() + 2;
      return std::stoul(text.substr(at));
    };
    CHECK(total("tests") == count(text, "<testcase "));
    CHECK(total("failures") == count(text, "<failure "));
    CHECK(total("errors") == count(text, "<error "));
    CHECK(text.find("[[") == std::string::npos);  // GitLab's attachments
  }
  CHECK(count(document("--junit", partial()), "<error ") > 0);
  CHECK(count(document("--junit", mixed()), "<error ") == 0);
}

TEST_CASE("Gradescope: the keys and words that it knows") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  for (const GradeResult& result : all()) {
    const Json json = Json::parse(document("--gradescope", result));
    const std::set<std::string> known{"score",      "execution_time",    "output", "output_format",
                                      "visibility", "stdout_visibility", "tests",  "extra_data"};
    for (const auto& [key, value] : json.items()) CHECK(known.contains(key));
    CHECK(json.at("score") == result.points);
    CHECK(sum(json.at("tests"), "score") == Approx(result.points));
    CHECK(sum(json.at("tests"), "max_score") == Approx(result.max_points));
    CHECK(json.at("stdout_visibility") == "hidden");
    CHECK(json.at("output_format") == "text");
    std::set<std::string> names, numbers;
    for (const Json& one : json.at("tests")) {
      CHECK((one.at("status") == "passed" || one.at("status") == "failed"));
      CHECK(one.at("output_format") == "text");
      CHECK(one.at("visibility") == "visible");
      CHECK(names.insert(one.at("name")).second);
      CHECK(numbers.insert(one.at("number")).second);
    }
    CHECK(json.at("extra_data").at("complete") == result.complete());
  }
  CHECK(format("--gradescope").failed == nullptr);
}

TEST_CASE("PrairieLearn: a share from 0 to 1, and what does not compile costs no attempt") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  for (const GradeResult& result : all()) {
    const std::string text = document("--prairielearn", result);
    CHECK(text.size() < 1'000'000);
    const Json json = Json::parse(text);
    if (!json.at("gradable").get<bool>()) {
      CHECK(nothing_compiled(result));
      CHECK_FALSE(json.contains("score"));
      CHECK(json.at("format_errors").size() == 1);
      continue;
    }
    const double score = json.at("score");
    CHECK(score == Approx(std::min(1.0, result.points / result.max_points)));
    CHECK((score >= 0 && score <= 1));
    CHECK(sum(json.at("tests"), "points") == Approx(result.points));
    CHECK(sum(json.at("tests"), "max_points") == Approx(result.max_points));
    for (const Json& one : json.at("tests"))
      CHECK((one.at("name").is_string() && one.at("message").is_string()));
  }
  const Json failed =
      Json::parse(format("--prairielearn").failed({"lab3", "variant4", error(verbatim("/a/path")), {}}));
  CHECK(failed.at("gradable") == false);
  CHECK_FALSE(failed.contains("score"));
  CHECK(failed.dump().find("/a/path") == std::string::npos);  // students read it
}

TEST_CASE("Autolab: one line of JSON with a number a problem") {
  for (const GradeResult& result : all()) {
    const std::string text = document("--autolab", result);
    CHECK(count(text, "\n") == 1);
    CHECK(text.ends_with("}\n"));
    const Json json = Json::parse(text);
    double points = 0;
    for (const auto& [problem, score] : json.at("scores").items()) points += score.get<double>();
    CHECK(points == Approx(result.points));
  }
  CHECK(format("--autolab").failed({"lab3", "variant4", error(verbatim("/a/path")), {"global", "padded"}}) ==
        "{\"scores\":{\"global\":null,\"padded\":null}}\n");
}

TEST_CASE("Classroom 50: its keys, whole points, and never more than were earned") {
  ::setenv("CLASSROOM", "cs", 1);
  ::setenv("OWNER", "\xff<a>", 1);
  for (const GradeResult& result : all()) {
    const Json json = Json::parse(document("--classroom50", result));
    for (const char* key : {"classroom", "assignment", "assignment_type", "owner", "submission", "commit",
                            "release", "review", "datetime"})
      CHECK(json.at(key).is_string());
    CHECK(json.at("schema") == "classroom50/result/v1");
    CHECK(json.at("classroom") == "cs");
    CHECK(json.at("owner") == "?<a>");
    CHECK(json.at("score").is_number_integer());
    CHECK(json.at("score") <= result.points);
    CHECK(json.at("score") == sum(json.at("tests"), "score"));
    CHECK(json.at("max-score") == result.max_points);
    for (const Json& one : json.at("tests"))
      CHECK(
          (one.at("passed") == (one.at("score") == one.at("max-score")) && one.at("test-name").is_string()));
  }
  ::unsetenv("CLASSROOM");
  ::unsetenv("OWNER");
}

TEST_CASE("GitHub's annotations: ten commands at most, and no other one") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  GradeResult many = mixed();
  for (int i = 0; i < 30; ++i)
    many.versions[2].lost.push_back(
        {0.1, "speed", verbatim("reason " + std::to_string(i)), {}, {"a,b:c.cuh", i + 1, 0}});
  for (const GradeResult& result : {full_marks(), mixed(), compile_error(), hostile(), many}) {
    std::istringstream lines(document("--annotations", result));
    std::size_t shown = 0;
    for (std::string line; std::getline(lines, line); ++shown) {
      CHECK((line.starts_with("::error file=lab3/variant4/") ||
             line.starts_with("::warning file=lab3/variant4/") || line.starts_with("::warning title=")));
      CHECK(count(line.substr(0, line.find("::", 2)), ":") == 2);
    }
    CHECK(shown <= 10);
    CHECK((shown == 0) == result.passed());
  }
  CHECK(document("--annotations", many)
            .ends_with("::warning title=lab3 variant4::" + tr("{} more stand in the summary", 26) + "\n"));
  // An error that affects all versions is reported once.
  CHECK(count(document("--annotations", compile_error()), "\n") == 1);
}

TEST_CASE("Code Quality: GitLab's keys, and issues that it can tell apart") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  for (const GradeResult& result : all()) {
    std::set<std::string> seen;
    for (const Json& issue : Json::parse(document("--codequality", result))) {
      CHECK(issue.size() == 5);
      CHECK(issue.at("description").is_string());
      CHECK(issue.at("check_name").is_string());
      CHECK((issue.at("severity") == "major" || issue.at("severity") == "minor"));
      CHECK(seen.insert(issue.at("fingerprint")).second);
      CHECK(issue.at("location").at("path").get<std::string>().starts_with("lab3/variant4/"));
      CHECK(issue.at("location").at("lines").at("begin") >= 1);
    }
  }
  // If the figures change, the issue stays the same.
  GradeResult later = mixed();
  later.versions[2].lost[0].reason = msg::bank_conflicts_cost(msg::bank_conflicts(968751, 62501), 16.6);
  later.versions[2].lost[0].where.line = 3;
  const Json before = Json::parse(document("--codequality", mixed())),
             after = Json::parse(document("--codequality", later));
  CHECK(before.back().at("fingerprint") == after.back().at("fingerprint"));
  CHECK(before[before.size() - 2].at("fingerprint") == after[after.size() - 2].at("fingerprint"));
}

TEST_CASE("problems for editors: one line for each loss, whatever a submission put into it") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  const std::regex line(R"(([^:]+):([1-9][0-9]*):([0-9]+:)? (error|warning|note): \S.*)");
  for (GradeResult result : all()) {
    for (VersionResult& version : result.versions) {
      for (LostPoints& lost : version.lost) lost.where.file += "\nx.cu:1: error: injected\n";
    }
    std::istringstream lines(document("--problems", result));
    std::size_t count = 0;
    for (std::string text; std::getline(lines, text); ++count) CHECK(std::regex_match(text, line));
    CHECK(count == losses_of(result).size());
  }
}

TEST_CASE("SARIF: the keys that its readers need, and rules that are ids") {
  for (const GradeResult& result : all()) {
    const Json json = Json::parse(document("--sarif", result));
    CHECK(json.at("version") == "2.1.0");
    REQUIRE(json.at("runs").size() == 1);
    const Json& run = json.at("runs")[0];
    std::set<std::string> rules;
    for (const Json& rule : run.at("tool").at("driver").at("rules")) {
      CHECK(rules.insert(rule.at("id")).second);
      CHECK_FALSE(rule.at("shortDescription").at("text").get<std::string>().empty());
    }
    for (const Json& one : run.at("results")) {
      CHECK(rules.contains(one.at("ruleId").get<std::string>()));
      CHECK(std::set<std::string>{"error", "warning", "note"}.contains(one.at("level").get<std::string>()));
      CHECK_FALSE(one.at("message").at("text").get<std::string>().empty());
      CHECK(one.at("locations").size() == 1);
      CHECK(one.at("properties").at("points") > 0);
    }
  }
}

TEST_CASE("SARIF names what is wrong in a failed case, not that cases failed") {
  const Json results = Json::parse(document("--sarif", mixed())).at("runs")[0].at("results");
  CHECK(results[0].at("ruleId") == "element_wrong");
  CHECK(results[0].at("level") == "error");
  CHECK(results[0].at("properties").at("arguments").at("expected") == "-3.25");
  CHECK(results[1].at("ruleId") == "judged_with_timed_case");
  CHECK(results[1].at("level") == "note");
  CHECK(results[3].at("ruleId") == "bank_conflicts_cost");
  CHECK(results[3].at("level") == "warning");
  CHECK(results[3].at("locations")[0].at("physicalLocation").at("region").at("startLine") == 2);
}

TEST_CASE("Markdown: nothing of a submission means anything, and a fence holds every line") {
  const LanguageScope language(GENERATE(as<std::string>{}, "en", "ru"));
  const std::string text = document("--markdown", hostile());
  std::istringstream lines(text);
  std::string fence, outside;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    if (!fence.empty()) {
      if (line == fence) fence.clear();
    } else if (ticks >= 3) {
      CHECK(line.substr(ticks) == "text");
      fence = line.substr(0, ticks);
    } else {
      outside += line + "\n";
    }
  }
  CHECK(fence.empty());
  for (const char* bad : {"<script", "@everyone", " #1", "www.", "http:", "`", "**b", "$x", ":smile"}) {
    INFO(bad);
    CHECK(outside.find(bad) == std::string::npos);
  }
  CHECK(outside.find("&lt;") == std::string::npos);  // character references are numeric
  CHECK(outside.find("&#60;script&#62;alert(1)") != std::string::npos);
}

}  // namespace cudalabs
