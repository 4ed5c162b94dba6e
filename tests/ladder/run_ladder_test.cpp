// `grader ladder`: a small ladder with every kind of rung as whole texts, and what the checkers say of the
// course's own. UPDATE_GOLDEN=1 writes the texts anew: read the difference before committing it.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "grader/ladder/table.h"
#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/device_process.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

/// The course with one more ladder, in a folder that goes away.
class CourseWithDoubling {
 public:
  CourseWithDoubling() {
    std::string name = fs::path(CUDALABS_BIN).parent_path() / "ladder-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    root_ = name;
    const fs::path source(CUDALABS_SOURCE), data(CUDALABS_TEST_DATA);
    fs::copy(source / "configs", root_ / "configs", fs::copy_options::recursive);
    fs::create_directory(root_ / "reference");
    for (const char* folder : {"ladder", "lab2", "lab4", "lab5"})
      fs::copy(source / "reference" / folder, root_ / "reference" / folder, fs::copy_options::recursive);
    fs::copy(data / "doubling", root_ / "reference" / "doubling");
    fs::copy(data / "doubling.yaml", root_ / "configs" / "ladders" / "doubling.yaml");
  }
  ~CourseWithDoubling() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  CourseWithDoubling(const CourseWithDoubling&) = delete;
  CourseWithDoubling& operator=(const CourseWithDoubling&) = delete;

  /// What came out, stdout and stderr together, and the exit status, without this machine's paths.
  [[nodiscard]] std::string grader(const std::string& arguments) const {
    const test::Ended ended =
        test::run({.words = test::shell("'" CUDALABS_BIN "/grader' " + arguments),
                   .environment = {{"CUDA_LABS_COURSE", root_.string()}, {"LC_ALL", "C.UTF-8"}},
                   .together = true});
    std::string text = ended.out;
    for (std::size_t at; (at = text.find(root_.string())) != std::string::npos;)
      text.replace(at, root_.string().size(), "COURSE");
    return "$ grader " + arguments + "\n" + text + "[exit status " + std::to_string(ended.status) + "]\n";
  }

 private:
  fs::path root_;
};

void check_golden(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(CUDALABS_TEST_DATA) / "golden" / (name + ".txt");
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file) << text;
  CHECK(text == test::read_file(file));
}

}  // namespace

TEST_CASE("a ladder is a file of YAML and its programs", "[doubling]") {
  const CourseWithDoubling course;
  const std::string text = course.grader("ladder doubling --device simulator");
  for (const char* said :
       {"2_racy.cu:9: warning: race on element 0 of `part` (shared memory): one lane reads it and",
        "racy, corrected (reference/doubling/2_racy_corrected.cu)\n    nothing found",
        "wrong (reference/doubling/3_wrong.cu): its answer is wrong",
        "write of 4 bytes out of\n  bounds: address 0x",
        "broken (reference/doubling/5_broken.cu): ", "5_broken.cu:9"}) {
    INFO(text << said);
    CHECK(text.find(said) != std::string::npos);
  }
  if (!test::is_nvcc("estimates of its code, and its messages")) return;
  check_golden("text", text);
  check_golden(
      "markdown",
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
  check_golden("usage", text);
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

// Every rung that the course teaches with a mistake has findings and a corrected twin; no other has either.
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
      request.type = type;
      const auto run = run_ladder(*ladder, request);
      REQUIRE(run.ok());
      for (std::size_t i = 0; i < run->rows.size(); ++i) {
        const LadderRow& row = run->rows[i];
        const bool has_twin = i + 1 < run->rows.size() && run->rows[i + 1].kind == LadderRow::Kind::Corrected;
        INFO(name << ", " << spelling(type) << ", " << row.file << ": " << row.problem
                  << (row.findings.empty() ? "" : row.findings.front().text()));
        CHECK(row.problem.empty());
        CHECK_FALSE(row.unchecked.has_value());
        CHECK(row.findings.empty() == !has_twin);
        for (const sim::Finding& finding : row.findings) CHECK(finding.here.line > 0);
      }
    }
  }
}
