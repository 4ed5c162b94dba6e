// Compares whole score cards and JSON documents with tests/present/formats/golden. UPDATE_GOLDEN=1 rewrites
// them: read the difference before committing it.

#include <nlohmann/json.hpp>
#include <sstream>

#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/present/formats/json.h"
#include "grader/present/layout.h"
#include "grader/present/terminal/console.h"
#include "tests/harness/catch.h"
#include "tests/harness/golden.h"
#include "tests/present/formats/sample.h"

namespace cudalabs {

using test::check_golden;

TEST_CASE("score cards") {
  ConsoleStyle style;
  check_golden("full_marks.txt", console_report(full_marks(), style));
  check_golden("with_bonus.txt", console_report(with_bonus(), style));
  check_golden("mixed.txt", console_report(mixed(), style));
  check_golden("measured.txt", console_report(measured(), style));
  check_golden("compile_error.txt", console_report(compile_error(), style));
  style.verbose = true;
  check_golden("mixed_verbose.txt", console_report(mixed(), style));
  style.verbose = false;
  style.width = 60;
  style.utf8 = false;
  check_golden("mixed_narrow_ascii.txt", console_report(mixed(), style));
  style.width = 100;
  style.colour = true;
  check_golden("mixed_colour.txt", console_report(mixed(), style));
}

TEST_CASE("score cards in Russian, with columns that are as wide as their letters") {
  const LanguageScope russian("ru");
  check_golden("mixed_ru.txt", console_report(mixed(), {}));
  check_golden("compile_error_ru.txt", console_report(compile_error(), {}));
  check_golden("measured_ru.txt", console_report(measured(), {}));
}

TEST_CASE("JSON documents are the same in every language") {
  const LanguageScope russian("ru");
  check_golden("mixed.json", json_report(mixed()));
}

TEST_CASE("JSON documents") {
  check_golden("full_marks.json", json_report(full_marks()));
  check_golden("with_bonus.json", json_report(with_bonus()));
  check_golden("mixed.json", json_report(mixed()));
  check_golden("measured.json", json_report(measured()));
  check_golden("partial.json", json_report(partial()));
}

TEST_CASE("of a line of a megabyte the card shows what stands around the column") {
  GradeResult result = mixed();
  for (std::string& line : result.source)
    line = "    " + std::string(450'000, 'x') + "HERE" + std::string(450'000, 'y');
  const std::string whole = console_report(result, {});
  CHECK(whole.size() < 20'000);
  CHECK(whole.find(std::string(10, 'x') + "...") != std::string::npos);
  for (VersionResult& version : result.versions)
    for (LostPoints& lost : version.lost) lost.where.column = 450'005;
  const std::string around = console_report(result, {});
  CHECK(around.size() < 20'000);
  const std::size_t here = around.find("HERE"), mark = around.find('^', here);
  REQUIRE(here != std::string::npos);
  const auto column = [&](std::size_t at) {
    return display_width(around.substr(around.rfind('\n', at) + 1, at - around.rfind('\n', at) - 1));
  };
  CHECK(column(here) == column(mark));
}

TEST_CASE("at any width a card shows all it knows, and no row is wider") {
  GradeResult result = mixed();
  for (std::string& line : result.source) line = "  " + std::string(70, 'x') + "HERE" + std::string(70, 'y');
  for (VersionResult& version : result.versions)
    for (LostPoints& lost : version.lost) lost.where.column = 73;
  for (int width = 40; width <= 200; ++width) {
    ConsoleStyle style;
    style.width = width;
    style.with_command = false;  // it is one line, to be copied
    const std::string card = console_report(result, style);
    INFO(card);
    std::size_t source = 0, marks = 0;
    for (const std::string& row : split_lines(card)) {
      CHECK(display_width(row) <= static_cast<std::size_t>(width));
      source +=
          static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [](char c) { return c == 'x'; }));
      marks += row.find('^') != std::string::npos ? 1 : 0;
    }
    CHECK(source >= 70);
    CHECK(marks >= 1);
    for (const char* word : {"structure", "vs reference", "vs CPU thread", "correct", "0.46x", "30.3x"})
      CHECK(card.find(word) != std::string::npos);
  }
}

TEST_CASE("a seed keeps all its 64 bits") {
  CHECK(nlohmann::json::parse(json_report(full_marks())).at("seed") == "18446744073709551615");
}

TEST_CASE("bytes that are no text still give a valid document") {
  GradeResult result = compile_error();
  result.compiler_output = verbatim("\xff\xfe\x80");
  CHECK(nlohmann::json::accept(json_report(result)));
}

TEST_CASE("a document steers nobody who looks at it") {
  GradeResult result = compile_error();
  result.compiler_output = verbatim("if (level \xe2\x80\xae\xe2\x81\xa6 != admin)");
  const std::string text = json_report(result);
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);
  CHECK(text.find("\\u202e\\u2066 != admin") != std::string::npos);
  CHECK(nlohmann::json::parse(text).at("compiler_output") == result.compiler_output.english());
}

TEST_CASE("a card is never wider than its terminal, but for source lines and compiler output") {
  for (const int width : {60, 80, 100, 130}) {
    ConsoleStyle style;
    style.width = width;
    std::istringstream lines(console_report(mixed(), style));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK((line.starts_with("Repeat this run") || static_cast<int>(display_width(line)) <= width));
    }
  }
}

TEST_CASE("a report never says both estimated and measured") {
  ConsoleStyle style;
  style.verbose = true;
  CHECK(console_report(measured(), style).find("estimated") == std::string::npos);
  CHECK(console_report(full_marks(), style).find("measured") == std::string::npos);
}

TEST_CASE("beside the failure that is told every other one is listed, the first too") {
  GradeResult result = mixed();
  VersionResult& version = result.versions[0];
  const CaseFailure& told = version.correctness.failures[2];
  version.lost[0].reason = msg::cases_failed(4, 22, 0, "most", told.case_name, told.message);
  version.lost[0].case_name = told.case_name;
  ConsoleStyle style;
  style.verbose = true;
  style.width = 160;
  const std::string card = console_report(result, style);
  for (const CaseFailure& failure : version.correctness.failures) {
    CAPTURE(failure.case_name);
    const std::size_t named = card.find(failure.case_name);
    REQUIRE(named != std::string::npos);
    CHECK(card.find(failure.case_name, named + 1) == std::string::npos);
  }
}

TEST_CASE("one line for scripts") { CHECK(summary_line(mixed()) == "lab3 variant4: 42.45 of 100 points"); }

}  // namespace cudalabs
