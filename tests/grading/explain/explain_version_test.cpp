#include "grader/grading/explain/explain_version.h"

#include "grader/diagnostics/messages/compare.h"
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
  const Message mistake = msg::usual_mistake("the sum without its last element"),
                another = msg::usual_mistake("another");
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

}  // namespace cudalabs
