// Grades whole classes with the real grader.

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <regex>
#include <set>
#include <thread>

#include "grader/classroom/class_record.h"
#include "tests/classroom/class.h"
#include "tests/classroom/graded_class.h"
#include "tests/harness/catch.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

using namespace cudalabs;
using namespace cudalabs::test;

TEST_CASE("A class is graded, and what is new of it later", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  const auto first = sandbox.grader(batch());
  INFO(first.err);
  CHECK(first.left_behind == Strings{});
  CHECK(first.status == 1);
  CHECK(first.out ==
        "4 of 5 students graded, 75 points of 100 in the mean, 3 with all of them\nout/gradebook.csv\n\nNot "
        "graded\n  erin: "
        "no table.cu was handed in, only report.pdf; Hand in the source as table.cu.\n");
  CHECK(first.err.find("3 submissions to grade, 5 hand-ins new\n") != std::string::npos);
  CHECK(first.err.find("alice, bob  100/100\n") != std::string::npos);
  const std::string expected =
      "alice 100\nbob 100\ncarol 100\ndave 0\nerin 0 (no table.cu was handed in, only report.pdf; Hand in "
      "the source as table.cu.)\n";
  CHECK(points(sandbox) == expected);
  const auto result = nlohmann::json::parse(read_file(sandbox.work() / "out/results/alice.json"));
  CHECK(result["score"]["points"] == 100);
  CHECK(result["seed"] == "7");

  // A second batch has nothing to do.
  const auto again = sandbox.grader(batch());
  CHECK(again.err.find("0 submissions to grade, 0 hand-ins new\n") != std::string::npos);
  CHECK(again.out == first.out);
  // One student submits for the first time and another one again.
  sandbox.write("class/erin/table.cu", kReference + "// late\n");
  sandbox.write("class/alice/table.cu", "#error unfinished\n");
  const auto more = sandbox.grader(batch());
  CHECK(more.status == 0);
  CHECK(more.err.find("1 submission to grade, 2 hand-ins new\n") != std::string::npos);
  CHECK(points(sandbox) == "alice 0\nbob 100\ncarol 100\ndave 0\nerin 100\n");
}

TEST_CASE("A student keeps the id when another section has one of the same name", "[class]") {
  const e2e::Sandbox sandbox;
  for (const std::string who : {"mon/ann", "mon/bob", "tue/cy"})
    sandbox.write("class/" + who + "/table.cu", kReference);
  REQUIRE(sandbox.grader(batch()).status == 0);
  REQUIRE(sandbox.grader({"withdraw", "out", "bob", "--reason", "copied", "--author", "S"}).status == 0);
  sandbox.write("class/tue/bob/table.cu", kReference + "// another's\n");
  sandbox.write("class/mon/bob/table.cu", kReference + "// again\n");
  REQUIRE(sandbox.grader(batch()).status == 0);
  CHECK(points(sandbox) == "ann 100\nbob 0\ncy 100\ntue/bob 100\n");
}

TEST_CASE("Regraded, adjusted, undone", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  REQUIRE(sandbox.grader(batch()).status == 1);
  const auto adjusted =
      sandbox.grader({"adjust", "out", "dave", "12.5", "--reason", "oral exam", "--author", "Smith"});
  INFO(adjusted.err);
  CHECK(adjusted.out.starts_with("event 10: dave +12.5 points\n"));
  const auto regraded = sandbox.grader({"regrade", "out", "--student", "dave", "--student", "carol"});
  INFO(regraded.err);
  // The order of the first two gradings varies.
  const std::string regrades = std::regex_replace(regraded.out, std::regex("event 1[23]"), "event");
  CHECK(regrades.ends_with("carol  100 -> 100  (event)\ndave  12.5 -> 12.5  (event)\n"));
  CHECK(points(sandbox).find("dave 12.5\n") != std::string::npos);
  // Regrades one version: the others keep their points.
  const auto version = sandbox.grader({"regrade", "out", "--student", "alice", "--version", "global"});
  INFO(version.err);
  CHECK(points(sandbox).starts_with("alice 100\n"));
  CHECK(sandbox.grader({"undo", "out", "10"}).status == 1);
  CHECK(points(sandbox).find("dave 0\n") != std::string::npos);
  const auto log = sandbox.grader({"log", "out", "--student", "dave"});
  CHECK(log.out.find("dave +12.5 points by Smith: oral exam, undone\n") != std::string::npos);
  const auto history = sandbox.grader({"history", "--class", "out", "--student", "dave"});
  INFO(history.out);
  CHECK(history.out.starts_with("dave  ▁▁\n"));
  CHECK(history.out.find("  0 of 100 points\n  global  0 ") != std::string::npos);
  CHECK(history.out.ends_with("  0, as before\n"));

  const auto nobody = sandbox.grader({"log", "out", "--student", "davе"});
  CHECK(nobody.status == 2);
  CHECK(nobody.out.empty());
  CHECK(nobody.err ==
        "grader: out: no student 'davе'; did you mean 'dave'?\n  hint: gradebook.csv lists all students\n");
  CHECK(sandbox.grader({"regrade", "out", "--student", "davе"})
            .err.find("no student 'davе'; did you mean 'dave'?") != std::string::npos);
  CHECK(sandbox.grader({"regrade", "out"}).status == 2);
  CHECK(sandbox.grader({"undo", "out", "1"}).status == 2);
  CHECK(sandbox.grader({"adjust", "out", "dave", "many", "--reason", "x"}).status == 2);
  CHECK(
      sandbox.grader({"regrade", "class", "--all"}).err ==
      "grader: class: holds no batch\n  hint: name the folder that `grader batch ... --out FOLDER` wrote\n");
}

TEST_CASE("What a person judges is filled in by hand or by a table", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  e2e::replace_in(sandbox.course() / "configs/labs/lab1/variant1.yaml", "cases:\n",
                  "manual:\n  - {name: style, points: 10, title: {en: readable code}}\n"
                  "  - {name: report, points: 5, title: a report}\nleaderboard: [[1, 4]]\ncases:\n");
  CHECK(sandbox.grader(batch()).out.find("points of 119 in the mean") != std::string::npos);
  const auto feedback = [&] { return read_file(sandbox.work() / "out/feedback/alice.html"); };
  CHECK(feedback().find("open: readable code, up to 10 points, by hand") != std::string::npos);
  CHECK(feedback().find("place 1 in the class: 4 of 4 points") != std::string::npos);
  const auto adjust = [&](Strings words) {
    words.insert(words.begin(), {"adjust", "out"});
    words.insert(words.end(), {"--reason", "read", "--author", "Smith"});
    return sandbox.grader(words);
  };
  const auto one = adjust({"alice", "--criterion", "style=8"});
  CHECK(one.out.find(": alice style=8\n") != std::string::npos);
  CHECK(points(sandbox).find("alice 112\n") != std::string::npos);
  CHECK(feedback().find("readable code: 8 of 10 points, by hand") != std::string::npos);
  CHECK(feedback().find("open: readable code") == std::string::npos);
  CHECK(feedback().find("open: a report, up to 5 points, by hand") != std::string::npos);
  sandbox.write("points.csv", "student,name,style,report\nbob,Bob,10,5\ncarol,Carol,,3.5\n");
  const auto table = adjust({"--criteria", "points.csv"});
  INFO(table.out << table.err);
  CHECK(table.out.find(": bob report=5\n") != std::string::npos);
  CHECK(points(sandbox).find("bob 119\ncarol 107.5\n") != std::string::npos);
  CHECK(adjust({"--criteria", "points.csv"}).out.find("event ") == std::string::npos);  // nothing differs
  CHECK(sandbox.grader({"log", "out", "--student", "carol"}).out.find("carol report=3.5 by Smith: read") !=
        std::string::npos);
  CHECK(sandbox.grader({"regrade", "out", "--student", "carol", "--again"}).status != 3);
  CHECK(points(sandbox).find("carol 107.5\n") != std::string::npos);

  const auto wrong = [&](const Strings& words) {
    const auto outcome = adjust(words);
    CHECK(outcome.status == 2);
    return outcome.err;
  };
  CHECK(wrong({"alice", "--criterion", "stile=8"}).find("did you mean 'style'?") != std::string::npos);
  CHECK(wrong({"alice", "--criterion", "style=11"}).find("'style' takes points from 0 to 10, not '11'") !=
        std::string::npos);
  sandbox.write("points.csv", "student,style\nbob,1\nnobody,2\n");
  CHECK(wrong({"--criteria", "points.csv"}).find("points.csv:3: ") != std::string::npos);
  CHECK(points(sandbox).find("bob 119\n") != std::string::npos);  // all of a table or nothing
  sandbox.write("points.csv", "student,style\nbob,1\nbob,2\n");
  CHECK(wrong({"--criteria", "points.csv"}).find("points.csv:3: duplicate student 'bob'\n") !=
        std::string::npos);
  sandbox.write("points.csv", "student\nbob\n");
  CHECK(wrong({"--criteria", "points.csv"}).find("points.csv:1: no column is a criterion ") !=
        std::string::npos);
}

TEST_CASE("What differs between two times of a class, and between two results", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  REQUIRE(sandbox.grader(batch()).status == 1);
  const std::int64_t before = record_of(sandbox.work() / "out").last_event;
  const auto failed = nlohmann::json::parse(read_file(sandbox.work() / "out/results/dave.json"));
  // nvcc repeats the directive.
  const std::string said = failed["compiler"]["name"] == "nvcc" ? "#error unfinished\n" : "unfinished\n";
  sandbox.write("class/dave/table.cu", kReference);
  REQUIRE(sandbox.grader(batch()).status == 1);
  const auto then = "out@" + std::to_string(before);
  const auto changed = sandbox.grader({"diff", then, "out"});
  CHECK(changed.status == 1);
  CHECK(changed.out ==
        "dave  0 -> 100\n"
        "  global  0 compile error -> 50 accepted\n  constant  0 compile error -> 50 accepted\n"
        "    gone: global, constant: the file does not compile: " +
            said + "1 of 5 students differ\n");
  CHECK(sandbox.grader({"diff", "out", "out"}).out == "0 of 5 students differ\n");
  CHECK(sandbox.grader({"diff", "out/results/alice.json", "out/results/carol.json"}).status == 0);
  CHECK(sandbox.grader({"diff", "out@x", "out"}).status == 2);
  CHECK(sandbox.grader({"diff", "nowhere", "out"}).err ==
        "grader: nowhere: holds no batch\n  hint: name the folder that `grader batch ... --out FOLDER` "
        "wrote\n");
}

TEST_CASE("A regrade after a change of the lab takes those that were graded before", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  REQUIRE(sandbox.grader(batch()).status == 1);
  CHECK(sandbox.grader({"regrade", "out", "--changed"}).err.find("0 submissions to grade again\n") !=
        std::string::npos);
  const auto handout = sandbox.course() / "labs/lab1/variant1/contract.cuh";
  std::ofstream(handout, std::ios::app) << "// changed\n";
  CHECK(sandbox.grader({"regrade", "out", "--changed"}).err.find("3 submissions to grade again\n") !=
        std::string::npos);
  CHECK(sandbox.grader({"regrade", "out", "--changed"}).err.find("0 submissions to grade again\n") !=
        std::string::npos);
}

TEST_CASE("A regrade runs again only what may come out otherwise", "[class]") {
  const e2e::Sandbox sandbox;
  e2e::without_large_cases(sandbox.course(), "lab1/variant1", 68000);
  sandbox.write("class/alice/table.cu", kReference);
  REQUIRE(sandbox.grader(batch()).status == 0);
  std::filesystem::path kept;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.work() / "out"))
    if (entry.path().filename() == "run") kept = entry.path();
  REQUIRE_FALSE(kept.empty());
  // Each run writes a new file, so the inode shows whether it ran.
  const auto file = [&] {
    struct stat now {};
    return ::stat(kept.c_str(), &now) == 0 ? now.st_ino : 0;
  };
  const auto ran = [&](const Strings& how) {
    Strings words = {"regrade", "out"};
    words.insert(words.end(), how.begin(), how.end());
    const ino_t before = file();
    const auto done = sandbox.grader(words);
    INFO(done.err);
    CHECK(done.status == 0);
    return file() != before;
  };
  CHECK_FALSE(ran({"--all"}));
  CHECK(points(sandbox) == "alice 100\n");
  CHECK(ran({"--all", "--again"}));
  CHECK(ran({"--student", "alice"}));

  // Points belong to the score and not to the run.
  const auto rules = sandbox.course() / "configs/labs/lab1/variant1.yaml";
  const std::string text = read_file(rules);
  std::ofstream(rules) << std::regex_replace(text, std::regex("correctness_points: (\\d+)"),
                                             "correctness_points: 1");
  CHECK_FALSE(ran({"--changed"}));
  CHECK(points(sandbox) == "alice 52\n");
  // A change of the cases invalidates the cached run.
  std::ofstream(rules) << std::regex_replace(text, std::regex("\ncases:\n"),
                                             "\ncases:\n  - {n: 77, criterion: few}\n");
  CHECK(ran({"--changed"}));
  const auto oracle = sandbox.course() / "labs/lab1/variant1/oracle.cpp";
  std::ofstream(oracle, std::ios::app) << "// changed\n";
  CHECK(ran({"--changed"}));
  CHECK(points(sandbox) == "alice 100\n");
  // A damaged cache entry is recomputed.
  std::filesystem::resize_file(kept, std::filesystem::file_size(kept) / 2);
  CHECK(ran({"--all"}));
  CHECK(points(sandbox) == "alice 100\n");
}

TEST_CASE("One grader at a time works on a class", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  REQUIRE(sandbox.grader(batch()).status == 1);
  // Another process holds the lock, as a running batch does.
  const std::string lock = (sandbox.work() / "out/lock").string();
  const Child other({shell("exec 9<>" + lock + "; flock 9; echo held; sleep 60")});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto refused = sandbox.grader(batch());
  CHECK(refused.status == 2);
  CHECK(refused.err.find("out: is in use by another grader: process ") != std::string::npos);
}

TEST_CASE("What an archive's names leave out is told at the start and at the end", "[class]") {
  const e2e::Sandbox sandbox;
  write_archive(sandbox.work() / "class.zip",
                std::vector<std::pair<std::string, std::string>>{{"alice/table.cu", "#error unfinished\n"},
                                                                 {"alice/table.cu", kReference},
                                                                 {"../bob/table.cu", kReference}});
  const auto run = sandbox.grader({"batch", "lab1", "variant1", "class.zip", "--seed", "7", "--out", "out"});
  const std::string told =
      "ignored, because the names lead out of the archive or are too long: ../bob/table.cu\n";
  INFO(run.err);
  CHECK(run.status == 0);
  CHECK(run.err.starts_with("class.zip: 1 student (folders)\n" + told +
                            "  alice: the archive holds a file more than once with different contents; the "
                            "last one is used: table.cu\n1 submission to grade, 1 hand-in new\n"));
  CHECK(run.err.ends_with(told));
  CHECK(points(sandbox) == "alice 100\n");
}

TEST_CASE("What is hidden in a class is told in a line", "[class]") {
  const e2e::Sandbox sandbox;
  sandbox.write("class/erin/report.pdf", "x");
  sandbox.write("class/.git/table.cu", "x");
  sandbox.write("class/.old/table.cu", kReference);
  const std::string said = sandbox.grader(batch()).err;
  CHECK(said.starts_with(
      "class: 1 student (folders)\nignored, because the names begin with a dot: .old\n0 submissions"));
  for (char name = 'a'; name < 'i'; ++name)
    sandbox.write(std::string("class/.") + name + "/table.cu", kReference);
  CHECK(sandbox.grader(batch()).err.find("dot: .a, .b, .c, .d, .e, .f, .g, .h and 1 more\n") !=
        std::string::npos);
}

TEST_CASE("What is asked wrongly costs nothing", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  sandbox.write("full/other.txt", "x");
  const auto refused = [&](Strings words) {
    const auto outcome = sandbox.grader(words);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(refused({"batch", "lab1", "variant1", "class"}) ==
        "grader: grader batch needs a lab, a variant, submissions, and --out FOLDER\n  hint: for "
        "example: grader batch "
        "lab3 variant4 submissions.zip --out lab3\n");
  CHECK(refused({"batch", "lab1", "variant9", "class", "--out", "out"}).find("variant9") !=
        std::string::npos);
  CHECK(refused({"batch", "lab1", "variant1", "nowhere", "--out", "out"}) ==
        "grader: nowhere: no such file or folder\n");
  CHECK(refused({"batch", "lab1", "variant1", "class", "--out", "full"}) ==
        "class: 5 students (folders)\ngrader: full: holds other files but no batch\n  hint: name a new or "
        "an empty folder "
        "with --out\n");
  CHECK(refused({"batch", "lab1", "variant1", "class", "--out", "out", "--jobs", "0"}) ==
        "grader: --jobs must be a number from 1 to 1024, not '0'\n");
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "out"));
  REQUIRE(sandbox.grader(batch()).status == 1);
  CHECK(refused({"batch", "lab1", "variant2", "class", "--out", "out"})
            .find("out holds a batch of lab1 variant1") != std::string::npos);
}

TEST_CASE("A row says why its student is not graded", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  const std::string broken = sandbox.write("compiler", "#!/bin/sh\nexit 1\n").string();
  std::filesystem::permissions(broken, std::filesystem::perms::owner_all);
  const auto failed = sandbox.grader(batch({"--compiler", "clang"}), {{"CUDA_LABS_CLANG", broken}});
  INFO(failed.err << failed.out);
  CHECK(failed.status == 3);
  const std::string why =
      "a worker cannot run on this machine: status 3: grader: " + broken +
      " does not work: called with --version it exited with status 1; hint: try it in a shell: " + broken +
      " --version; to use another, set CUDA_LABS_CLANG to its path";
  CHECK(failed.out.find("\n  dave: " + why + "\n") != std::string::npos);
  // The record has the hint as a terminal shows it, on a line of its own.
  const std::string kept = std::regex_replace(why, std::regex("; hint:"), "\n  hint:");
  CHECK(points(sandbox).find(
            "\ndave 0 (" + kept +
            ")\nerin 0 (no table.cu was handed in, only report.pdf; Hand in the source as table.cu.)\n") !=
        std::string::npos);
  CHECK(read_file(sandbox.work() / "out/gradebook.csv")
            .find("not graded: a worker cannot run on this machine: ") != std::string::npos);
  // The next batch grades them anyway.
  CHECK(sandbox.grader(batch()).err.find("3 submissions to grade, 0 hand-ins new\n") != std::string::npos);
}

TEST_CASE("A disk that takes no batch is the machine's failure", "[class]") {
  const auto mounted = [](const std::string& options, const std::string& line) {
    return shell("exec unshare -rm sh -c 'mount -t tmpfs -o " + options + " t /mnt && exec " + line + "'");
  };
  if (run({mounted("size=1M", "true")}).status != 0) return;
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  const std::string graded = CUDALABS_BIN "/grader batch lab1 variant1 class --seed 7 --out /mnt/out";
  const auto refused = [&](const std::string& options) {
    const auto ended =
        run({mounted(options, graded), sandbox.work(), {{"CUDA_LABS_COURSE", sandbox.course().string()}}});
    CHECK(ended.status == 3);
    CHECK(ended.out.empty());
    return ended.err.substr(ended.err.find('\n') + 1);
  };
  CHECK(refused("ro,size=1M") == "grader: /mnt/out: cannot be created: Read-only file system\n");
  CHECK(refused("nr_inodes=1") == "grader: /mnt/out: cannot be created: No space left on device\n");
  const std::string journal = "grader: /mnt/out/journal.sqlite: the journal could not be opened: ";
  const std::string room =
      "\n  hint: free some disk space and repeat the command: finished gradings are kept\n";
  CHECK(refused("nr_inodes=3") == journal + "unable to open database file" + room);
  CHECK(refused("size=4k") == journal + "database or disk is full" + room);
}

TEST_CASE("A class of which nothing compiles is suspicious", "[class]") {
  const e2e::Sandbox sandbox;
  for (const char* who : {"alice", "bob"})
    sandbox.write(fmt::format("class/{}/table.cu", who), "#error unfinished\n");
  const std::string two = sandbox.grader(batch()).out;
  sandbox.write("class/carol/table.cu", "#error unfinished\n");
  const std::string end = " of 100 in the mean, 0 with all of them\nout/gradebook.csv\n";
  CHECK(two == "2 of 2 students graded, 0 points" + end);
  CHECK(sandbox.grader(batch()).out ==
        "3 of 3 students graded, 0 points" + end +
            "\nnone of 3 submissions compiles: look at out/feedback/alice.html and at the compiler before "
            "you publish\n");
  // The result is the same as if all of them had run out of time, which would make the test slow.
  {
    auto journal = Journal::open(sandbox.work() / "out/journal.sqlite");
    REQUIRE(journal);
    auto graded = (*journal)->last(event::kGraded, record_of(sandbox.work() / "out").gradings.begin()->first);
    REQUIRE(graded);
    const std::string body = std::regex_replace((*graded)->body, std::regex("compile_error"), "timeout");
    REQUIRE((*journal)->append(event::kGraded, (*graded)->subject, body));
  }
  CHECK(sandbox.grader({"gradebook", "out"})
            .out.ends_with("\nall of 3 submissions take too long: look at out/feedback/alice.html and at "
                           "this machine before you "
                           "publish\n"));
  // One submission compiles, so the compiler works.
  sandbox.write("class/alice/table.cu", kReference);
  CHECK(sandbox.grader(batch()).out.ends_with(", 1 with all of them\nout/gradebook.csv\n"));
}

TEST_CASE("A damaged work folder costs nothing but a second grading", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  REQUIRE(sandbox.grader(batch()).status == 1);
  sandbox.write("out/work/order.json", "garbage");
  sandbox.write("out/work/results/x.json", "more of it");
  CHECK(sandbox.grader({"gradebook", "out"}).status == 1);
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "out/work/results/x.json"));
  CHECK(sandbox.grader({"regrade", "out", "--student", "dave"}).out.ends_with("dave  0 -> 0  (event 11)\n"));
}

TEST_CASE("The pages of a class speak the language, what is stored of it is English", "[class]") {
  const e2e::Sandbox sandbox;
  sandbox.write("class/dave/table.cu", "#error unfinished\n");
  sandbox.write("class/erin/report.pdf", "x");
  const auto graded = sandbox.grader(batch({"--language", "ru"}));
  INFO(graded.out << graded.err);
  CHECK(graded.status == 1);
  CHECK(graded.out.find(
            "erin: table.cu не сдан, есть только report.pdf; Сдайте исходный файл под именем table.cu.\n") !=
        std::string::npos);
  const std::filesystem::path out = sandbox.work() / "out";
  for (const char* const page : {"class.html", "feedback/dave.html"}) {
    const std::string text = read_file(out / page);
    CHECK(text.find("<html lang=\"ru\">") != std::string::npos);
    CHECK(text.find("файл не компилируется: ") != std::string::npos);
  }
  const auto is_ascii = [](const std::string& text) {
    return std::ranges::none_of(text, [](char c) { return c < 0; });
  };
  CHECK(read_file(out / "results/dave.json").find("the file does not compile: ") != std::string::npos);
  CHECK(is_ascii(read_file(out / "results/dave.json")));
  CHECK(is_ascii(read_file(out / "gradebook.csv")));
  for (const auto& [id, student] : record_of(out).students)
    CHECK(is_ascii(grade_of(record_of(out), student).problem.english()));
}

// Kills a batch at a random moment and continues it, $CUDA_LABS_KILLS or 25 times. Workers may outlive it for
// a moment, which is part of the test.
TEST_CASE("A batch that is killed at random moments loses nothing and does nothing twice", "[killed]") {
  const char* asked = std::getenv("CUDA_LABS_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 25;
  const e2e::Sandbox sandbox;
  std::set<std::string> students;
  for (int i = 0; i < 16; ++i) {
    const std::string name = fmt::format("s{:02}", i);
    students.insert(name);
    // Every fourth submission runs on the simulator; its build is cached except for the first time.
    sandbox.write("class/" + name + "/table.cu",
                  i % 4 == 0 ? kReference : fmt::format("#error unfinished {}\n", i));
  }
  REQUIRE(sandbox.grader(batch({"--out", "whole"})).status == 0);  // fills the build cache
  std::filesystem::remove_all(sandbox.work() / "whole");
  const auto began = std::chrono::steady_clock::now();
  REQUIRE(sandbox.grader(batch({"--out", "whole"})).status == 0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  std::mt19937 random(20261123);
  std::uniform_real_distribution<double> moment(0, seconds);
  int finished = 0, interrupted = 0;
  std::size_t graded = 0;
  for (int i = 0; i < kills; ++i) {
    const std::string out = fmt::format("out{}", finished);
    {
      Strings words = {CUDALABS_BIN "/grader"};
      for (const std::string& word : batch({"--out", out})) words.push_back(word);
      Child child({words,
                   sandbox.work(),
                   {{"CUDA_LABS_COURSE", sandbox.course().string()},
                    {"XDG_CACHE_HOME", CUDALABS_BIN "/../e2e-cache"}}});
      std::this_thread::sleep_for(std::chrono::duration<double>(moment(random) / 3));
    }  // destroying it kills the batch
    if (!std::filesystem::exists(sandbox.work() / out / "journal.sqlite")) continue;
    const ClassRecord record = record_of(sandbox.work() / out);
    if (record.gradings.size() < graded) FAIL("a grading was lost");
    graded = record.gradings.size();
    interrupted += graded > 0 && graded < 13;
    if (graded == 13) ++finished, graded = 0;
  }
  INFO(kills << " kills, " << interrupted << " in the middle of the gradings, " << finished
             << " batches came to their end");
  CHECK(interrupted > kills / 10);
  for (int i = 0; i <= finished; ++i) {
    const std::string out = fmt::format("out{}", i);
    REQUIRE(sandbox.grader(batch({"--out", out})).status == 0);
    const ClassRecord record = record_of(sandbox.work() / out);
    CHECK(record.failures.empty());
    CHECK(record.gradings.size() == 13);
    for (const auto& [source, gradings] : record.gradings) CHECK(gradings.size() == 1);
    CHECK(read_file(sandbox.work() / out / "gradebook.csv") ==
          read_file(sandbox.work() / "whole/gradebook.csv"));
  }
}
