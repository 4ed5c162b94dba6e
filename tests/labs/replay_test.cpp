// What was observed in a grading is explained again without a device, to the same result. Gradings does that
// for some of what labs_test.cpp grades, and with $REPLAY=all for all of it. Here are the other submissions
// that can be graded: the references, the untouched stubs, and those of tests/hostile and tests/e2e/correct.
// They take minutes, so they run only if their tag is named: test_labs "[replay]". $LABS_ONLY selects a lab
// or lab/variant.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "grader/course/course.h"
#include "tests/harness/catch.h"
#include "tests/labs/gradings.h"
#include "tests/labs/solutions.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;

/// Grades and replays one submission. Returns the verdicts of its versions, without repetitions.
std::set<std::string> verdicts_of(const std::string& slug, const std::string& source,
                                  const std::vector<fs::path>& beside = {}) {
  static Gradings gradings(cudalabs::CompilerChoice::Auto, Replay::All);
  const nlohmann::json result = gradings.grade(slug, source, beside);
  std::set<std::string> verdicts;
  for (const auto& version : result.at("versions")) verdicts.insert(version.at("verdict"));
  return verdicts;
}

/// Without those that name paths of a sandbox (with_paths()).
std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu" && text_of(entry.path()).find('@') == std::string::npos)
      sources.push_back(entry.path());
  }
  std::ranges::sort(sources);
  return sources;
}

const fs::path kCheckout = CUDALABS_SOURCE;

TEST_CASE("the stored run of a reference and of a stub is explained to the same result", "[.][replay]") {
  const cudalabs::Course course{kCheckout};
  for (const std::string& lab : cudalabs::lab_names(course)) {
    for (const std::string& variant : cudalabs::variant_names(course, lab)) {
      const std::string slug = lab + "/" + variant;
      if (!chosen(slug)) continue;
      INFO(slug);
      CHECK(verdicts_of(slug, reference_source(kCheckout / "reference", slug)) ==
            std::set<std::string>{"accepted"});
      CHECK(verdicts_of(slug, text_of(only_source(kCheckout / "student_templates" / slug))) ==
            std::set<std::string>{"wrong_answer"});
    }
  }
}

TEST_CASE("the stored run of a hostile submission is explained to the same result", "[.][replay]") {
  if (!chosen("lab3/variant4")) return;
  const fs::path hostile = kCheckout / "tests/hostile", correct = kCheckout / "tests/e2e/correct";
  for (const fs::path& folder : {hostile / "basics", hostile / "work", hostile / "reach", correct}) {
    for (const fs::path& source : sources_in(folder)) {
      DYNAMIC_SECTION(source.filename().string()) {
        CHECK_FALSE(
            verdicts_of("lab3/variant4", text_of(source), {hostile / "good.cuh", correct / "helper.cuh"})
                .empty());
      }
    }
  }
}

}  // namespace
}  // namespace e2e
