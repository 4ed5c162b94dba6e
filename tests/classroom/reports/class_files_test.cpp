// What a class's teacher, students and learning platforms get, by the real grader.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "grader/classroom/class_record.h"
#include "grader/classroom/reports/class_files.h"
#include "grader/classroom/reports/pseudonyms.h"
#include "grader/present/csv.h"
#include "tests/classroom/class.h"
#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

using namespace cudalabs;
using namespace cudalabs::test;
using Strings = std::vector<std::string>;

namespace {

const std::string kTable =
    read_file(std::filesystem::path(CUDALABS_SOURCE) / "reference/lab1/variant1/table.cu");

/// The entries of an archive: names and texts.
std::map<std::string, std::string> entries_of(const std::filesystem::path& file) {
  std::map<std::string, std::string> entries;
  archive* in = archive_read_new();
  archive_read_support_format_zip(in);
  REQUIRE(archive_read_open_filename(in, file.c_str(), 1 << 16) == ARCHIVE_OK);
  archive_entry* entry = nullptr;
  while (archive_read_next_header(in, &entry) == ARCHIVE_OK) {
    std::string text(static_cast<std::size_t>(archive_entry_size(entry)), '\0');
    REQUIRE(archive_read_data(in, text.data(), text.size()) == static_cast<la_ssize_t>(text.size()));
    entries[archive_entry_pathname(entry)] = text;
  }
  archive_read_free(in);
  return entries;
}

ClassRecord recorded_in(const std::filesystem::path& out) {
  auto journal = Journal::open(out / "journal.sqlite");
  REQUIRE(journal);
  auto record = read_record(**journal);
  REQUIRE(record);
  return *record;
}

}  // namespace

TEST_CASE("Teacher, students and platforms get what they need of a class", "[class]") {
  const e2e::Sandbox sandbox;
  e2e::without_large_cases(sandbox.course(), "lab1/variant1", 68000);
  const std::filesystem::path out = sandbox.work() / "out";
  std::map<std::string, std::string> download = {
      {"adalove_4701_9001_table.cu", kTable},
      {"bobbing_4702_9002_table.cu", kTable},
      {"carolus_LATE_4703_9003_table.cu", "#error unfinished\n"},
      {"erinnys_4705_9005_report.pdf", "x"},
  };
  const auto grade = [&] {
    write_archive(sandbox.work() / "submissions.zip", download);
    return sandbox.grader(
        {"batch", "lab1", "variant1", "submissions.zip", "--out", "out", "--seed", "7", "--jobs", "2"});
  };
  REQUIRE(grade().status == 1);
  download["carolus_LATE_4703_9004_table-1.cu"] = kTable + "// again\n";
  download.erase("carolus_LATE_4703_9003_table.cu");
  REQUIRE(grade().status == 1);
  REQUIRE(
      sandbox.grader({"adjust", "out", "4702", "-12.5", "--reason", "a <b> oral exam", "--author", "Smith"})
          .status == 1);
  const auto page = [&](const std::string& name) { return read_file(out / name); };
  const auto shows = [&](const std::string& name, const Strings& pieces) {
    const std::string text = page(name);
    for (const std::string& piece : pieces) {
      INFO(name << ": " << piece);
      CHECK(text.find(piece) != std::string::npos);
    }
  };

  // Every student has a row, a page and a text, graded or not.
  for (const char* const id : {"4701", "4702", "4703", "4705"}) {
    shows("class.html", {fmt::format("<a href=\"feedback/{}.html\">{}</a>", id, id)});
    CHECK(std::filesystem::exists(out / "feedback" / (std::string(id) + ".txt")));
  }
  shows("feedback/4702.html",
        {"<p class=\"who\">bobbing</p>", "<span class=\"big\">87.5 <small>of 100 points</small></span>",
         "by hand: a &lt;b&gt; oral exam", "-12.5", "Every criterion", "Attempts so far: 1"});
  shows("feedback/4702.txt", {"bobbing\n", "87.5 of 100 points\n", "-12.5  by hand: a <b> oral exam\n",
                              "Every criterion\n", "Attempts so far: 1\n"});
  shows("feedback/4703.html", {"Attempts so far: 2", "counts"});
  shows("feedback/4705.html", {"no table.cu was handed in"});
  shows("feedback/4705.txt", {"no table.cu was handed in"});
  // Identical files and files like the reference are shown, and pairs stand side by side.
  shows("class.html", {"Identical files", "adalove, bobbing", "Like the reference solution",
                       "Attempts over time", "(a &lt;b&gt; oral exam)", "similar/4701_reference"});
  std::size_t pairs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(out / "similar")) {
    ++pairs;
    CHECK(read_file(entry.path()).find("% of their code in common") != std::string::npos);
  }
  CHECK(pairs >= 3);

  // The leaderboard names nobody, and each student knows the own pseudonym.
  const ClassRecord record = recorded_in(out);
  const auto names = pseudonyms(record);
  const std::string board = page("leaderboard.html");
  for (const auto& [id, student] : record.students) {
    CHECK(board.find(id) == std::string::npos);
    CHECK(board.find(student.name) == std::string::npos);
    shows("feedback/" + id + ".html", {names.at(id)});
    CHECK((board.find(names.at(id) + "<") != std::string::npos) == (id != "4705"));
  }
  CHECK(board.find("<script") == std::string::npos);

  // Canvas takes the pages under the names of its own download.
  const auto canvas =
      sandbox.grader({"feedback", "out", "--canvas", "submissions.zip", "--names", "pseudonym"});
  INFO(canvas.out << canvas.err);
  CHECK(canvas.out.find("canvas_feedback.zip: 4 students\n") != std::string::npos);
  const auto for_canvas = entries_of(out / "canvas_feedback.zip");
  Strings found;
  for (const auto& [name, text] : for_canvas) found.push_back(name);
  CHECK(found == Strings{"adalove_4701_9001_lab1-variant1.html", "bobbing_4702_9002_lab1-variant1.html",
                         "carolus_LATE_4703_9004_lab1-variant1.html",
                         "erinnys_4705_9005_lab1-variant1.html"});
  CHECK(for_canvas.at(found[1]) == page("feedback/4702.html"));
  CHECK(page("feedback/4702.html").find("bobbing") == std::string::npos);
  shows("feedback/4702.html", {"<p class=\"who\">" + names.at("4702") + "</p>"});

  // Moodle finds the participant by the number; its worksheet gets grades and comments.
  sandbox.write("worksheet.csv",
                "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\n"
                "Participant 4701,Ada_L. Ove,a@x,,100,\nParticipant 4702,Bob,b@x,,100,old\n"
                "Participant 4705,Erin,e@x,,100,\nParticipant 99,Zoe,z@x,,100,kept\n");
  const auto moodle = sandbox.grader({"feedback", "out", "--moodle", "worksheet.csv", "--names", "name"});
  INFO(moodle.out << moodle.err);
  CHECK(moodle.status == 1);
  CHECK(moodle.out.find("without a row or an upload in worksheet.csv: 4703\n") != std::string::npos);
  const auto for_moodle = entries_of(out / "moodle_feedback.zip");
  CHECK(for_moodle.size() == 3);
  CHECK(for_moodle.at("bobbing_4702_assignfeedback_file_/lab1-variant1.html") == page("feedback/4702.html"));
  const auto table = parse_csv(page("moodle.csv"), "moodle.csv");
  REQUIRE(table);
  CHECK(table->rows[1][3] == "87.5");
  CHECK(table->rows[1][5].starts_with("<pre>bobbing\n"));
  CHECK(table->rows[1][5].find("a &lt;b&gt; oral exam") != std::string::npos);
  CHECK(table->rows[2][3].empty());
  CHECK(table->rows[2][5].find("no table.cu was handed in") != std::string::npos);
  CHECK(table->rows[3][5] == "kept");

  const auto refused = [&](const Strings& words, const std::string& why) {
    Strings all = {"feedback", "out"};
    all.insert(all.end(), words.begin(), words.end());
    const auto outcome = sandbox.grader(all);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find(why) != std::string::npos);
  };
  refused({}, "feedback is packed for Moodle or for Canvas");
  refused({"--canvas", "submissions.zip", "--names", "nick"}, "pages cannot name a student by 'nick'");
  refused({"--canvas", "nowhere.zip"}, "no such file");
  refused({"--moodle", "worksheet.csv", "--comments-column", "Feedback comment"},
          "has no column 'Feedback comment'; did you mean 'Feedback comments'?");
  write_archive(sandbox.work() / "other.zip", std::map<std::string, std::string>{{"a/table.cu", kTable}});
  refused({"--canvas", "other.zip"}, "has no file with a name of Canvas's");
}
