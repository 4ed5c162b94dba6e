#include "grader/grading/observation/stored_run.h"

#include <string>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// Answers alike whatever is asked.
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

TEST_CASE("a stored run gives the recorded answers to the same questions in their order, and no others",
          "[stored_run]") {
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
  CHECK_FALSE(stored.finished());  // what was printed is left
  CHECK(stored.printed() == "hello");
  CHECK(stored.finished());
  CHECK_FALSE(stored.run(request, 1));  // there is no more
  CHECK_FALSE(stored.finished());

  StoredRunner other(recording.bytes());
  request.index = 4;
  CHECK_FALSE(other.run(request, 1));
  StoredRunner cut(recording.bytes().substr(0, 20));
  CHECK_FALSE(cut.run(request, 1));
  request.index = 3;
  StoredRunner asked_otherwise(recording.bytes());
  CHECK(asked_otherwise.printed().empty());
  CHECK_FALSE(asked_otherwise.finished());
  CHECK_FALSE(asked_otherwise.run(request, 1));  // nor does it go on after that
}

}  // namespace cudalabs
