#include "grader/classroom/class_record.h"

#include <fmt/format.h>

#include <optional>

#include "grader/base/text.h"
#include "grader/classroom/gradebook.h"
#include "grader/diagnostics/messages/classroom.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

/// A journal in a separate folder.
struct Class {
  TemporaryFolder folder;
  std::unique_ptr<Journal> journal;

  Class() {
    auto opened = Journal::open(folder.path() / "journal.sqlite");
    REQUIRE(opened);
    journal = std::move(*opened);
  }
  std::int64_t add(std::string_view kind, std::string_view subject, const std::string& body,
                   std::string_view key = {}) {
    auto number = journal->append(kind, subject, body, key);
    REQUIRE(number);
    return *number;
  }
  void hand_in(const std::string& student, const std::string& source, std::int64_t at = 0,
               const std::string& problem = "") {
    HandIn handed;
    handed.student = handed.name = student;
    handed.place = "class: " + student + "/row_max.cu";
    handed.time.at = at;
    handed.problem = verbatim(problem);
    add(event::kHandedIn, student, body_of(handed, source));
  }
  std::int64_t grade(const std::string& source, double points, const std::string& verdict = "accepted") {
    return add(event::kGraded, source,
               fmt::format(R"({{"run":1,"result":{{"score":{{"points":{0},"max_points":100}},"versions":[
                 {{"name":"global","verdict":"{1}","points":{0},"max_points":100,"speed":{{}}}}]}}}})",
                           points, verdict));
  }
  /// Of a lab with a manual criterion and a leaderboard. `time`: none if the version is wrong.
  void grade_open(const std::string& source, double points, std::optional<double> time) {
    add(event::kGraded, source,
        fmt::format(R"({{"run":1,"result":{{"score":{{"points":{0},"max_points":80,"bonus_points":0}},
          "open":[{{"name":"style","by":"hand","titles":{{"en":"readable code"}},"max_points":10}},
                  {{"name":"leaderboard","by":"rank","titles":{{}},"max_points":10,
                    "ranks":[[1,10],[2,7],[3,4]]}}],
          "versions":[{{"name":"global","verdict":"{1}","points":{0},"max_points":80,
                        "speed":{{"time_ns":{2}}}}}]}}}})",
                    points, time ? "accepted" : "wrong_answer", time.value_or(0)));
  }
  ClassRecord record() const {
    auto read = read_record(*journal);
    REQUIRE(read);
    return *read;
  }
  double points(const std::string& student) const {
    const ClassRecord all = record();
    return grade_of(all, all.students.at(student)).points;
  }
};

}  // namespace

TEST_CASE("The last grading of the last hand-in counts", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  CHECK(grade_of(c.record(), c.record().students.at("alice")).problem == Messages(msg::not_graded_yet()));
  CHECK(ungraded(c.record()) == std::vector<std::string>{"a"});
  c.grade("a", 80);
  CHECK(c.points("alice") == 80);
  CHECK(ungraded(c.record()).empty());
  c.hand_in("alice", "b");
  CHECK(ungraded(c.record()) == std::vector<std::string>{"b"});
  c.grade("b", 60);
  CHECK(c.points("alice") == 60);
}

TEST_CASE("An id that is no text, in a journal of an earlier grader, is the student's of today", "[batch]") {
  Class c;
  c.hand_in("J\xfcrgen", "a");
  c.hand_in("J\xf6rgen", "b");
  c.grade("a", 80);
  c.add(event::kAdjusted, "J\xfcrgen", body_of(Adjustment{0, 0, 5, "Smith", "oral exam"}));
  CHECK(c.points("J\\xfcrgen") == 85);
  c.hand_in("J\\xfcrgen", "c");
  c.grade("c", 90);
  CHECK(c.record().students.size() == 2);
  CHECK(c.points("J\\xfcrgen") == 95);
  CHECK_FALSE(first_invalid_utf8(csv_text(gradebook(c.record()))));
}

TEST_CASE("Identical sources are graded once, and count for each", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.hand_in("bob", "a");
  CHECK(ungraded(c.record()).size() == 1);
  c.grade("a", 70);
  CHECK(c.points("alice") == 70);
  CHECK(c.points("bob") == 70);
}

TEST_CASE("A regrade can be undone, and done again", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.grade("a", 80);
  const std::int64_t second = c.grade("a", 50);
  CHECK(c.points("alice") == 50);
  c.add(event::kUndone, "", undone_body(second));
  CHECK(c.points("alice") == 80);
  c.add(event::kUndone, "", undone_body(second));
  CHECK(c.points("alice") == 50);
  CHECK(can_be_undone(c.record(), second));
  CHECK_FALSE(can_be_undone(c.record(), 1));
}

TEST_CASE("Points by hand outlast every regrade", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.grade("a", 80);
  const std::int64_t by_hand =
      c.add(event::kAdjusted, "alice", body_of(Adjustment{0, 0, 7.5, "Smith", "oral"}));
  CHECK(c.points("alice") == 87.5);
  c.grade("a", 60);
  CHECK(c.points("alice") == 67.5);
  c.add(event::kUndone, "", undone_body(by_hand));
  CHECK(c.points("alice") == 60);
  c.add(event::kAdjusted, "alice", body_of(Adjustment{0, 0, -90, "Smith", "copied"}));
  CHECK(c.points("alice") == 0);
}

TEST_CASE("Manual criteria are open until a person fills them in, and outlast regrades", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.grade_open("a", 60, std::nullopt);
  const auto grade = [&] { return csv_text(gradebook(c.record())); };
  CHECK(grade().find("student,name,points,max_points,global,style,leaderboard,") == 0);
  CHECK(grade().find("alice,alice,60,100,60,,0,") != std::string::npos);
  CHECK(grade().find(",\"graded, open: style\",") != std::string::npos);
  REQUIRE(manual_criteria(c.record()).size() == 1);
  Adjustment first{0, 0, 0, "Smith", "read"}, second = first;
  first.criteria = {{"style", 5}};
  second.criteria = {{"style", 8}};
  c.add(event::kAdjusted, "alice", body_of(first));
  CHECK(c.points("alice") == 65);
  const std::int64_t last = c.add(event::kAdjusted, "alice", body_of(second));
  CHECK(c.points("alice") == 68);  // it replaces the first one
  c.grade_open("a", 40, std::nullopt);
  CHECK(c.points("alice") == 48);
  CHECK(grade().find("alice,alice,48,100,40,8,0,") != std::string::npos);
  CHECK(grade().find(",graded,") != std::string::npos);
  c.add(event::kUndone, "", undone_body(last));
  CHECK(c.points("alice") == 45);
}

TEST_CASE("Points by rank follow the places in the class", "[batch]") {
  Class c;
  for (const char* student : {"alice", "bob", "carol", "dave", "erin"}) c.hand_in(student, student);
  c.grade_open("alice", 80, 200);
  c.grade_open("bob", 80, 100);
  c.grade_open("carol", 70, 200);  // as fast as alice
  c.grade_open("dave", 30, std::nullopt);
  CHECK(c.points("bob") == 90);
  CHECK(c.points("alice") == 87);
  CHECK(c.points("carol") == 77);
  CHECK(c.points("dave") == 30);
  c.grade_open("erin", 80, 300);
  CHECK(c.points("erin") == 80);  // the fourth, behind two that share the second place
  const std::int64_t before = c.record().last_event;
  c.grade_open("dave", 50, 50);
  const ClassRecord record = c.record();
  const auto points = [&](const char* student, std::int64_t until) {
    return grade_of(record, record.students.at(student), until).points;
  };
  CHECK(points("dave", 0) == 60);
  CHECK(points("bob", 0) == 87);
  CHECK(points("alice", 0) == 84);
  CHECK(points("bob", before) == 90);  // as it was then
  CHECK(points("dave", before) == 30);
}

TEST_CASE("Withdrawn work keeps its row and its evidence, and has no place", "[batch]") {
  Class c;
  for (const char* student : {"alice", "bob", "carol"}) c.hand_in(student, student);
  c.grade_open("alice", 80, 100);
  c.grade_open("bob", 80, 200);
  c.grade_open("carol", 70, std::nullopt);
  c.add(event::kRules, "", late_rules_body("due: 2026-03-01T00:00:00Z\npenalty_per_day: 50%\n"));
  CHECK(c.points("alice") == 90);
  CHECK(c.points("bob") == 87);
  c.add(event::kAdjusted, "alice", body_of(Adjustment{0, 0, 5, "Smith", "oral"}));
  const std::int64_t withdrawn =
      c.add(event::kWithdrawn, "alice", body_of(Adjustment{0, 0, 12, "Smith", "bob's solution"}));
  CHECK(c.points("alice") == 12);  // neither the earlier adjustment nor the place adds to it
  CHECK(c.points("bob") == 90);    // who moves up
  const ClassRecord record = c.record();
  const Grade grade = grade_of(record, record.students.at("alice"));
  CHECK(grade.grading != nullptr);
  CHECK(withdrawal_note(grade).english() == "withdrawn, 12 points remain: bob's solution");
  const std::string table = csv_text(gradebook(record));
  CHECK(table.find("alice,alice,12,100,80,,,") != std::string::npos);
  CHECK(table.find(",withdrawn by Smith: bob's solution,") != std::string::npos);
  CHECK(grade_of(record, record.students.at("alice"), withdrawn - 1).points == 95);
  CHECK(can_be_undone(record, withdrawn));
  const std::int64_t before = record.last_event;
  // Later decisions: points, another withdrawal, a new hand-in, and the undoing of each withdrawal.
  c.add(event::kAdjusted, "alice", body_of(Adjustment{0, 0, 3, "Smith", "reviewed"}));
  CHECK(c.points("alice") == 15);
  const std::int64_t again =
      c.add(event::kWithdrawn, "alice", body_of(Adjustment{0, 0, 0, "Smith", "again"}));
  CHECK(c.points("alice") == 0);
  c.hand_in("alice", "alice2");
  c.grade_open("alice2", 80, 50);
  CHECK(c.points("alice") == 0);
  CHECK(c.points("bob") == 90);
  c.add(event::kUndone, "", undone_body(again));
  CHECK(c.points("alice") == 15);
  c.add(event::kUndone, "", undone_body(withdrawn));
  CHECK(c.points("alice") == 98);
  CHECK(c.points("bob") == 87);
  // What has been undone since counts in the state of then.
  const ClassRecord now = c.record();
  CHECK(grade_of(now, now.students.at("alice"), before).points == 12);
  CHECK(grade_of(now, now.students.at("bob"), before).points == 90);
}

TEST_CASE("A student without a grading has the points that a person gives", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.hand_in("bob", "", 0, "no row_max.cu was handed in");
  c.grade_open("a", 60, std::nullopt);
  const auto bob = [&] {
    const std::string table = csv_text(gradebook(c.record()));
    return table.substr(table.find("bob,"));
  };
  CHECK(bob().starts_with("bob,bob,,,,,,0,0,,,not graded: "));
  Adjustment style{0, 0, 0, "Smith", "read"};
  style.criteria = {{"style", 8}};
  c.add(event::kAdjusted, "bob", body_of(style));
  CHECK(bob().starts_with("bob,bob,8,100,,8,,0,0,,,\"points by hand, not graded: no row_max.cu "));
  const std::int64_t oral = c.add(event::kAdjusted, "bob", body_of(Adjustment{0, 0, 30, "Smith", "oral"}));
  CHECK(c.points("bob") == 38);
  const GradeSheet sheet = grade_sheet(c.record(), "Lab 3");
  CHECK(sheet.columns[0].points.at("bob").points == 38);
  c.add(event::kUndone, "", undone_body(oral));
  CHECK(c.points("bob") == 8);
  // Nobody who was given nothing has a zero, but somebody who was given a zero has.
  c.hand_in("carol", "", 0, "nothing was handed in");
  CHECK_FALSE(grade_sheet(c.record(), "").columns[0].points.contains("carol"));
  c.add(event::kAdjusted, "carol", body_of(Adjustment{0, 0, 0, "Smith", "did not come"}));
  CHECK(grade_sheet(c.record(), "").columns[0].points.at("carol").points == 0);
}

TEST_CASE("Lateness counts what a person and the place give, too", "[batch]") {
  Class c;
  c.hand_in("alice", "a", 1'772'755'200);
  c.grade_open("a", 60, 100);
  Adjustment style{0, 0, 0, "Smith", "read"};
  style.criteria = {{"style", 8}};
  c.add(event::kAdjusted, "alice", body_of(style));
  CHECK(c.points("alice") == 78);
  c.add(event::kRules, "", late_rules_body("due: 2026-03-01T00:00:00Z\nnone_after_days: 1\n"));
  CHECK(c.points("alice") == 0);
}

TEST_CASE("--keep-highest takes the best of all gradings", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.grade("a", 80);
  c.grade("a", 50);
  c.hand_in("alice", "b");
  c.grade("b", 60);
  CHECK(c.points("alice") == 60);
  c.add(event::kRules, "", keep_highest_body(true));
  CHECK(c.points("alice") == 80);
  c.add(event::kRules, "", keep_highest_body(false));
  CHECK(c.points("alice") == 60);
}

TEST_CASE("With --keep-highest a late hand-in does not cost an earlier one", "[batch]") {
  Class c;
  c.add(event::kRules, "", late_rules_body("due: 2026-03-01T00:00:00Z\npenalty_per_day: 10%\n"));
  c.add(event::kRules, "", keep_highest_body(true));
  c.hand_in("alice", "a", parse_time("2026-02-28")->at);
  c.grade("a", 80);
  c.hand_in("alice", "b", parse_time("2026-03-02T12:00:00Z")->at);
  c.grade("b", 90);
  CHECK(c.points("alice") == 80);
}

TEST_CASE("A machine's failure is no zero", "[batch]") {
  Class c;
  c.hand_in("alice", "a");
  c.hand_in("bob", "", 0, "nothing was handed in");
  c.add(event::kFailed, "a", R"({"run":1,"reason":"the disk is full"})");
  const ClassRecord record = c.record();
  CHECK(grade_of(record, record.students.at("alice")).problem == Messages(verbatim("the disk is full")));
  CHECK(ungraded(record) == std::vector<std::string>{"a"});  // the next batch tries again
  c.hand_in("carol", "c");
  const std::string table = csv_text(gradebook(c.record()));
  CHECK(table ==
        "student,name,points,max_points,late_days,late_penalty,adjusted,submitted_at,status,place,note,"
        "compiler,device,device_profile,seed_policy\r\n"
        "alice,alice,,,0,0,,,not graded: the disk is full,class: alice/row_max.cu,,,,,\r\n"
        "bob,bob,,,0,0,,,not graded: nothing was handed in,class: bob/row_max.cu,,,,,\r\n"
        "carol,carol,,,0,0,,,not graded yet,class: carol/row_max.cu,,,,,\r\n");
}

TEST_CASE("An event with a key is written once", "[batch]") {
  Class c;
  const std::int64_t first = c.add(event::kGraded, "a", "{}", "1:a");
  CHECK(c.add(event::kGraded, "a", "{}", "1:a") == first);
  CHECK(c.add(event::kGraded, "a", "{}", "2:a") != first);
}

TEST_CASE("A submission's texts are kept by their hash", "[batch]") {
  Class c;
  Submission submission;
  submission.source = {"row_max.cu", std::string("bytes \0 of any kind \xff", 21)};
  submission.headers = {{"a.cuh", ""}, {"b.cuh", "x"}};
  auto hash = c.journal->keep(submission);
  REQUIRE(hash);
  CHECK(*hash == *c.journal->keep(submission));
  auto again = c.journal->source(*hash);
  REQUIRE(again);
  CHECK(again->source.content == submission.source.content);
  REQUIRE(again->headers.size() == 2);
  CHECK(again->headers[1].content == "x");
  submission.headers[1].content = "y";
  CHECK(*c.journal->keep(submission) != *hash);
  // Different parts give different hashes even if their concatenation is equal.
  Submission one, other;
  one.source = {"a", "bc"};
  other.source = {"ab", "c"};
  CHECK(hash_of(one) != hash_of(other));
  CHECK_FALSE(c.journal->source("none"));
}

TEST_CASE("A file that is no journal is left alone", "[batch]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "journal.sqlite") << "something else, long enough to be no database at all";
  const auto opened = Journal::open(folder.path() / "journal.sqlite");
  REQUIRE_FALSE(opened);
  CHECK(opened.problem().message.english() == "the journal could not be opened: file is not a database");
}

TEST_CASE("A damaged event is told by its number", "[batch]") {
  Class c;
  c.add(event::kGraded, "a", "{\"run\": 1}");
  const auto record = read_record(*c.journal);
  REQUIRE_FALSE(record);
  CHECK(record.problem().message.english().starts_with("event 1 of the journal is damaged: "));
}
