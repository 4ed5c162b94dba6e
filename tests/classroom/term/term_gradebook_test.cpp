#include "grader/classroom/term/term_gradebook.h"

#include <fmt/format.h>

#include <bit>

#include "tests/classroom/class.h"
#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

using Strings = std::vector<std::string>;

/// A batch's journal, as grader batch and adjust would write it.
class Batch {
 public:
  Batch(const std::filesystem::path& out, const std::string& lab, const std::string& variant) {
    std::filesystem::create_directories(out);
    auto opened = Journal::open(out / "journal.sqlite");
    REQUIRE(opened);
    journal_ = std::move(*opened);
    RunRecord run;
    run.lab = lab;
    run.variant = variant;
    add(event::kRun, "", body_of(run));
  }

  void add(std::string_view kind, const std::string& subject, const std::string& body) {
    REQUIRE(journal_->append(kind, subject, body));
  }
  void hand_in(const std::string& student, const std::string& name, const std::string& source,
               const Messages& problem = {}) {
    HandIn handed;
    handed.student = student;
    handed.name = name;
    handed.problem = problem;
    add(event::kHandedIn, student, body_of(handed, source));
  }
  /// A hand-in with its grading; each has another source.
  void grade(const std::string& student, const std::string& name, double points,
             const std::string& compiler = "13.0") {
    const std::string source = fmt::format("source {}", ++sources_);
    hand_in(student, name, source);
    add(event::kGraded, source,
        fmt::format(R"({{"run":1,"result":{{"device":"simulator","compiler":{{"name":"nvcc","version":"{}"}},
          "seed":"7","seed_policy":"fresh","score":{{"points":{},"max_points":50}},"versions":[]}}}})",
                    compiler, points));
  }

 private:
  std::unique_ptr<Journal> journal_;
  int sources_ = 0;
};

const char* const kClass =
    "student;name;email;lab2_variant\n"
    "4711;Ann Li;ann@x.org;variant1\n"
    "4712;Bob Ray;bob@x.org;variant2\n"
    "4713;Cy Doe;cy@x.org;\n"
    "4714;Dee Fox;dee@x.org;variant1\n";

const char* const kTerm = R"(title: CUDA
class: {file: class.csv, ids: [email]}
drop_lowest: 1
attempt: best
total: {points: 10, canvas: "Total"}
labs:
  - {lab: lab1, title: First, variants: {variant1: lab1}, canvas: "Lab 1"}
  - lab: lab2
    weight: 2
    variants: {variant1: lab2a, variant2: lab2b}
    assigned: lab2_variant
    canvas: "Lab 2"
    moodle: "Assignment: Lab 2"
  - {lab: lab3, attempt: last, variants: {variant1: lab3}, never_drop: true}
)";

void write_term(const e2e::Sandbox& sandbox) {
  sandbox.write("class.csv", kClass);
  sandbox.write("term.yaml", kTerm);
  Batch lab1(sandbox.work() / "lab1", "lab1", "variant1");
  lab1.grade("4711", "Ann Li", 50);
  lab1.grade("bob@x.org", "Ray, Bob", 10);
  lab1.grade("90001", "Cy Doe", 25);  // Moodle has another number for each assignment
  lab1.grade("9999", "Eve", 40);
  lab1.grade("Dee Fox", "Dee Fox", 0);  // a folder with a name
  Batch a(sandbox.work() / "lab2a", "lab2", "variant1"), b(sandbox.work() / "lab2b", "lab2", "variant2");
  a.grade("4711", "Ann Li", 40);
  a.grade("4711", "Ann Li", 20);
  a.grade("4712", "Bob Ray", 50);  // whose variant is the other one
  a.add(event::kWithdrawn, "4711", body_of(Adjustment{0, 0, 5, "Smith", "a copy"}));
  b.grade("4712", "Bob Ray", 30, "12.8");
  b.grade("bob@x.org", "Bob Ray", 20, "12.8");  // by another id: a second attempt
  b.hand_in("4713", "Cy Doe", "", verbatim("no file"));
  Batch lab3(sandbox.work() / "lab3", "lab3", "variant1");
  lab3.grade("4711", "Ann Li", 50);
  lab3.grade("4711", "Ann Li", 40);
  lab3.hand_in("4713", "Cy Doe", "not graded");
}

/// The cells of a student's row, by column.
std::map<std::string, std::string> row_of(const e2e::Sandbox& sandbox, const std::string& student) {
  const auto table = parse_csv(read_file(sandbox.work() / "out/term.csv"), "term.csv");
  REQUIRE(table);
  std::map<std::string, std::string> cells;
  for (const CsvRow& row : table->rows)
    if (row.front() == student)
      for (std::size_t i = 0; i < row.size(); ++i) cells[table->header[i]] = row[i];
  REQUIRE(!cells.empty());
  return cells;
}

/// A file in a zip archive.
std::string entry_of(const std::filesystem::path& file, const std::string& name) {
  archive* in = archive_read_new();
  archive_read_support_format_zip(in);
  REQUIRE(archive_read_open_filename(in, file.c_str(), 1 << 16) == ARCHIVE_OK);
  std::string text;
  archive_entry* entry = nullptr;
  while (archive_read_next_header(in, &entry) == ARCHIVE_OK) {
    if (archive_entry_pathname(entry) != name) continue;
    char bytes[4096];
    for (la_ssize_t got = 0; (got = archive_read_data(in, bytes, sizeof bytes)) > 0;)
      text.append(bytes, static_cast<std::size_t>(got));
  }
  archive_read_free(in);
  return text;
}

}  // namespace

TEST_CASE("A term: who is listed has a row, and who is not is told", "[term]") {
  const e2e::Sandbox sandbox;
  write_term(sandbox);
  const auto done = sandbox.grader({"term", "term.yaml", "--out", "out"});
  INFO(done.out << done.err);
  CHECK(done.status == 1);
  CHECK(done.out.starts_with("5 students, 3 labs, 1 not on the class list\n  lab2: nothing from "));
  CHECK(done.out.find("lab1: 9999 (Eve) is not on the class list") != std::string::npos);
  CHECK(done.out.find("lab1: 90001 is 4713 of the class list, by the name Cy Doe\n") != std::string::npos);
  CHECK(done.out.find("several compilers: nvcc 13.0: 3/4 (lab1, lab2a, lab3); nvcc 12.8: 1/4 (lab2b)\n") !=
        std::string::npos);
  CHECK(done.out.find("  1 score is open: ") != std::string::npos);

  auto ann = row_of(sandbox, "4711");
  CHECK(ann["First"] == "50");
  CHECK(ann["lab2"] == "5");
  CHECK(ann["lab2 attempts"] == "2");
  CHECK(ann["lab2 status"] == "graded: withdrawn, 5 points remain: a copy");
  CHECK(ann["lab3"] == "40");  // the last, not the best
  // The first lab is dropped: the withdrawn one stays, lab3 is never dropped. (2 * 0.1 + 0.8) / 3
  CHECK(ann["First status"] == "graded, dropped");
  CHECK(ann["total"] == "3.33");
  auto bob = row_of(sandbox, "4712");
  CHECK(bob["First"] == "10");
  CHECK(bob["lab2"] == "30");
  CHECK(bob["lab2 variant"] == "variant2");
  CHECK(bob["lab2 attempts"] == "3");
  CHECK(bob["lab2 status"] ==
        "graded: handed in variant1 of lab2, which does not count: the assigned one is variant2");
  CHECK(bob["lab3"].empty());
  CHECK(bob["lab3 status"] == "missing: nothing was handed in");
  CHECK(bob["total"] == "4");  // (2 * 0.6 + 0) / 3
  auto cy = row_of(sandbox, "4713");
  CHECK(cy["First"] == "25");
  CHECK(cy["lab2 status"] == "missing, dropped: no file; no variant of lab2 is assigned, so any counts");
  CHECK(cy["lab3 status"] == "open: not graded yet");
  CHECK(cy["total"] == "5");
  CHECK(row_of(sandbox, "4714")["First"] == "0");
  CHECK(row_of(sandbox, "4714")["total"] == "0");
  CHECK(row_of(sandbox, "9999")["note"] == "not on the class list");

  const std::string names = entry_of(sandbox.work() / "out/term.xlsx", "xl/sharedStrings.xml");
  CHECK(names.find("<t>Ann Li</t>") != std::string::npos);
  CHECK(names.find("is not on the class list") != std::string::npos);
  const std::string cells = entry_of(sandbox.work() / "out/term.xlsx", "xl/worksheets/sheet1.xml");
  CHECK(cells.find("<v>3.33</v>") != std::string::npos);
  CHECK(cells.find("<f>") == std::string::npos);  // no text becomes a formula
}

TEST_CASE("A term fills in the tables of platforms", "[term]") {
  const e2e::Sandbox sandbox;
  write_term(sandbox);
  sandbox.write("canvas.csv",
                "Student,ID,SIS Login ID,Lab 1 (1),Lab 2 (2),Total (3)\n    Points Possible,,,50,50,10\n"
                "Ann,1,4711,,,\nBob,2,bob@x.org,,,\nNew,3,new,,7,\n");
  sandbox.write("moodle.csv",
                "First name,Surname,ID number,Email address,Assignment: Lab 2\nAnn,Li,4711,ann@x.org,-\n");
  const auto done = sandbox.grader(
      {"term", "term.yaml", "--out", "out", "--canvas", "canvas.csv", "--moodle", "moodle.csv"});
  INFO(done.out << done.err);
  CHECK(done.status == 1);
  CHECK(read_file(sandbox.work() / "out/canvas.csv") ==
        "Student,ID,SIS Login ID,Lab 1 (1),Lab 2 (2),Total (3)\r\n    Points Possible,,,50,50,10\r\n"
        "Ann,1,4711,50,5,3.33\r\nBob,2,bob@x.org,10,30,4\r\nNew,3,new,,7,\r\n");
  CHECK(read_file(sandbox.work() / "out/moodle.csv") ==
        "First name,Surname,ID number,Email address,Assignment: Lab 2\r\nAnn,Li,4711,ann@x.org,5\r\n");
  CHECK(done.out.find("without a row in canvas.csv: 4713, 4714, 9999\n") != std::string::npos);
  CHECK(done.out.find("withdrawn: 4711, lab2: ") != std::string::npos);
}

TEST_CASE("A mistake in a term is told with its line", "[term]") {
  const e2e::Sandbox sandbox;
  write_term(sandbox);
  const Batch spare(sandbox.work() / "spare", "lab4", "variant1");
  const auto refused = [&](const char* before, const char* after) {
    std::string text = kTerm;
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    sandbox.write("term.yaml", text.replace(at, std::string(before).size(), after));
    const auto done = sandbox.grader({"term", "term.yaml", "--out", "refused"});
    CHECK(done.status == 2);
    CHECK_FALSE(std::filesystem::exists(sandbox.work() / "refused"));
    return done.err;
  };
  const auto begins = [&](const char* before, const char* after, const std::string& expected) {
    const std::string said = refused(before, after);
    INFO(said);
    CHECK(said.starts_with("grader: " + expected));
  };
  begins("drop_lowest: 1", "drop_lovest: 1",
         "term.yaml:3:1: unknown key 'drop_lovest'; did you mean 'drop_lowest'?");
  begins("drop_lowest: 1", "drop_lowest: 3", "term.yaml:3:14: ");
  begins("assigned: lab2_variant", "assigned: lab2_varian",
         "term.yaml:11:15: 'lab2_varian' is neither by_id, by_list nor a column of class.csv; did you mean "
         "'lab2_variant'?");
  begins("assigned: lab2_variant", "assigned: {variant1: [\"4711\", \"4717\"]}",
         "term.yaml:11:35: '4717' is not on the class list; did you mean ");
  begins("assigned: lab2_variant", "assigned: {variant3: [\"4711\"]}",
         "term.yaml:11:16: lab2 has no folder for the variant 'variant3'; did you mean ");
  begins("assigned: lab2_variant", "assigned: {variant1: [\"4711\"], variant2: [\"4711\"]}",
         "term.yaml:11:47: the student '4711' is listed twice");
  begins("variant2: lab2b", "variant2: lab2x", "term.yaml:10:33: lab2x: holds no batch");
  begins("variant2: lab2b", "variant2: lab2a", "term.yaml:10:33: duplicate folder 'lab2a'");
  begins("variant2: lab2b", "variant2: ./lab2a/", "term.yaml:10:33: duplicate folder ");
  begins("variant2: lab2b", "variant2: spare",
         "term.yaml:10:33: spare holds a batch of lab4 variant1, not of lab2 variant2");
  begins("ids: [email]", "ids: [mail]", "class.csv:1: has no column 'mail'; did you mean 'email'?");
  begins("class.csv", "klass.csv", "term.yaml:2:15: cannot read 'klass.csv'");
  begins("weight: 2", "weight: heavy", "term.yaml:9:13: ");
  begins("lab: lab3, attempt: last", "lab: lab3, attempt: lats", "term.yaml:14:26: ");

  const auto class_refused = [&](const std::string& text, const std::string& expected) {
    sandbox.write("term.yaml", kTerm);
    sandbox.write("class.csv", text);
    const auto done = sandbox.grader({"term", "term.yaml", "--out", "refused"});
    INFO(done.err);
    CHECK(done.status == 2);
    CHECK(done.err.starts_with("grader: class.csv:" + expected));
  };
  const std::string head = "student,name,email,lab2_variant\n";
  class_refused(head + "1,A,a@x,variant1\n\n1,B,b@x,\n", "4: duplicate student '1'");
  class_refused(head + "1,A,a@x,\n2,B,a@x,\n", "3: duplicate student 'a@x'");
  class_refused(head + ",A,a@x,\n", "2: a student of the class list has nothing in the column 'student'");
  class_refused(head + "1,A,a@x,variant9\n", "2: lab2 has no folder for the variant 'variant9'");
  class_refused(head, " is a class list without students");
  class_refused("student,name,email,lab2_variant\n1,\xff,a@x,\n", " is not UTF-8 text");
}

TEST_CASE("Variants follow from ids and from the list", "[term]") {
  const auto list =
      parse_class_list("student,name\n4712,Ann\ns-03b,Bob\n99999999999999999999999,Cy\n", {}, "c.csv");
  REQUIRE(list);
  const auto variants = [&](const std::string& rule) {
    const auto term = parse_term(
        "class: c.csv\nlabs:\n  - {lab: l, variants: {a: x, b: y, c: z}, assigned: " + rule + "}\n", "",
        "t.yaml");
    REQUIRE(term);
    const auto assigned = assigned_variants(*term, *list);
    REQUIRE(assigned);
    std::string text;
    for (const ListedStudent& student : list->students) text += assigned->front().at(student.id);
    return text;
  };
  CHECK(variants("by_id") == "caa");  // 4712 % 3 = 2, 3 % 3, 10^23 - 1
  CHECK(variants("by_list") == "abc");
  const auto term =
      parse_term("class: c.csv\nlabs: [{lab: l, variants: {a: x, b: y}, assigned: by_id}]\n", "", "t.yaml");
  REQUIRE(term);
  const auto nobody = parse_class_list("student,name\nann,Ann\n", {}, "c.csv");
  REQUIRE(nobody);
  CHECK(assigned_variants(*term, *nobody).problem().text().starts_with("c.csv:2: the id 'ann' has no digit"));
}

TEST_CASE("Dropping takes the labs whose absence helps most", "[term]") {
  Term term;
  TermRow row;
  const auto lab = [&](double weight, double points, TermScore::State state = TermScore::State::Scored) {
    term.labs.push_back({});
    term.labs.back().weight = weight;
    TermScore& score = row.scores.emplace_back();
    score.state = state;
    score.points = points;
    score.max_points = 100;
  };
  lab(1, 20);
  lab(10, 40);  // a higher share, but more weight
  lab(1, 90);
  term.drop_lowest = 1;
  add_total(row, term);
  CHECK(row.scores[1].dropped);
  CHECK(row.total == 55);
  // All of 2^n choices, against the rule above.
  for (int round = 0; round < 200; ++round) {
    term.labs.clear();
    row.scores.clear();
    for (int i = 0; i < 6; ++i) lab(1 + (round * 7 + i * 13) % 5, (round * 31 + i * i * 17) % 101);
    term.drop_lowest = 1 + static_cast<std::size_t>(round) % 4;
    add_total(row, term);
    double best = 0;
    for (unsigned kept = 1; kept < 64; ++kept) {
      if (std::popcount(kept) != 6 - static_cast<int>(term.drop_lowest)) continue;
      double sum = 0, weights = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        if ((kept >> i & 1) == 0) continue;
        sum += term.labs[i].weight * row.scores[i].share();
        weights += term.labs[i].weight;
      }
      best = std::max(best, sum / weights);
    }
    CHECK(*row.total == Approx(best * 100).margin(0.006));
  }
  term.labs.clear();
  row.scores.clear();
  lab(1, 0, TermScore::State::Open);
  add_total(row, term);
  CHECK_FALSE(row.total);
}
