#include "grader/classroom/intake/plain_layout.h"

#include "grader/classroom/intake/utf8_name.h"
#include "tests/classroom/class.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

const std::string kText = "__global__ void f() {}\n";

/// "layout: alice, bob | ignored: roster.csv"
std::string students(const std::map<std::string, std::string>& files, const std::string& name = "class") {
  const TemporaryFolder folder;
  write_files(folder.path() / name, files);
  const ClassSources sources = class_of(folder.path() / name);
  std::string text = sources.layout + ":";
  for (const HandIn& one : sources.hand_ins) text += " " + one.student + (one.problem.empty() ? "" : "!");
  for (const std::string& beside : sources.beside) text += " | " + beside;
  return text;
}

}  // namespace

TEST_CASE("Every hand-in has a row", "[layouts]") {
  const auto row = [](const std::string& path) { return std::pair(path, kText); };
  CHECK(students({row("j.smith.cu"), row("j.doe.cu"), row("j.doe.v2/row_max.cu")}) ==
        "folders: j.doe j.doe.v2 j.smith");
  CHECK(students({row("a/src/row_max.cu"), row("b/src/row_max.cu"), row("c/src/row_max.cu"),
                  row("c/old/row_max.cu")}) == "folders: a b c");
  CHECK(students({row("a/p1/row_max.cu"), row("b/p2/row_max.cu")}) == "folders: a b");
  // Sections, also with one name in both, and a student without a source.
  CHECK(students({row("mon/ann/row_max.cu"),
                  row("mon/bob/k.cu"),
                  row("tue/ann/row_max.cu"),
                  row("tue/eve/row_max.cu"),
                  {"tue/zoe/report.pdf", "x"},
                  {"tue/roster.csv", "x"}}) == "folders: mon/ann bob tue/ann eve zoe! | tue/roster.csv");
  // The stub beside the students, and tables.
  CHECK(students({row("row_max.cu"), row("ann/row_max.cu"), row("bob/row_max.cu"), {"grades.csv", "x"}}) ==
        "folders: ann bob row_max | grades.csv");
  // Whatever a student's file is, alone or beside a folder of the same name.
  CHECK(students({row("ann.cu"),
                  {"ann.pdf", "x"},
                  {"bob.docx", "x"},
                  row("cy/k.cu"),
                  row("cy.cu.txt"),
                  {"dan.rar", "x"},
                  {"eve.py", "x"}}) == "folders: ann bob! cy! dan! eve!");
  CHECK(students({row("ann_row_max.cu"), row("bob_row_max.cu")}) == "folders: ann_row_max bob_row_max");
  CHECK(students({row("ann_row_max.cu"), row("bob/row_max.cu")}) == "folders: ann_row_max bob");
  CHECK(students({row("src/row_max.cu")}, "alice") == "folders: alice");
  CHECK(students({row("row max.cu"), {"report.pdf", "x"}}, "alice") == "one submission: alice");
  // Names that a service might have given, and did not.
  CHECK(students({row("1_16_1_29/row_max.cu"), row("2_16_1_03/row_max.cu"), row("1_07_1_12/row_max.cu")}) ==
        "folders: 1_07_1_12 1_16_1_29 2_16_1_03");
  CHECK(students({row("k1_1_16_1_29.cu"), row("k1_1_17_1_12.cu"), row("k1_2_23_2_21.cu")}) ==
        "folders: k1_1_16_1_29 k1_1_17_1_12 k1_2_23_2_21");
  CHECK(students({row("t_12_34_a/row_max.cu"), row("t_12_35_b/row_max.cu"), row("u_13_36_c/row_max.cu")}) ==
        "folders: t_12_34_a t_12_35_b u_13_36_c");
}

TEST_CASE("A service's download with something in it by hand", "[layouts]") {
  const auto row = [](const std::string& path) { return std::pair(path, kText); };
  CHECK(students({row("Jo_4711_assignsubmission_file_/row_max.cu"),
                  row("Li_4712_assignsubmission_file_/x.cu"),
                  {"late.zip", "x"},
                  row("by mail/row_max.cu"),
                  {"index.html", "x"}}) == "Moodle: 4711 4712 by mail late! | index.html");
  CHECK(students({row("jo_4711_90001_row_max.cu"), row("li_LATE_4712_90002_row_max.cu"), row("ann.cu")}) ==
        "Canvas: 4711 4712 ann");
  CHECK(students({row("cuda-1-jo/row_max.cu"), row("cuda-1/row_max.cu"), row("again/row_max.cu")},
                 "cuda-1_submissions") == "Classroom 50: jo again");
  const std::string table =
      "submission_1:\n  :submitters:\n  - :name: Jo\n    :sid: '1'\n  :created_at: 2026-03-01 12:00:00 Z\n"
      "submission_2:\n  :submitters:\n  - :name: Jo\n    :sid: '1'\n  :created_at: 2026-03-02 12:00:00\n"
      "submission_3:\n  :submitters:\n  - :name: Al\n  - :name: Bo\nsubmission_4: nonsense\n";
  CHECK(students({{"submission_metadata.yml", table},
                  {"submission_1/row_max.cu", "1"},
                  {"submission_2/row_max.cu", "2"},
                  row("submission_3/row_max.cu"),
                  row("submission_9/row_max.cu")}) ==
        "Gradescope: 1 Al (submission_3) Bo (submission_3) submission_9");
  CHECK(students(
            {{"submission_metadata.yml", "{"}, row("submission_1/row_max.cu"), row("submission_2/x.cu")}) ==
        "folders: submission_1 submission_2 | submission_metadata.yml");
}

TEST_CASE("Ids that look alike are two, and that is told", "[layouts]") {
  const TemporaryFolder folder;
  write_files(folder.path() / "c", {{"Jose\u0301.cu", kText},
                                    {"Jos\u00e9.cu", kText},
                                    {"jose.cu", kText},
                                    {"Й.cu", kText},
                                    {"И\u0306.cu", kText},
                                    {"Ann.cu", kText}});
  const ClassSources sources = class_of(folder.path() / "c");
  CHECK(sources.hand_ins.size() == 6);
  for (const HandIn& one : sources.hand_ins)
    CHECK((one.note.english().find("another student's id differs only") != std::string::npos) ==
          (one.student != "Ann"));
  CHECK(folded_id("JOSÉ Ёж") == folded_id("jose\u0301 еж"));
  CHECK(folded_id("Łukasz") == "lukasz");
  CHECK(folded_id("Анна") != folded_id("Инна"));
  CHECK(folded_id("王\xff\xc3") == "王\xff\xc3");
}

TEST_CASE("Moodle's worksheet and Canvas's names give the times", "[layouts]") {
  const TemporaryFolder folder;
  const std::string sheet =
      "Identifier,Full name,Status,Grade,Last modified (submission),Last modified (grade)\n"
      "Participant 4711,Jo,Submitted,,\"Sunday, 1 March 2026, 11:59 PM\",\"Monday, 2 March 2026, 9:00 AM\"\n"
      "Participant 4712,Li,No submission,,-,-\n";
  write_files(folder.path() / "m", {{"x/Jo_4711_assignsubmission_file_/row_max.cu", kText},
                                    {"x/Li_4712_assignsubmission_file_/row_max.cu", kText},
                                    // A student's own table is nobody's time.
                                    {"x/Li_4712_assignsubmission_file_/grades.csv", sheet},
                                    {"grades.csv", sheet}});
  const ClassSources moodle = class_of(folder.path() / "m");
  CHECK(moodle.layout == "Moodle");
  REQUIRE(moodle.hand_ins.size() == 2);
  CHECK(moodle.hand_ins[0].time == HandInTime{1772409540, true});
  CHECK(moodle.hand_ins[1].time == HandInTime{});
  write_files(folder.path() / "c",
              {{"jo_4711_90001_row_max.cu", kText}, {"li_LATE_4712_90002_row_max.cu", kText}});
  const ClassSources canvas = class_of(folder.path() / "c");
  REQUIRE(canvas.hand_ins.size() == 2);
  CHECK(canvas.hand_ins[0].time == HandInTime{0, false, false});
  CHECK(canvas.hand_ins[1].time == HandInTime{0, false, true});
}
