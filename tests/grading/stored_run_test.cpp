// A run that was stored is explained again, without a device, to the same evidence.

#include "grader/grading/stored_run.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/protocol/control.h"
#include "grader/grading/explain/build_verdict.h"
#include "grader/grading/grade_version.h"
#include "grader/grading/grading_context.h"
#include "tests/harness/catch.h"
#include "tests/harness/device_process.h"
#include "tests/labs/solutions.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 7;

struct HandedIn {
  std::string slug, name, source;
};

/// The reference of each variant, right ones of other shapes, and references with planted bugs. $LABS_ONLY
/// selects a lab.
std::vector<HandedIn> submissions() {
  const fs::path root = CUDALABS_SOURCE;
  const char* const only = std::getenv("LABS_ONLY");
  std::vector<HandedIn> all;
  const Course course{root};
  for (const std::string& lab : lab_names(course)) {
    if (only != nullptr && lab != only) continue;
    for (const std::string& variant : variant_names(course, lab)) {
      const std::string slug = lab + "/" + variant;
      all.push_back({slug, "reference", e2e::reference_source(root / "reference", slug)});
    }
    for (auto& [slug, name, source] : e2e::read_alternatives(root / "tests" / "labs", lab))
      all.push_back({slug, name, std::move(source)});
    for (const e2e::Mutant& mutant : e2e::read_mutants(root / "tests" / "labs", lab)) {
      const std::string reference = e2e::reference_source(root / "reference", mutant.slug);
      all.push_back({mutant.slug, "mutant " + std::to_string(mutant.number), e2e::edited(reference, mutant)});
    }
  }
  return all;
}

/// What a person reads of a version, and what its score is made of.
std::string words_of(const VersionEvidence& version) {
  std::string text = std::string(spelling(version.state)) + " " + version.message.english() + "\n";
  for (const CaseEvidence& test : version.cases) {
    text += test.name + ": " + std::string(spelling(test.verdict)) + ": " + test.message.english() + "; " +
            test.advice.english() + " " + test.where.file + ":" + std::to_string(test.where.line) + " " +
            std::to_string(static_cast<int>(test.reason)) + std::to_string(test.unsound) +
            std::to_string(static_cast<int>(test.repeated)) + " " + std::to_string(test.launches.size()) +
            " " + std::to_string(test.bytes_to_host) + "\n";
  }
  for (const Messages& note : version.notes) text += note.english() + "\n";
  return text;
}

/// Returns how many versions were run.
std::size_t check_replay(const HandedIn& handed) {
  INFO(handed.slug << " " << handed.name);
  const std::size_t slash = handed.slug.find('/');
  const auto opened = GradingContext::open(Course{CUDALABS_SOURCE}, handed.slug.substr(0, slash),
                                           handed.slug.substr(slash + 1), {});
  REQUIRE(opened);
  GradingContext& grading = **opened;
  const Lab lab = with_drawn_sizes(grading.lab(), kSeed);
  const auto built = grading.build({lab.file, {lab.file, handed.source}, {}});
  REQUIRE(built);
  const std::vector<VersionEvidence> versions = judge_build(lab, *built, {});
  const fs::path file = fs::path(CUDALABS_BIN).parent_path() / "stored_run_test";
  std::size_t run = 0;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    if (versions[v].state != Verdict::Accepted) continue;
    auto context = grading.simulator(lab, kSeed, GradingContext::Purpose::Checkers);
    REQUIRE(context);
    std::string first;
    {
      VersionRunner runner(*context, built->executable, v);
      RecordingRunner recording(runner);
      const auto evidence = grade_version(*context, recording, v);
      REQUIRE(evidence);
      first = words_of(*evidence);
      REQUIRE(store_run(file, recording.bytes()));
    }
    context->device.reset();
    auto bytes = stored_run(file);
    REQUIRE(bytes);
    StoredRunner stored(*std::move(bytes));
    const auto again = grade_version(*context, stored, v);
    if (!again) FAIL(again.problem().text());
    CHECK(words_of(*again) == first);
    ++run;
  }
  fs::remove(file);
  return run;
}

/// Says that every case was run and left nothing.
class FakeRunner : public CaseRunner {
 public:
  Result<Observation> run(const CaseRequest& request, int attempt) override {
    Observation seen;
    seen.request = request;
    seen.attempt = attempt;
    seen.trouble = verbatim("the device stopped");
    seen.end.emplace().signal = "SIGSEGV";
    seen.arrays.resize(2);
    seen.arrays[1].bytes.assign(3, std::byte{7});
    return seen;
  }
  Result<Repetition> repeat_without_host() override { return Repetition{true, false, {}, {}}; }
  void end_session() override {}
  std::string printed() override { return "hello"; }
  std::chrono::milliseconds budget_left() override { return std::chrono::milliseconds(5); }
  std::chrono::milliseconds now() override { return std::chrono::milliseconds(9); }
};

}  // namespace

TEST_CASE("what a runner said is said again in the same order, and nothing else", "[stored_run]") {
  FakeRunner fake;
  RecordingRunner recording(fake);
  CaseRequest request;
  request.index = 3;
  request.timeout = std::chrono::milliseconds(250);
  REQUIRE(recording.run(request, 1));
  CHECK(recording.budget_left().count() == 5);
  REQUIRE(recording.repeat_without_host());
  CHECK(recording.printed() == "hello");

  StoredRunner stored(recording.bytes());
  const auto seen = stored.run(request, 1);
  REQUIRE(seen);
  CHECK(seen->request == request);
  CHECK(seen->attempt == 1);
  CHECK(seen->trouble == Messages(verbatim("the device stopped")));
  CHECK(seen->end->signal == "SIGSEGV");
  REQUIRE(seen->arrays.size() == 2);
  CHECK(seen->arrays[1].bytes == OutputBytes(3, std::byte{7}));
  CHECK(stored.budget_left().count() == 5);
  const auto repetition = stored.repeat_without_host();
  REQUIRE(repetition);
  CHECK((repetition->begun && !repetition->done));
  CHECK(stored.printed() == "hello");
  CHECK_FALSE(stored.run(request, 1));  // there is no more

  StoredRunner other(recording.bytes());
  request.index = 4;
  CHECK_FALSE(other.run(request, 1));
  StoredRunner cut(recording.bytes().substr(0, 20));
  CHECK_FALSE(cut.run(request, 1));
}

TEST_CASE("a stored run is explained to the same diagnoses without a device", "[stored_run][replay]") {
  std::size_t run = 0;
  for (const HandedIn& handed : submissions()) run += check_replay(handed);
  CHECK(run > (std::getenv("LABS_ONLY") == nullptr ? 200 : 0));
}

}  // namespace cudalabs
