#include "grader/program/suppressions.h"

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

Problem race(std::string file, int line) {
  Problem problem;
  problem.rule = "racecheck";
  problem.kernel = "reduce(int const*, int*)";
  problem.here = {verbatim("read"), std::move(file), line, 0};
  return problem;
}

std::vector<Suppression> read(std::string_view text) {
  auto all = read_suppressions(text, "known.txt");
  REQUIRE(all.ok());
  return *all;
}

bool suppressed(std::string_view text, const Problem& problem) {
  return std::ranges::any_of(read(text), [&](const Suppression& one) { return one.fits(problem); });
}

}  // namespace

TEST_CASE("a line suppresses what it names", "[suppressions]") {
  const Problem problem = race("src/sum.cu", 12);
  for (const char* line : {"racecheck", "*", "race*", "racecheck src/sum.cu", "racecheck *.cu:12",
                           "  racecheck\tsrc/*:12  reduce(int const*, int*) ", "* * reduce*",
                           "# a word\n\nracecheck * *const*\n"}) {
    INFO(line);
    CHECK(suppressed(line, problem));
  }
  for (const char* line : {"initcheck", "racecheck sum.cu", "racecheck src/sum.cu:13",
                           "racecheck src/sum.cu reduce", "racecheck * scan*", "# racecheck", ""}) {
    INFO(line);
    CHECK_FALSE(suppressed(line, problem));
  }
}

TEST_CASE("a line that suppresses nothing is an error with its number", "[suppressions]") {
  const auto wrong = read_suppressions("memcheck\nracechek sum.cu\n", "known.txt");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.problem().text() ==
        "known.txt:2: unknown checker racechek\n  hint: a line is RULE [FILE[:LINE] [KERNEL]]; rules are "
        "memcheck, initcheck, racecheck, synccheck, streamcheck, launch, unsupported and *");
  for (const char* place : {"racecheck sum.cu:", "racecheck sum.cu:0", "racecheck sum.cu:1x"})
    CHECK_FALSE(read_suppressions(place, "known.txt").ok());
}

TEST_CASE("what is written suppresses what it was written for", "[suppressions]") {
  Problem leak, fault;
  leak.rule = "memcheck";
  fault.rule = "fault";
  const std::vector<Problem> problems = {race("sum.cu", 12), race("sum.cu", 12), race("", 0), leak, fault};
  const std::string text = suppressions_for(problems);
  CHECK(text ==
        "# RULE [FILE[:LINE] [KERNEL]], * stands for anything; grader run --suppress reads this file.\n"
        "racecheck sum.cu:12 reduce(int const*, int*)\nracecheck * reduce(int const*, int*)\nmemcheck\n");
  for (const Problem& problem : problems) CHECK(suppressed(text, problem) == (problem.rule != "fault"));
}

}  // namespace cudalabs
