// Grades every submission of tests/hostile and tests/e2e/correct with the real binary and compares the
// results with the tables beside them. Each folder has a tag, so that ctest runs the folders in parallel.

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "grader/base/process/sandbox.h"
#include "tests/e2e/manifest.h"
#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/files.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double kCent = 0.011;  // points are rounded to hundredths

/// Checks that hold for every result of any submission: points within bounds, their sum, and a reason for
/// each lost one.
void check_invariants(const Json& result) {
  CHECK(result.at("schema") == "grader/result/v1");
  double points = 0, max_points = 0;
  for (const Json& version : result.at("versions")) {
    INFO("version " << version.at("name"));
    const double got = version.at("points"), most = version.at("max_points");
    CHECK(got >= 0);
    CHECK(got <= most);
    points += got;
    max_points += most;
    double lost = 0;
    for (const Json& loss : version.at("lost")) {
      lost += loss.at("points").get<double>();
      CHECK_FALSE(loss.at("reason").get<std::string>().empty());
    }
    CHECK(std::abs(lost - (most - got)) < kCent);
  }
  CHECK(std::abs(result.at("score").at("points").get<double>() - points) < kCent);
  CHECK(std::abs(result.at("score").at("max_points").get<double>() - max_points) < kCent);
}

void check_points(const Json& version, Points wanted) {
  const Json& correctness = version.at("correctness");
  const double points = version.at("points"), most = version.at("max_points");
  const double right = correctness.at("points"), most_right = correctness.at("max_points");
  REQUIRE(most_right > 0);
  switch (wanted) {
    case Points::None: CHECK(points == 0); break;
    case Points::Less: CHECK(right < most_right); break;
    case Points::Correct: CHECK(right == most_right); break;
    case Points::Flawed:
      CHECK(right == most_right);
      CHECK(points < most);
      break;
    case Points::All: CHECK(points == most); break;
  }
}

bool names_line(const Json& result, int line) {
  const std::string place = "row_max.cu:" + std::to_string(line);
  if (all_text(result).find(place) != std::string::npos) return true;
  for (const Json& version : result.at("versions")) {
    for (const Json& failure : version.at("correctness").at("failures"))
      if (failure.at("file") == "row_max.cu" && failure.at("line") == line) return true;
    for (const Json& loss : version.at("lost"))
      if (loss.at("file") == "row_max.cu" && loss.at("line") == line) return true;
  }
  return false;
}

bool loses(const Json& result, const std::string& part) {
  for (const Json& version : result.at("versions"))
    for (const Json& loss : version.at("lost"))
      if (loss.at("part") == part) return true;
  return false;
}

/// A limit of Sandbox's course, and what it is instead.
struct OtherLimit {
  const char *usual = "", *other = "";
};

void check_submission(const Expected& expected, const OtherLimit& limit) {
  const Sandbox sandbox;
  cudalabs::test::replace_in(sandbox.course() / "configs/grading.yaml", limit.usual, limit.other);
  const fs::path folder = "lab3/variant4";
  const std::string source = with_paths(read_file(expected.source), sandbox);
  sandbox.write(folder / "row_max.cu", source);
  sandbox.write(folder / "good.cuh", read_file(fs::path(CUDALABS_SOURCE) / "tests/hostile/good.cuh"));
  for (const fs::path& file : expected.with) sandbox.write(folder / file.filename(), read_file(file));

  const Outcome outcome =
      sandbox.grader({"lab3", "variant4", "--device", device_asked(), "--seed", "20240229", "--json", "-"});
  INFO("stderr:\n" << outcome.err.substr(0, 4000));
  INFO("stdout:\n" << outcome.out.substr(0, 60000));
  INFO("left behind: " << Json(outcome.left_behind).dump());
  if (expected.stopped) CHECK(outcome.left_behind == std::vector<std::string>{});
  REQUIRE((outcome.status == 0 || outcome.status == 1));
  REQUIRE(Json::accept(outcome.out));
  const Json result = Json::parse(outcome.out);
  check_invariants(result);
  keep_result(expected.name, result);
  CHECK((outcome.status == 0) == (result.at("score").at("points") == result.at("score").at("max_points")));

  if (!expected.stopped) return remove_left_files();

  const char* const names[] = {"global", "shared", "padded"};
  REQUIRE(result.at("versions").size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& version = result.at("versions")[i];
    INFO("version " << names[i]);
    CHECK(version.at("name") == names[i]);
    CHECK(version.at("verdict") == expected.verdicts[i]);
    check_points(version, expected.points[i]);
  }
  const std::string text = all_text(result);
  for (const std::string& part : expected.loses) {
    INFO("must be lost: " << part);
    CHECK(loses(result, part));
  }
  for (const std::string& wanted : expected.says) {
    INFO("must be said: " << wanted);
    CHECK(text.find(wanted) != std::string::npos);
  }
  for (const std::string& secret : expected.hides) {
    INFO("must not be shown: " << secret);
    CHECK(outcome.out.find(secret) == std::string::npos);
    CHECK(outcome.err.find(secret) == std::string::npos);
  }
  if (const int line = expected.line != 0 ? expected.line : marked_line(source); line != 0) {
    INFO("must name line " << line);
    CHECK(names_line(result, line));
  }
}

/// Grades a folder's submissions. $E2E_ONLY, a part of a name, selects some of them.
void check_folder(const fs::path& folder, const OtherLimit& limit = {}) {
  const char* only = std::getenv("E2E_ONLY");
  const std::string sandbox(cudalabs::spelling(cudalabs::usable_sandbox()));
  for (const Expected& expected :
       read_manifest(folder, {sandbox, device_asked(), cudalabs::test::compiler()})) {
    if (only != nullptr && expected.name.find(only) == std::string::npos) continue;
    DYNAMIC_SECTION(expected.name) { check_submission(expected, limit); }
  }
}

const fs::path kHostile = fs::path(CUDALABS_SOURCE) / "tests/hostile";

TEST_CASE("ordinary mistakes end in a clear verdict", "[basics]") { check_folder(kHostile / "basics"); }
TEST_CASE("work that is not done earns nothing", "[work]") { check_folder(kHostile / "work"); }
TEST_CASE("the grader is out of reach", "[reach]") { check_folder(kHostile / "reach"); }
TEST_CASE("the compiler is out of reach", "[build]") {
  check_folder(kHostile / "build",
               {"compile_seconds: 15", "compile_seconds: 6"});  // two run until they are stopped
}
TEST_CASE("resources are bounded and nothing stays behind", "[resources]") {
  check_folder(kHostile / "resources");
}
// A slow machine needs seconds to touch so much memory.
TEST_CASE("memory is bounded", "[memory]") {
  check_folder(kHostile / "memory", {"call_seconds: 4", "call_seconds: 40"});
}
TEST_CASE("every right way to do it is right", "[correct]") {
  check_folder(fs::path(CUDALABS_TEST_DATA) / "correct");
}

}  // namespace
}  // namespace e2e
