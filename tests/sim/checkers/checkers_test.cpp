// Each checker on small CUDA programs: `name.txt` contains the findings for `name.cu`. A program without that
// file has no finding in any checker.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "grader/sim/checkers/checkers.h"
#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/files.h"
#include "tests/harness/golden.h"
#include "tests/harness/process.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

const fs::path kSource(CUDALABS_SOURCE);

test::Ended check(const fs::path& program, const std::string& checkers) {
  return test::run({.words = {CUDALABS_BIN "/grader", "run", "--check", checkers, program.filename()},
                    .folder = program.parent_path(),
                    .together = true});
}

/// The number of findings depends on the code: clang stores one element per iteration and nvcc four.
std::string without_numbers_of_times(const std::string& text) {
  return std::regex_replace(text, std::regex(", [0-9]+ times"), "");
}

void check_folder(const std::string& checker) {
  const bool nvcc = test::is_nvcc("how often a race was seen");
  int fired = 0, silent = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(CUDALABS_TEST_DATA) / checker)) {
    if (entry.path().extension() != ".cu") continue;
    INFO(entry.path());
    fs::path expected = entry.path();
    expected.replace_extension(".txt");
    const test::Ended run = check(entry.path(), checker);
    if (std::getenv("UPDATE_GOLDEN") != nullptr && run.status == 1) std::ofstream(expected) << run.out;
    if (fs::exists(expected)) {
      const std::string wanted = test::read_file(expected);
      if (nvcc)
        CHECK(run.out == wanted);
      else
        CHECK(without_numbers_of_times(run.out) == without_numbers_of_times(wanted));
      CHECK(run.status == 1);
      ++fired;
    } else {
      INFO("if these findings are right, run this test with UPDATE_GOLDEN=1: it writes " << expected);
      CHECK(run.out == "");
      CHECK(run.status == 0);
      ++silent;
    }
  }
  CHECK(fired > 0);
  CHECK(silent > 0);
}

}  // namespace

#define CUDALABS_CHECKER(checker, name, ...) \
  TEST_CASE(#name, "[" #name "]") { check_folder(#name); }
#include "grader/sim/checkers/base/checkers.def"
#undef CUDALABS_CHECKER

TEST_CASE("checkers have names", "[names]") {
  const auto all = sim::parse_checkers("all");
  REQUIRE(all.ok());
  CHECK(*all == sim::kAllCheckers);
  const auto two = sim::parse_checkers("racecheck,memcheck");
  REQUIRE(two.ok());
  CHECK(*two == (sim::checker_bit(sim::Checker::Racecheck) | sim::checker_bit(sim::Checker::Memcheck)));
  for (const char* wrong : {"", "racecheck,", "race", "racecheck;memcheck"})
    CHECK(!sim::parse_checkers(wrong).ok());
  CHECK(sim::parse_checkers("race").problem().message.english() == "unknown checker race");
  for (const sim::CheckerInfo& c : sim::kCheckers) {
    CHECK(&sim::checker_info(c.checker) == &c);
    CHECK(*sim::parse_checkers(c.name) == sim::checker_bit(c.checker));
    CHECK(sim::is_checker(c.checker));
    CHECK(sim::host_record(sim::checker_bit(c.checker)) == c.host);
  }
  CHECK(!sim::is_checker(static_cast<sim::Checker>(sim::kCheckers.size())));
  CHECK(sim::host_record(0) == sim::HostRecord::None);
}

TEST_CASE("only the table lists the checkers", "[names]") {
  // Two checkers may be compared with each other. The commands name compute-sanitizer's tools.
  constexpr int kMostNamed = 2;
  const std::set<std::string> exceptions{"grader/sim/checkers/base/checkers.def", "grader/cli/diagnose.cpp"};
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "grader")) {
    const std::string file = fs::relative(entry.path(), kSource).generic_string();
    const std::string kind = entry.path().extension().string();
    if (exceptions.contains(file) || (kind != ".cpp" && kind != ".h" && kind != ".def" && kind != ".po"))
      continue;
    std::string text = test::read_file(entry.path());
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto named = std::ranges::count_if(
        sim::kCheckers, [&](const sim::CheckerInfo& c) { return text.find(c.name) != std::string::npos; });
    INFO(file << " names " << named << " checkers; derive them from checkers.def");
    CHECK(named <= kMostNamed);
  }
}

/// `text` with what stands between `before` and `after` replaced.
std::string replaced(const std::string& text, const std::string& before, const std::string& after,
                     const std::string& by) {
  const std::size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + before.size(), end = text.find(after, begin);
  REQUIRE(end != std::string::npos);
  return text.substr(0, begin) + by + text.substr(end);
}

TEST_CASE("the documentation lists the checkers and the graded ones as the table does", "[names]") {
  std::string rows, graded;
  std::vector<std::string> names;
  for (const sim::CheckerInfo& c : sim::kCheckers) {
    rows += "| `" + std::string(c.name) + "` | " + std::string(c.summary) + " |\n";
    if (c.graded) names.push_back("`" + std::string(c.name) + "`");
  }
  REQUIRE(names.size() > 1);
  for (std::size_t i = 0; i < names.size(); ++i)
    graded += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  const fs::path page = kSource / "docs" / "checkers.md";
  const std::string text = test::read_file(page);
  std::string wanted = replaced(text, "endless loops |\n", "\n\n", rows.substr(0, rows.size() - 1));
  wanted = replaced(wanted, "input and output run under ", ".\n", graded);
  test::check_file(page, wanted);
}

TEST_CASE("findings on one pair of lines are one", "[names]") {
  sim::FindingList list;
  sim::Finding f;
  f.checker = sim::Checker::Racecheck;
  f.kind = "a race";
  f.message = verbatim("something is wrong");
  f.kernel = "k()";
  f.here = {verbatim("read"), "a.cu", 7, {1, 0, 0}, {3, 0, 0}};
  f.other = {verbatim("written"), "a.cu", 5, {1, 0, 0}, {4, 0, 0}};
  list.add(f);
  f.here.block = {0, 0, 0};
  f.count = 4;
  list.add(f);
  f.here.line = 8;
  list.add(f);
  const auto found = list.take();
  REQUIRE(found.size() == 2);
  CHECK(found[0].count == 5);
  CHECK(found[0].text() ==
        "a.cu:7: error: something is wrong [racecheck]\n"
        "  a.cu:7: read by thread (3, 0, 0) of block (0, 0, 0)\n"
        "  a.cu:5: written by thread (4, 0, 0) of block (1, 0, 0)\n"
        "  in kernel k(), 5 times");
  CHECK(list.empty());
}

TEST_CASE("what one statement meets is one bug, errors first", "[names]") {
  sim::FindingList list;
  const auto add = [&](std::uint32_t here, std::uint32_t other, const char* kind, sim::Severity severity,
                       const char* bug, const char* for_all) {
    sim::Finding f;
    f.checker = sim::Checker::Racecheck;
    f.severity = severity;
    f.kind = kind;
    f.bug = bug;
    f.advice = verbatim("one");
    f.advice_for_all = verbatim(for_all);
    f.here = {verbatim("read"), "a.cu", here, {}, {here, 0, 0}};
    f.other = {verbatim("written"), "a.cu", other, {}, {other, 0, 0}};
    list.add(f);
  };
  using enum sim::Severity;
  // Findings of lines 1 to 3 chain from one to the next; 7 overlaps 5 and 6, and 9 overlaps 5.
  add(2, 1, "read-write", Warning, "lanes", "all");
  add(3, 2, "read-write", Warning, "lanes", "all");
  add(1, 1, "read-write", Warning, "lanes", "all");
  add(7, 6, "read-write", Error, "warps", "");
  add(7, 5, "read-write", Error, "warps", "");
  add(5, 7, "write-write", Error, "warps", "");
  add(9, 5, "read-write", Error, "warps", "");
  add(9, 6, "read-write", Error, "other memory", "");
  const auto found = list.take();
  REQUIRE(found.size() == 4);
  CHECK(found[0].text() ==
        "a.cu:7: error:  [racecheck]\n"
        "  a.cu:7: read by thread (7, 0, 0) of block (0, 0, 0)\n"
        "  a.cu:6: written by thread (6, 0, 0) of block (0, 0, 0)\n"
        "  a.cu:5: read, too\n"
        "  a.cu:5, 7: written, too\n"
        "  hint: one");
  CHECK(found[0].count == 3);
  CHECK(found[1].here.line == 9);
  CHECK(found[2].here.line == 9);
  CHECK(found[3].text() ==
        "a.cu:2: warning:  [racecheck]\n"
        "  a.cu:2: read by thread (2, 0, 0) of block (0, 0, 0)\n"
        "  a.cu:1: written by thread (1, 0, 0) of block (0, 0, 0)\n"
        "  a.cu:1, 3: read, too\n"
        "  a.cu:2: written, too\n"
        "  hint: all");
  CHECK(found[3].count == 3);
}

}  // namespace cudalabs
