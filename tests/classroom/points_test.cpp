// Points that a person gives or takes, and what results depend on, with the real grader.

#include <fstream>

#include "tests/classroom/graded_class.h"

using namespace cudalabs;
using namespace cudalabs::test;

TEST_CASE("Points without a grading, withdrawn work, and histories that begin with the hand-in", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  REQUIRE(sandbox.grader(batch()).status == 1);
  const auto decide = [&](Strings words) {
    words.insert(words.end(), {"--reason", "as agreed", "--author", "Smith"});
    return sandbox.grader(words);
  };
  const auto erin = decide({"adjust", "out", "erin", "40"});
  INFO(erin.out << erin.err);
  CHECK(erin.status == 0);  // nobody is without points now
  CHECK(erin.out.find("5 of 5 students graded") != std::string::npos);
  CHECK(decide({"adjust", "out", "fay", "10"}).err.find("--new NAME adds a row") != std::string::npos);
  CHECK(decide({"adjust", "out", "fay", "10", "--new", "Fay"}).status == 0);
  CHECK(decide({"adjust", "out", "fay", "10", "--new", "Fay"}).status == 2);
  const auto withdrawn = decide({"withdraw", "out", "alice", "carol", "--points", "5"});
  CHECK(withdrawn.out.find(" alice is withdrawn, with 5 points\n") != std::string::npos);
  CHECK(withdrawn.out.find("\nWithdrawn\n  alice: withdrawn, 5 points remain: as agreed\n") !=
        std::string::npos);
  CHECK(decide({"withdraw", "out", "davе"}).status == 2);
  CHECK(decide({"withdraw", "out", "dave", "--points", "-1"}).status == 2);
  CHECK(sandbox.grader({"withdraw", "out", "dave"}).err.find("needs a reason") != std::string::npos);
  CHECK(points(sandbox).starts_with("alice 5\nbob 100\ncarol 5\ndave 0\nerin 40 "));
  for (const char* page : {"class.html", "feedback/alice.html"})
    CHECK(read_file(sandbox.work() / "out" / page).find("withdrawn, 5 points remain: as agreed") !=
          std::string::npos);
  CHECK(read_file(sandbox.work() / "out/leaderboard.html").find("withdrawn") == std::string::npos);
  CHECK(read_file(sandbox.work() / "out/results/alice.json").find("accepted") != std::string::npos);
  sandbox.write("canvas.csv", "Student,ID,Lab 1 (1)\nAlice,alice,\nErin,erin,\nDave,dave,\n");
  const auto canvas = sandbox.grader({"gradebook", "out", "--canvas", "canvas.csv", "--assignment", "Lab 1"});
  CHECK(canvas.out.find("withdrawn: alice: as agreed\n") != std::string::npos);
  CHECK(read_file(sandbox.work() / "out/canvas.csv") ==
        "Student,ID,Lab 1 (1)\r\nAlice,alice,5\r\nErin,erin,40\r\nDave,dave,0\r\n");

  // Dave hands in what alice's grading is of: that is his only from now on.
  sandbox.write("class/dave/table.cu", kReference);
  CHECK(sandbox.grader(batch()).err.find("0 submissions to grade, 1 hand-in new\n") != std::string::npos);
  const auto history = sandbox.grader({"history", "--class", "out", "--student", "dave"});
  INFO(history.out);
  CHECK(history.out.starts_with("dave  ▁█\n"));
  const auto log = sandbox.grader({"log", "out", "--student", "dave"});
  INFO(log.out);
  CHECK(log.out.find("alice") == std::string::npos);
  CHECK(log.out.find("dave handed in class: dave/table.cu: 100/100, as these files were graded in event ") !=
        std::string::npos);
  CHECK(sandbox.grader({"history", "--class", "out", "--student", "alice"})
            .out.ends_with("withdrawn, 5 points remain: as agreed\n"));
}

TEST_CASE("A seed for each student is the same in a batch and alone, and what differs is told", "[class]") {
  const e2e::Sandbox sandbox;
  write_class(sandbox);
  std::ofstream(sandbox.course() / "course.yaml")
      << "name: basics\ntitle: CUDA\npolicies: {seed: by_student, device_profile: h100}\n";
  const Strings command = {"batch", "lab1",   "variant1", "class/alice", "class/bob", "--out",
                           "out",   "--jobs", "2"};
  const auto first = sandbox.grader(command);
  INFO(first.out << first.err);
  REQUIRE(first.status == 0);
  CHECK(first.err.find("2 submissions to grade") != std::string::npos);  // of equal files
  const auto result = [&](const char* student) {
    return nlohmann::json::parse(
        read_file(sandbox.work() / "out/results" / (std::string(student) + ".json")));
  };
  CHECK(result("alice")["seed_policy"] == "by_student");
  CHECK(result("alice")["seed"] != result("bob")["seed"]);
  const auto alone = sandbox.grader({"lab1", "variant1", "--submission", "class/bob", "--student", "bob",
                                     "--version", "global", "--json", "-"});
  const auto document = nlohmann::json::parse(alone.out);
  CHECK(document["seed"] == result("bob")["seed"]);
  CHECK(document["seed_policy"] == "by_student");
  CHECK(document["device_profile"]["name"] == "h100");
  CHECK(record_of(sandbox.work() / "out").runs.back().seed_policy == "by_student");
  const auto other = sandbox.grader({"regrade", "out", "--student", "bob", "--device-profile", "a100"});
  CHECK(other.err.find("the times are estimated for a100; the course asks for h100") != std::string::npos);
  const std::string told = "the times are estimated for several cards: h100: 1/2 (alice); a100: 1/2 (bob)";
  CHECK(other.out.find(told) != std::string::npos);
  CHECK(read_file(sandbox.work() / "out/class.html").find(told) != std::string::npos);
  CHECK(read_file(sandbox.work() / "out/leaderboard.html").find("(alice)") == std::string::npos);
  CHECK(result("bob")["seed"] == document["seed"]);
  CHECK(read_file(sandbox.work() / "out/gradebook.csv").find(",simulator,a100,by_student\r\n") !=
        std::string::npos);
  e2e::replace_in(sandbox.course() / "course.yaml", "by_student", "by_studend");
  CHECK(sandbox.grader({"lab1", "variant1"})
            .err.find("'seed' must be a policy or a whole number, not 'by_studend'") != std::string::npos);
}
