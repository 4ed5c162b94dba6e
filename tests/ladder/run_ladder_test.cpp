// `grader ladder`: the whole output for a small ladder with every kind of rung, and the checkers' findings
// for the course's ladders. UPDATE_GOLDEN=1 rewrites the texts: read the difference before committing it.

#include <algorithm>
#include <filesystem>

#include "grader/ladder/table.h"
#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/device_process.h"
#include "tests/harness/everything.h"
#include "tests/harness/golden.h"
#include "tests/harness/workplace.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

using test::check_golden;

/// The course with one more ladder.
class CourseWithDoubling : public test::Workplace {
 public:
  CourseWithDoubling() {
    const fs::path data(CUDALABS_TEST_DATA);
    fs::copy(data / "doubling", course() / "reference" / "doubling");
    fs::copy(data / "doubling.yaml", course() / "configs" / "ladders" / "doubling.yaml");
  }
};

}  // namespace

TEST_CASE("a ladder is a file of YAML and its programs", "[doubling]") {
  const CourseWithDoubling course;
  const std::string text = course.grader("ladder doubling --device simulator");
  for (const char* said :
       {"2_racy.cu:9: warning: race on element 0 of `part` (shared memory): one lane reads it and",
        "racy, corrected (reference/doubling/2_racy_corrected.cu)\n    nothing found",
        "wrong (reference/doubling/3_wrong.cu): the result is wrong", "4_faulty.cu:6: write of",
        "broken (reference/doubling/5_broken.cu): ", "5_broken.cu:9"}) {
    INFO(text << said);
    CHECK(text.find(said) != std::string::npos);
  }
  if (!test::is_nvcc("estimates of its code, and its messages")) return;
  check_golden("text.txt", text);
  check_golden(
      "markdown.txt",
      course.grader("ladder doubling --device simulator --format markdown --every-card --size 8192"));
}

TEST_CASE("mistakes on the command line", "[usage]") {
  const CourseWithDoubling course;
  std::string text;
  for (const char* arguments :
       {"ladder", "ladder --type int", "ladder --help", "ladder doublin", "ladder doubling --type flot",
        "ladder doubling --type double", "ladder doubling --size 0", "ladder doubling --size many",
        "ladder transpose --size 2001", "ladder matmul --size 5", "ladder doubling --device card",
        "ladder doubling --format html", "ladder doubling --device-profile k40", "ladder doubling --sise 5"})
    text += course.grader(arguments) + "\n";
  check_golden("usage.txt", text);
}

TEST_CASE("the CPU's rung runs and is compared with", "[cpu]") {
  const Course course{CUDALABS_SOURCE};
  auto ladder = load_ladder(course, "reduction");
  REQUIRE(ladder.ok());
  ladder->rungs.resize(1);
  LadderRequest request;
  request.type = ElementType::Int32;
  request.size = 1 << 16;
  request.check = false;
  request.profile = *load_device_profile(course, kDefaultProfile);
  const auto run = run_ladder(*ladder, request);
  REQUIRE(run.ok());
  REQUIRE(run->rows.size() == 2);
  CHECK(run->all_right());
  REQUIRE(run->rows[0].cpu_ns.has_value());
  CHECK(*run->rows[0].cpu_ns > 0);
  CHECK_FALSE(run->rows[0].estimated_ns.has_value());
  CHECK(run->rows[1].estimated_ns.has_value());
  const std::string text = ladder_text({*ladder, request, *run, course.root}, ConsoleStyle{});
  CHECK(text.find("over cpu") != std::string::npos);
  CHECK(text.find("one thread of this machine, measured") != std::string::npos);
}

// Every rung that teaches a mistake has findings and a corrected twin; no other rung has either.
TEST_CASE("what the checkers say of the course's ladders", "[findings]") {
  const Course course{CUDALABS_SOURCE};
  for (const std::string& name : ladder_names(course)) {
    const auto ladder = load_ladder(course, name);
    REQUIRE(ladder.ok());
    LadderRequest request;
    request.size = ladder->rungs.back().check_size;
    request.cpu = false;
    request.profile = *load_device_profile(course, kDefaultProfile);
    for (const ElementType type : ladder->types) {
      if (type != ladder->types.front() && !cudalabs::test::everything()) break;
      request.type = type;
      const auto run = run_ladder(*ladder, request);
      REQUIRE(run.ok());
      for (std::size_t i = 0; i < run->rows.size(); ++i) {
        const LadderRow& row = run->rows[i];
        const bool has_twin = i + 1 < run->rows.size() && run->rows[i + 1].kind == LadderRow::Kind::Corrected;
        INFO(name << ", " << spelling(type) << ", " << row.file << ": " << row.problem.english()
                  << (row.findings.empty() ? "" : row.findings.front().text()));
        CHECK(row.problem.empty());
        CHECK(row.unchecked.empty());
        CHECK(row.findings.empty() == !has_twin);
        for (const sim::Finding& finding : row.findings) CHECK(finding.here.line > 0);
      }
    }
  }
}
