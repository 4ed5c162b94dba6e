// The whole path from a submission to a result, and from its stored run to the same result.

#include "grader/grading/grade.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/present/formats/json.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const Progress kNoProgress = [](const Message&) {};

struct StoredRuns {
  fs::path folder = fs::path(CUDALABS_BIN).parent_path() / "grade-test-runs";
  StoredRuns() { fs::create_directories(folder); }
  ~StoredRuns() { fs::remove_all(folder); }
  StoredRuns(const StoredRuns&) = delete;
  StoredRuns& operator=(const StoredRuns&) = delete;
};

Json document_of(const GradeResult& result) {
  Json document = Json::parse(json_report(result));
  document.erase("nondeterministic");
  return document;
}

}  // namespace

TEST_CASE("a stored run is explained without a device, and only for what was observed", "[grade]") {
  const Course course{CUDALABS_SOURCE};
  const auto profile = load_device_profile(course, kDefaultProfile);
  REQUIRE(profile);
  const auto context = GradingContext::open(course, "lab3", "variant4", {DeviceChoice::Simulator, *profile});
  REQUIRE(context);
  auto job = prepare(**context, {(*context)->lab().reference, {"global"}, 7});
  REQUIRE(job);
  // The last row is left out.
  std::string& source = job->submission.source.content;
  const std::string bound = "static_cast<size_t>(rows)) return;";
  REQUIRE(source.find(bound) != std::string::npos);
  source.replace(source.find(bound), bound.size(), "static_cast<size_t>(rows - 1)) return;");

  const StoredRuns runs;
  job->stored_runs = runs.folder;
  const auto first = grade(**context, *job, kNoProgress);
  REQUIRE(first);
  CHECK(first->versions[0].verdict == Verdict::WrongAnswer);
  job->replay = true;

  const auto again = grade(**context, *job, kNoProgress);
  REQUIRE(again);
  CHECK(document_of(*again) == document_of(*first));

  SECTION("a run for another seed is refused") {
    job->seed = 8;
    CHECK_FALSE(grade(**context, *job, kNoProgress));
  }
  SECTION("a run of another source is refused") {
    source += "// later\n";
    CHECK_FALSE(grade(**context, *job, kNoProgress));
  }
  SECTION("a damaged file is refused") {
    std::ofstream(runs.folder / "global.run", std::ios::app) << "x";
    CHECK_FALSE(grade(**context, *job, kNoProgress));
  }
  SECTION("a missing file is refused") {
    fs::remove(runs.folder / "global.run");
    CHECK_FALSE(grade(**context, *job, kNoProgress));
  }
}

}  // namespace cudalabs
