#include "grader/grading/explain/explain_version.h"

#include <filesystem>
#include <numeric>

#include "grader/course/course.h"
#include "grader/diagnostics/messages/run.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

CaseEvidence wrong(const Message& guess, std::vector<Message> fitting) {
  CaseEvidence test;
  test.verdict = Verdict::WrongAnswer;
  test.mismatch.guess = guess;
  test.mismatch.fitting = std::move(fitting);
  test.reason = guess.empty() ? CaseEvidence::Reason::None : CaseEvidence::Reason::Guessed;
  return test;
}

}  // namespace

TEST_CASE("a usual mistake that does not fit other data of the same sizes is none", "[explain_version]") {
  const std::vector<std::pair<std::string, std::int64_t>> small{{"rows", 3}}, large{{"rows", 65}};
  const SizesOf sizes = [&](std::size_t index) -> const auto& { return index == 0 ? small : large; };
  const Message mistake = msg::usual_mistake(verbatim("the sum without its last element")),
                another = msg::usual_mistake(verbatim("another"));
  // A case of another size may have another mistake. A case that fits two mistakes does not contradict one of
  // them.
  std::vector<CaseEvidence> cases{wrong({}, {}), wrong(mistake, {mistake}), wrong({}, {mistake, another})};
  CHECK_FALSE(differs_among_alike(mistake, cases, sizes));
  cases.push_back(wrong({}, {another}));
  CHECK(differs_among_alike(mistake, cases, sizes));
  // A single one of many may be a rounding error.
  for (int i = 0; i < 3; ++i) cases.push_back(wrong(mistake, {mistake}));
  CHECK_FALSE(differs_among_alike(mistake, cases, sizes));
}

namespace {

Lab row_max() {
  auto lab = load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4");
  REQUIRE(lab);
  return with_drawn_sizes(std::move(*lab), 7);
}

Oracle oracle_of(const Lab& lab) {
  auto oracle = Oracle::load(lab, std::filesystem::path(CUDALABS_BIN).parent_path() / "explain-test-cache");
  REQUIRE(oracle);
  return std::move(*oracle);
}

std::vector<std::size_t> in_the_labs_order(const Lab& lab) {
  std::vector<std::size_t> order(lab.cases.size() + 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// A version of lab3 whose cases were all right, in the lab's order.
struct Explained {
  const Lab lab = row_max();
  const Oracle oracle = oracle_of(lab);
  const CaseContext context{.lab = lab, .oracle = oracle, .seed = 7};
  VersionExplainer explainer{context, 0, in_the_labs_order(lab)};

  Explained() {
    for (CaseEvidence& test : explainer.cases()) test.verdict = Verdict::Accepted;
  }
  /// Makes a case wrong without a reason.
  void fail(std::size_t index) {
    explainer.cases()[index].verdict = Verdict::WrongAnswer;
    explainer.cases()[index].message = verbatim("out[3] is 0");
  }
  std::optional<EvidenceRequest> next() { return explainer.next_request(true); }
};

CaseEvidence accepted() {
  CaseEvidence test;
  test.verdict = Verdict::Accepted;
  return test;
}

}  // namespace

TEST_CASE("right answers need no further runs", "[explain_version]") {
  Explained version;
  CHECK_FALSE(version.next());
}

TEST_CASE("a wrong answer without a reason is run alone, then with its provenance", "[explain_version]") {
  using enum EvidenceRequest::Why;
  Explained version;
  const std::size_t followed = *case_to_follow(version.lab), last = version.lab.cases.size() - 1;
  const std::size_t wrong = followed == last ? last - 1 : last;
  version.fail(wrong);
  auto request = version.next();
  REQUIRE(request);
  CHECK(request->why == FirstCall);
  CHECK(request->run.index == wrong);
  CHECK_FALSE(request->run.followed);
  SECTION("right alone: earlier calls are to blame") {
    version.explainer.add(*request, accepted());
    CHECK(version.explainer.cases()[wrong].message.contains(msg::right_as_first_call));
    CHECK_FALSE(version.next());
  }
  SECTION("wrong alone, too") {
    version.explainer.add(*request, version.explainer.cases()[wrong]);
    CHECK_FALSE(version.explainer.cases()[wrong].message.contains(msg::right_as_first_call));
    request = version.next();
    if (bytes_of(version.lab, version.lab.cases[wrong]) <= std::size_t{4} << 20) {
      REQUIRE(request);
      CHECK(request->why == Provenance);
      CHECK(request->run.followed);
      version.explainer.add(*request, version.explainer.cases()[wrong]);
      request = version.next();
    }
    CHECK_FALSE(request);
  }
}

TEST_CASE("an unsound case requests the checks of the timed case, if there is time", "[explain_version]") {
  Explained version;
  version.explainer.cases()[0].unsound = true;
  SECTION("no time") { CHECK_FALSE(version.explainer.next_request(false)); }
  SECTION("time") {
    const auto request = version.next();
    REQUIRE(request);
    CHECK(request->why == EvidenceRequest::Why::TimedCaseWatched);
    CHECK(request->run.index == version.lab.cases.size());
    CHECK(request->run.untimed);
    version.explainer.add(*request, accepted());
    CHECK_FALSE(version.next());
  }
}

TEST_CASE("where the tracked case is wrong, another one is tracked", "[explain_version]") {
  Explained version;
  const std::vector<std::size_t> candidates = cases_to_follow(version.lab);
  REQUIRE(candidates.size() > 1);
  version.explainer.cases()[candidates[0]].verdict = Verdict::RuntimeError;
  const auto request = version.next();
  REQUIRE(request);
  CHECK(request->why == EvidenceRequest::Why::OtherFollowed);
  CHECK(request->run.index == candidates[1]);
  CHECK(request->run.followed);
  CaseEvidence again = accepted();
  again.origins.elements = 5;
  version.explainer.add(*request, std::move(again));
  CHECK(version.explainer.cases()[candidates[1]].origins.elements == 5);
  CHECK_FALSE(version.next());
}

}  // namespace cudalabs
