#include "grader/present/limits.h"

#include <algorithm>

#include "grader/present/glossary.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

VersionResult version(const char* name, sim::CostBounds bounds, sim::Counters counters) {
  VersionResult result;
  result.name = name;
  result.verdict = Verdict::Accepted;
  result.points = result.max_points = 10;
  result.speed.source = TimeSource::Estimated;
  result.speed.student_ns = bounds.total();
  LaunchSummary launch;
  launch.counters = counters;
  launch.bounds = bounds;
  result.launches.push_back(launch);
  return result;
}

sim::Counters loads(std::uint64_t source, std::uint64_t machine, std::uint64_t conflicts) {
  sim::Counters counters;
  counters.source_shared_load_instructions = source;
  counters.shared_load_instructions = machine;
  counters.source_shared_load_bank_conflicts = conflicts;
  return counters;
}

GradeResult narrow_and_padded() {
  GradeResult result;
  result.versions = {
      version("narrow", {.launch = 1000, .shared = 9000}, loads(32000, 8000, 1015808)),
      version("padded", {.launch = 1000, .latency = 11000}, loads(32000, 32000, 0)),
  };
  return result;
}

}  // namespace

TEST_CASE("a right solution is told what limits it, and what changed", "[limits]") {
  const auto limits = limits_of(narrow_and_padded());
  REQUIRE(limits.size() == 2);
  CHECK(limits[0].version == "narrow");
  CHECK(limits[0].limit.english() == "above all shared memory and L1 (90 %)");
  CHECK(limits[0].next.id() == "next_shared");
  CHECK(limits[0].changes.empty());
  CHECK(limits[1].limit.english() == "above all exposed latency (92 %)");
  CHECK(limits[1].next.id() == "next_latency");
  CHECK(limits[1].changes.english() ==
        "against `narrow`: 10.0 us there, 12.0 us here; bank conflicts 1,015,808 there, 0 here; the compiler "
        "merges the 32,000 loads from shared memory of `narrow` into 8,000 wider ones");
}

TEST_CASE("the same advice for neighbours stands once, and like versions have no differences", "[limits]") {
  GradeResult result;
  result.versions = {version("one", {.latency = 9000}, loads(32000, 32000, 999)),
                     version("two", {.latency = 9000}, loads(33000, 33000, 0))};
  const auto limits = limits_of(result);
  REQUIRE(limits.size() == 2);
  CHECK(limits[0].next.empty());
  CHECK_FALSE(limits[1].next.empty());
  CHECK(limits[1].changes.empty());
}

TEST_CASE("where points are lost, that comes first", "[limits]") {
  GradeResult result = narrow_and_padded();
  result.versions[1].points = 9;
  CHECK(limits_of(result).empty());
  result.versions[1].points = 10;
  result.versions[0].speed.source = TimeSource::Measured;
  CHECK(limits_of(result).empty());
  result.versions[0].verdict = Verdict::NotGraded;  // it was not asked for
  CHECK(limits_of(result).size() == 1);
}

TEST_CASE("the glossary finds its words in a text", "[glossary]") {
  const auto names = [](std::string_view text) {
    std::vector<std::string_view> found;
    for (const GlossaryWord* const word : words_in(text)) found.push_back(word->name);
    return found;
  };
  using Names = std::vector<std::string_view>;
  CHECK(names("two lanes of a warp, 3 ulps, bank conflicts") ==
        Names{"bank conflict", "lane", "ulp", "warp"});
  CHECK(names("warped planes; sector_size") == Names{});
  CHECK(names("") == Names{});
  CHECK(std::ranges::is_sorted(glossary(), {}, &GlossaryWord::name));
  for (const GlossaryWord& word : glossary()) CHECK(Message(word.meaning[0], {}).english().ends_with('.'));
}

}  // namespace cudalabs
