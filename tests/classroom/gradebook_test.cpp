#include "grader/classroom/gradebook.h"

#include "grader/classroom/conditions.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// Two students with 80 and 100 points, and one whose grading failed.
ClassRecord record() {
  ClassRecord all;
  const auto add = [&all](const std::string& id, const std::string& name, double points) {
    Student student{id, name, {}, {}};
    Handed handed;
    handed.source = "source of " + id;
    if (points < 0)
      handed.problem = verbatim("nothing was handed in"), handed.source = "";
    else {
      all.gradings[handed.source].push_back(
          {1, 0, 1, points, 100, {{"global", "accepted", points, 100, 1}}, "", "", "", "", false});
      all.gradings[handed.source].back().conditions = {"nvcc 13.0.88", "simulator", "a100", "fresh", "7"};
    }
    student.hand_ins.push_back(handed);
    all.students[id] = student;
  };
  add("4711", "=cmd()", 80);
  add("4712", "Ann \"A\", Li", 100);
  add("4713", "Zoe", -1);
  return all;
}

CsvTable table(std::string_view text) {
  auto parsed = parse_csv(text, "table.csv");
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("Our own gradebook", "[gradebook]") {
  CHECK(csv_text(gradebook(record())) ==
        "student,name,points,max_points,global,late_days,late_penalty,adjusted,submitted_at,status,place,"
        "note,compiler,device,device_profile,seed_policy\r\n"
        "4711,'=cmd(),80,100,80,0,0,,,graded,,,nvcc 13.0.88,simulator,a100,fresh\r\n"
        "4712,\"Ann \"\"A\"\", Li\",100,100,100,0,0,,,graded,,,nvcc 13.0.88,simulator,a100,fresh\r\n"
        "4713,Zoe,,,,0,0,,,not graded: nothing was handed in,,,,,,\r\n");
}

TEST_CASE("Canvas's gradebook is filled in", "[gradebook]") {
  const char* const exported =
      "\xEF\xBB\xBFStudent,ID,SIS User ID,SIS Login ID,Section,Lab 2 (1),Lab 3 (2),Final Score\r\n"
      "    Points Possible,,,,,10,100,(read only)\r\n"
      "\"Smith, Jo\",4711,s1,jo,A,9,,90\r\n"
      "\"Li, Ann\",9999,4712,ann,A,8,,80\r\n"
      "\"New, Nick\",5000,s3,nick,A,7,,70\r\n";
  const auto fill = [&](const char* assignment) {
    return fill_canvas(grade_sheet(record(), assignment), table(exported), "canvas.csv");
  };
  auto filled = fill("Lab 3");
  REQUIRE(filled);
  CHECK(csv_text(filled->table) ==
        "\xEF\xBB\xBFStudent,ID,SIS User ID,SIS Login ID,Section,Lab 3 (2)\r\n"
        "    Points Possible,,,,,100\r\n"
        "\"Smith, Jo\",4711,s1,jo,A,80\r\n"
        "\"Li, Ann\",9999,4712,ann,A,100\r\n"
        "\"New, Nick\",5000,s3,nick,A,\r\n");
  CHECK(filled->filled == 2);
  CHECK(filled->missing.empty());
  CHECK(fill("Lab 4").problem().text() ==
        "canvas.csv: has no assignment 'Lab 4'\n  hint: name it as the header does, for example \"Lab 3 "
        "(4711)\": otherwise Canvas creates a new assignment");
  CHECK(fill("Lab 2").problem().message.english() == "=cmd() has 80 points; the maximum there is 10");
}

TEST_CASE("Results of several compilers are told with those who have the rarer one", "[gradebook]") {
  ClassRecord all = record();
  CHECK(differences_of(conditions_of(all)).empty());
  all.gradings["source of 4712"][0].conditions = {"clang 14.0.6", "simulator", "a100", "fresh", "8"};
  CHECK(differences_of(conditions_of(all)).english() ==
        "the results are of several compilers: nvcc 13.0.88: 1/2 (4711); clang 14.0.6: 1/2 (4712); the "
        "inputs are "
        "of several seeds: 7: 1/2 (4711); 8: 1/2 (4712)");
  // Where each student has a seed, different ones are as they should be.
  for (auto& [source, gradings] : all.gradings) gradings[0].conditions.seed_policy = "by_student";
  CHECK(differences_of(conditions_of(all)).size() == 1);
}

TEST_CASE("Moodle's worksheet is filled in", "[gradebook]") {
  const char* const worksheet =
      "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\"\n"
      "\"Participant 4711\",\"Jo Smith\",jo@example.org,Submitted,,100.00,Yes\n"
      "\"Participant 77\",\"New\",new@example.org,,,100.00,Yes\n";
  const auto fill = [&](const char* column) {
    return fill_moodle(grade_sheet(record(), column), table(worksheet), MoodleTable::Worksheet, "moodle.csv");
  };
  auto filled = fill("");
  REQUIRE(filled);
  CHECK(csv_text(filled->table) ==
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed\r\n"
        "Participant 4711,Jo Smith,jo@example.org,Submitted,80,100.00,Yes\r\n"
        "Participant 77,New,new@example.org,,,100.00,Yes\r\n");
  CHECK(filled->missing == std::vector<std::string>{"4712"});
  CHECK(fill("Bewertung").problem().text() ==
        "moodle.csv: has no column 'Bewertung'\n  hint: name the column of grades with --grade-column: "
        "Moodle translates its headers");
}

TEST_CASE("Tables", "[gradebook]") {
  CHECK(csv_text(table("a,\"b \"\"c\"\"\nd\"\r\n1\r\n\r\n,2\n")) == "a,\"b \"\"c\"\"\nd\"\r\n1,\r\n,2\r\n");
  CHECK(parse_csv("a,b\n\"1,2\n", "t.csv").problem().text() ==
        "t.csv:2: the quote opened here is never closed");
  CHECK(parse_csv("a\n1,2\n", "t.csv").problem().text() == "t.csv:2: row 2 has 2 columns; the header has 1");
  CHECK(parse_csv("", "t.csv").problem().text() == "t.csv: holds no table");
  for (const char* formula : {"=1", "+1", "-1", "@a"})
    CHECK(harmless_cell(formula) == "'" + std::string(formula));
  CHECK(harmless_cell("a\x1b[31m\tb\n") == "a?[31m?b?");
  CHECK(harmless_cell("Ann") == "Ann");
  CHECK(harmless_cell("=\u202Ennu\u2066\u200B") == "'=\\u202ennu\\u2066\\u200b");
}
