// Odd hand-ins through the program: a class, single gradings, and lateness.

#include <sstream>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

std::string right() { return read_file(CUDALABS_SOURCE "/reference/lab3/variant4/row_max.cu"); }

Outcome run_by_clang(const Sandbox& sandbox, std::vector<std::string> words) {
  if (words.front() != "gradebook")
    words.insert(words.end(), {"--compiler", "clang", "--device", "simulator"});
  return sandbox.grader(words, {{"XDG_CACHE_HOME", CUDALABS_BIN "/../e2e-cache"}});
}

/// The lines of a gradebook below its header, by their first cell.
std::map<std::string, std::string> gradebook_rows(const Sandbox& sandbox, const std::string& out) {
  std::map<std::string, std::string> all;
  std::istringstream lines(read_file(sandbox.work() / out / "gradebook.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) all[line.substr(0, line.find(','))] = line;
  return all;
}

std::string utf16(const std::string& text) {
  std::string wide = "\xff\xfe";
  for (const char c : text) wide += std::string{c, '\0'};
  return wide;
}

std::string notebook(const std::string& cell) {
  return nlohmann::json{{"nbformat", 4}, {"cells", {{{"cell_type", "code"}, {"source", cell}}}}}.dump();
}

}  // namespace

TEST_CASE("a class of odd hand-ins has a row for each, and single gradings agree", "[intake]") {
  const Sandbox sandbox;
  const std::map<std::string, std::string> graded = {
      {"a.b_c/row max (final) v2.cu", right()},
      {"A.B_C/project/src/row_max.cu", right()},
      {"\u00e9va/Row_Max.CU", right()},
      {"e\u0301va/row_max.cu.txt", right()},
      {"ann_bob/deep/er/row_max.cu", right()},
      {"wide/row_max.cu", utf16(right())},
      {"mark/row_max.cu", "\xef\xbb\xbf" + right()},
      {"note/x.ipynb", notebook("%%writefile row_max.cu\n" + right())},
      {"cell/x.ipynb", notebook("%%cuda\n" + right())},
      {"1_16_1_29/kernel.cu", right()},
  };
  for (const auto& [name, text] : graded) sandbox.write("class/" + name, text);
  sandbox.write("class/mark/__MACOSX/._row_max.cu", "x");
  sandbox.write("class/paper/report.pdf", "x");
  sandbox.write("class/two/row_max_1.cu", right());
  sandbox.write("class/two/row_max_2.cu", right() + "//\n");
  sandbox.write("class/roster.csv", "x");
  const Outcome batch = run_by_clang(sandbox, {"batch", "lab3", "variant4", "class", "--out", "out"});
  INFO(batch.err << batch.out);
  CHECK(batch.status == 1);
  const auto table = gradebook_rows(sandbox, "out");
  CHECK(table.size() == graded.size() + 2);
  for (const auto& [name, text] : graded) {
    const std::string student = name.substr(0, name.find('/'));
    INFO(student);
    REQUIRE(table.contains(student));
    CHECK(table.at(student).starts_with(student + "," + student + ",100,100,"));
  }
  CHECK(table.at("paper").find("no row_max.cu was handed in, only report.pdf") != std::string::npos);
  CHECK(table.at("two").find("row_max_1.cu, row_max_2.cu; Keep one of them, as row_max.cu.") !=
        std::string::npos);
  CHECK(batch.err.find("ignored, because it is no submission: roster.csv\n") != std::string::npos);

  // The note is in the result, for services.
  const Outcome alone =
      run_by_clang(sandbox, {"lab3", "variant4", "--submission", "class/a.b_c", "--json", "r.json"});
  CHECK(alone.status == 0);
  const auto result = nlohmann::json::parse(read_file(sandbox.work() / "r.json")).at("nondeterministic");
  CHECK(result.at("submission") == "class/a.b_c/row max (final) v2.cu");
  CHECK(result.at("submission_note") ==
        "row max (final) v2.cu is used as row_max.cu: its name is the most like it");
  CHECK(alone.out.find("is used as row_max.cu") != std::string::npos);
  const Outcome none =
      run_by_clang(sandbox, {"lab3", "variant4", "--submission", "class/two", "--json", "none.json"});
  CHECK(none.status == 4);
  CHECK(none.err.find("it may be one of row_max_1.cu, row_max_2.cu") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "none.json"));
}

TEST_CASE("lateness by Moodle's worksheet, Canvas's word, and a rule with groups", "[intake]") {
  const Sandbox sandbox;
  const std::string moodle = "moodle/Jo_4711_assignsubmission_file_/row_max.cu";
  sandbox.write(moodle, right());
  sandbox.write("moodle/Li_4712_assignsubmission_file_/row_max.cu", right());
  sandbox.write("sheet.csv",
                "Identifier,Full name,Last modified (submission)\n"
                "Participant 4711,Jo,\"Sunday, 1 March 2026, 11:59 PM\"\n"
                "Participant 4712,Li,\"Monday, 2 March 2026, 12:01 AM\"\n");
  sandbox.write("rule.yaml",
                "due: 2026-03-01T23:59:00+05:00\npenalty_per_day: 10%\ngroups:\n"
                "  - {group: ill, students: [\"4713\"], extension_days: 1}\n"
                "students:\n  - {student: \"4721\", late_days: 2}\n");
  const Outcome first = run_by_clang(
      sandbox, {"batch", "lab3", "variant4", "moodle", "sheet.csv", "--late", "rule.yaml", "--out", "m"});
  INFO(first.err << first.out);
  CHECK(first.status == 0);
  auto table = gradebook_rows(sandbox, "m");
  CHECK(table.at("4711").starts_with("4711,Jo,100,100,30,35,35,0,0,,2026-03-01T23:59:00,"));
  CHECK(table.at("4712").starts_with("4712,Li,90,100,30,35,35,1,10,,2026-03-02T00:01:00,"));
  CHECK(first.err.find("sheet.csv: the times of 2 students\n") != std::string::npos);
  // Ids of the rule that the class does not have.
  CHECK(first.err.find("the rule for lateness names '4713', not in this class; did you mean") !=
        std::string::npos);
  CHECK(first.err.find("the rule for lateness names '4721', not in this class") != std::string::npos);

  sandbox.write("canvas/jo_4711_90001_row_max.cu", right());
  sandbox.write("canvas/li_LATE_4712_90002_row_max.cu", right());
  sandbox.write("canvas/al_LATE_4713_90003_row_max.cu", right());
  const Outcome second =
      run_by_clang(sandbox, {"batch", "lab3", "variant4", "canvas", "--late", "rule.yaml", "--out", "c"});
  INFO(second.err << second.out);
  table = gradebook_rows(sandbox, "c");
  CHECK(table.at("4711").starts_with("4711,jo,100,100,30,35,35,0,0,"));
  CHECK(table.at("4712").starts_with("4712,li,90,100,30,35,35,1,10,"));
  CHECK(table.at("4713").starts_with("4713,al,100,100,30,35,35,unknown,0,"));
  CHECK(second.err.find("a day each counts: 4712") != std::string::npos);
  CHECK(second.err.find("so no lateness counts: 4713") != std::string::npos);

  sandbox.write("zoneless.yaml", "due: 2026-03-01T23:59:00\n");
  const Outcome refused = run_by_clang(sandbox, {"gradebook", "c", "--late", "zoneless.yaml"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("zoneless.yaml:1:6: 'due' must name its zone") != std::string::npos);
}

}  // namespace e2e
