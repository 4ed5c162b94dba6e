#include "grader/grading/explain/verdict.h"

#include <string>

#include "grader/diagnostics/messages/cudart.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/sim/base/launch_limits.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// The advice to a student whose wrong answer follows this launch.
std::string advice_for(const sim::LaunchConfig& config, std::uint32_t bounds = 1024,
                       std::uint32_t registers = 0) {
  sim::KernelInfo kernel;
  kernel.name = "k";
  kernel.registers = registers;
  kernel.registers_known = registers > 0;
  kernel.max_threads = bounds;
  const auto refused = refuse_launch(sim::Limits{}, kernel, config, 0);
  REQUIRE(refused);
  CallOutcome outcome;
  outcome.api_errors.push_back({"cudaLaunchKernel", "cudaErrorInvalidValue", refused->why});
  CaseEvidence evidence;
  evidence.verdict = Verdict::WrongAnswer;
  explain_wrong_answer(outcome, evidence);
  CHECK(evidence.verdict == Verdict::RuntimeError);
  return evidence.advice.english();
}

}  // namespace

TEST_CASE("each refusal of a launch comes with what to do about it", "[verdict]") {
  CHECK(advice_for({.grid = {0, 1, 1}, .block = {32, 1, 1}}) ==
        "Round the number of blocks up; if there is no work, because a size is 0, return before the launch.");
  CHECK(advice_for({.grid = {1, 70000, 1}, .block = {32, 1, 1}}) ==
        "Put the blocks along x, or let each do more: only x of a grid may exceed 65535.");
  CHECK(advice_for({.grid = {1, 1, 1}, .block = {0, 1, 1}}) ==
        "Give the block a fixed number of threads, such as 256: in <<<blocks, threads>>> the threads come "
        "second.");
  CHECK(advice_for({.grid = {1, 1, 1}, .block = {2048, 1, 1}}) ==
        "Give the block a fixed number of threads, such as 256, and let the number of blocks grow with the "
        "size: in <<<blocks, threads>>> the blocks come first.");
  CHECK(advice_for({.grid = {1, 1, 1}, .block = {512, 1, 1}}, 256) ==
        "Launch no more threads a block than the kernel's __launch_bounds__ allows.");
  CHECK(advice_for({.grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 60000}) ==
        "Make the tile smaller, or let a block process its part in several rounds: the shared memory of a "
        "block must not grow with the input.");
  CHECK(advice_for({.grid = {1, 1, 1}, .block = {1024, 1, 1}}, 1024, 80) ==
        "Launch fewer threads a block, or write __launch_bounds__(threads) before the kernel's name, so that "
        "the compiler uses fewer registers.");
  CHECK(advice_for({.grid = {100000, 1, 1}, .block = {1024, 1, 1}, .cooperative = true}) ==
        "Launch as many blocks as cudaOccupancyMaxActiveBlocksPerMultiprocessor() allows, and let each do "
        "more.");
}

TEST_CASE("of a block whose sides are too long together it is told that they multiply", "[verdict]") {
  CHECK(advice_for({.grid = {1, 1, 1}, .block = {64, 64, 1}})
            .starts_with("Make the sides of the block smaller"));
}

TEST_CASE("what a failure says of a line or of a call is no note beside it", "[verdict]") {
  CaseEvidence test;
  const Message write_first = verbatim("Write it first."), wait = verbatim("Wait.");
  test.advice = write_first;
  test.where = {"a.cu", 7, 0};
  CHECK(says(test, {{"/tmp/a.cu", 7, "write"}, {}, write_first}));
  CHECK_FALSE(says(test, {{"/tmp/a.cu", 8, "write"}, {}, write_first}));
  CHECK_FALSE(says(test, {{"/tmp/a.cu", 7, "wait"}, {}, wait}));
  const Note call{{"cudaMemset", 0, "cudaErrorInvalidValue"}, {}, write_first};
  CHECK_FALSE(says(test, call));
  test.failed_call = "cudaMemset";
  CHECK(says(test, call));
}

TEST_CASE("other calls that failed come with what to do, and with their name for the line", "[verdict]") {
  const auto advice_for = [](const char* call, const Message& detail) {
    CallOutcome outcome;
    outcome.api_errors.push_back({call, "cudaErrorInvalidValue", detail});
    CaseEvidence evidence;
    evidence.verdict = Verdict::WrongAnswer;
    explain_wrong_answer(outcome, evidence);
    CHECK(evidence.failed_call == call);
    return evidence.advice;
  };
  CHECK(advice_for("cudaMemset", msg::range_not_in_allocation("destination", "0x1", 9)) ==
        msg::compare_count_with_array());
  CHECK(advice_for("cudaMemcpyToSymbol", msg::copy_kind_not_for_pointer()) == msg::arrays_are_on_device());
  CHECK(advice_for("cudaMemcpyToSymbol", msg::copy_kind_not_for_variable()) == msg::variable_is_on_device());
  CHECK(advice_for("cudaMemcpyToSymbol", msg::copy_leaves_variable()) == msg::declare_variable_large());
  CHECK(advice_for("cudaMemcpyToSymbol", msg::not_a_device_variable()) == msg::pass_variable_itself());
  CHECK(advice_for("cudaFree", msg::pointer_not_allocated("0x1")) == msg::free_allocation_once());
  CHECK(advice_for("cudaMalloc2", msg::empty_allocation()) == msg::repair_failed_call());
}

TEST_CASE("an output that nobody wrote to: where kernels stored instead is told, where that is certain",
          "[verdict]") {
  const auto told = [](auto change) {
    CallOutcome outcome;
    LaunchRecord launch;
    launch.kernel = "partial";
    launch.counters.warp_instructions = 100;
    launch.counters.global_store_requests = 8;
    launch.lines = {{"x.cu", 5, {}}, {"x.cu", 7, launch.counters}};
    outcome.launches = {launch};
    CaseAnswer answer;
    answer.untouched = true;
    CaseEvidence evidence;
    evidence.verdict = Verdict::WrongAnswer;
    evidence.message = msg::all_never_written("y", 9, "element");
    change(outcome, answer);
    explain_untouched(outcome, answer, evidence);
    return evidence;
  };
  const CaseEvidence kept = told([](CallOutcome&, CaseAnswer&) {});
  CHECK(kept.message.english().ends_with("; no kernel stored into it: `partial` stored into other memory"));
  CHECK(kept.advice.english().starts_with("Pass `y` to a kernel"));
  CHECK(kept.where.line == 7);
  const CaseEvidence by_host = told([](CallOutcome& outcome, CaseAnswer&) { outcome.bytes_to_host = 8; });
  CHECK(by_host.advice.english().starts_with("Copy the host's result to `y`"));
  const CaseEvidence nothing = told([](CallOutcome& outcome, CaseAnswer&) {
    outcome.launches[0].counters.global_store_requests = 0;
    outcome.launches[0].lines.clear();
  });
  CHECK(nothing.message.english().ends_with("; the kernels stored nothing"));

  // No advice if something was written, if additions may vanish in the poison, or if a GPU has no counters.
  CHECK(told([](CallOutcome&, CaseAnswer& answer) { answer.untouched = false; }).advice.empty());
  CHECK(told([](CallOutcome& outcome, CaseAnswer&) {
          outcome.launches[0].counters.global_atomic_requests = 1;
        }).advice.empty());
  CHECK(told([](CallOutcome& outcome, CaseAnswer&) { outcome.launches[0].counters = {}; }).advice.empty());
}

TEST_CASE("what is read before others have written it is their race, and no note of its own", "[verdict]") {
  const auto finding = [](sim::Checker checker, std::uint32_t line) {
    sim::Finding made;
    made.checker = checker;
    made.message = verbatim("m");
    made.advice = verbatim("a");
    made.here.line = line;
    return made;
  };
  CallOutcome outcome;
  outcome.findings = {finding(sim::Checker::Initcheck, 7), finding(sim::Checker::Initcheck, 9),
                      finding(sim::Checker::Racecheck, 7)};
  const std::vector<Note> notes = notes_of(outcome, Location{"x.cu", 7, 0});
  REQUIRE(notes.size() == 1);
  CHECK(notes.front().text.english() == "line 9: m. a");
}

}  // namespace cudalabs
