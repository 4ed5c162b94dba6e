// Scoring: evidence in, points and explanations out.

#include "grader/grading/score/score.h"

#include <cmath>

#include "grader/base/human.h"
#include "grader/diagnostics/messages/run.h"
#include "tests/grading/score/two_versions.h"
#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

/// In every result the given and the lost points add up to the maximum.
GradeResult checked(const std::vector<VersionEvidence>& evidence) {
  GradeResult result = score(two_versions(), evidence);
  for (const VersionResult& version : result.versions) {
    if (version.verdict == Verdict::NotGraded) continue;
    double lost = 0;
    for (const LostPoints& loss : version.lost) {
      lost += loss.points;
      CHECK_FALSE(loss.reason.empty());
    }
    CHECK(std::abs(version.points + lost - version.max_points) < 0.011);
  }
  return result;
}

}  // namespace

TEST_CASE("everything right earns everything") {
  const GradeResult result = checked({all_right("global"), all_right("padded")});
  CHECK(result.points == 65);
  CHECK(result.max_points == 65);
  CHECK(result.passed());
  CHECK(result.versions[0].correctness.total == 3);  // the empty case cannot earn anything
  CHECK(result.versions[1].structure[0].satisfied);
  CHECK(result.versions[1].speed.source == TimeSource::Estimated);
}

TEST_CASE("some cases wrong cost their share, of structure and speed too") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[1] = failed("one");
  const GradeResult result = checked({evidence, all_right("padded")});
  const VersionResult& version = result.versions[0];
  CHECK(version.verdict == Verdict::WrongAnswer);
  CHECK(version.points == 20);
  REQUIRE(version.lost.size() == 2);
  CHECK(version.lost[1].part == "structure and speed");
  CHECK(version.lost[1].reason.english() ==
        "structure and speed earn the same share of their points as correctness");
  CHECK(version.lost[0].part == "correctness");
  CHECK(version.lost[0].reason.english() == "1 of 3 cases failed; the first is one: out[3] is 0");
  CHECK(version.lost[0].where == Location{"row_max.cu", 9, 0});
  CHECK(version.launches.size() == 1);
  CHECK_FALSE(result.passed());
}

TEST_CASE("launches beyond those that are listed come to one entry with their sums") {
  const auto listed = [](std::size_t launches) {
    VersionEvidence evidence = all_right("global");
    CaseEvidence& timed = evidence.cases[3];
    timed.launches.resize(launches, timed.launches[0]);
    return checked({evidence, all_right("padded")}).versions[0].launches;
  };
  CHECK(listed(kMaxLaunchesListed).size() == kMaxLaunchesListed);
  CHECK(listed(kMaxLaunchesListed).back().launches == 1);
  const std::vector<LaunchSummary> more = listed(kMaxLaunchesListed + 1);
  REQUIRE(more.size() == kMaxLaunchesListed);
  CHECK(more[kMaxLaunchesListed - 2].launches == 1);
  CHECK(more.back().launches == 2);
  CHECK(more.back().counters.global_load_sectors == 250);
  CHECK(more.back().estimated_ns() == 2000);
  CHECK(more.back().grid.count() == 0);
}

TEST_CASE("what is right by luck earns nothing, if the checkers found why in half of what they watched") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[1] = failed("one", Verdict::RuntimeError);
  evidence.cases[1].message = verbatim("race on out[0]");
  evidence.cases[1].watched = evidence.cases[1].unsound = true;
  evidence.cases[2].watched = true;
  const VersionResult racy = checked({evidence, all_right("padded")}).versions[0];
  CHECK(racy.verdict == Verdict::RuntimeError);
  CHECK(racy.correctness.passed == 1);  // the watched case without a finding
  CHECK(racy.speed.points == 0);
  CHECK(racy.correctness.failures[1].message.english() == "right by luck: in one, race on out[0]");

  // An error at a single size affects only that case, one of four.
  evidence.cases.insert(evidence.cases.begin() + 2, evidence.cases[2]);
  CHECK(checked({evidence, all_right("padded")}).versions[0].speed.points == 7.5);
}

TEST_CASE("what is right for published sizes alone earns nothing") {
  VersionEvidence evidence = all_right("global");
  for (const char* name : {"n=41", "n=52", "n=63", "n=74"}) {
    evidence.cases.insert(evidence.cases.begin() + 1, failed(name));
    evidence.cases[1].drawn = true;
  }
  const auto points = [&] { return checked({evidence, all_right("padded")}).versions[0].points; };
  CHECK(points() == 0);
  const VersionResult known = checked({evidence, all_right("padded")}).versions[0];
  CHECK(known.verdict == Verdict::WrongAnswer);
  CHECK(known.correctness.failures.back().message.english() ==
        "right only for the published sizes: in n=74, out[3] is 0");
  evidence.cases[1] = passed("n=32");  // drawn, but equal to a published size
  evidence.cases[1].drawn = true;
  CHECK(points() == 2.86);  // a seventh of the points for correctness

  SECTION("a mistake of some sizes is judged where it is") {
    evidence.cases[2] = passed("n=33");
    evidence.cases[2].drawn = true;
    CHECK(points() > 16);
  }
  SECTION("so is one that other sizes have, too") {
    evidence.cases[5] = failed("one");
    CHECK(points() > 10);
  }
}

TEST_CASE("what a case that went wrong is made of tells nothing of structure") {
  VersionEvidence evidence = all_right("padded");
  evidence.cases[1].origins.known = true;
  evidence.cases[1].origins.elements = evidence.cases[1].origins.past_shared = 100;
  const auto satisfied = [&] {
    return checked({all_right("global"), evidence}).versions[1].structure[0].satisfied;
  };
  CHECK_FALSE(satisfied());
  evidence.cases[1].verdict = Verdict::RuntimeError;
  evidence.cases[1].message = verbatim("a fault");
  CHECK(satisfied());
}

TEST_CASE("a wrong timed case costs structure and speed too") {
  VersionEvidence evidence = all_right("padded");
  evidence.cases[3] = failed("timed");
  const GradeResult result = checked({all_right("global"), evidence});
  const VersionResult& version = result.versions[1];
  REQUIRE(version.lost.size() == 2);
  CHECK(version.lost[0].part == "correctness");
  CHECK(version.lost[1].part == "structure and speed");
  CHECK(version.lost[1].reason.english() == "not judged: the timed case, timed, must pass first");
  CHECK(version.points == version.correctness.points);
  CHECK(version.launches.empty());
}

TEST_CASE("an empty case that fails costs points although it can earn none") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[0] = failed("empty", Verdict::RuntimeError);
  evidence.cases[0].has_output = false;
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.verdict == Verdict::RuntimeError);
  CHECK(version.correctness.passed == 3);
  CHECK(version.correctness.total == 4);
  CHECK(version.points == 22.5);
}

TEST_CASE("a case without elements is told of only where no other fails") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[0] = failed("empty", Verdict::RuntimeError);
  evidence.cases[0].has_output = false;
  evidence.cases[2] = failed("two");
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.verdict == Verdict::WrongAnswer);
  CHECK(version.lost[0].reason.english() == "2 of 4 cases failed; the first is two: out[3] is 0");
}

TEST_CASE("what is told is the failure whose reason is known best") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[0].has_output = true;
  const auto told = [&] {
    return checked({evidence, all_right("padded")}).versions[0].lost[0].reason.english();
  };
  const auto is_reported = [&](const std::string& name) {
    return told().find(" is " + name + ": ") != std::string::npos;
  };
  using Reason = CaseEvidence::Reason;
  evidence.cases[1] = failed("one");
  evidence.cases[2] = failed("two");
  CHECK(is_reported("one"));
  // A failed copy explains missing data in other cases; a missing launch affects only its own case.
  evidence.cases[1].reason = Reason::Guessed;
  evidence.cases[1].mismatch.guess = msg::whole_output_zero();
  evidence.cases[2] = failed("two", Verdict::RuntimeError);
  evidence.cases[2].failed_call = "cudaMemcpyToSymbol";
  CHECK(is_reported("two"));
  evidence.cases[2].failed_call = "cudaLaunchKernel";
  evidence.cases[2].refused_kernel = "kernel";
  CHECK(is_reported("one"));
  // An out-of-bounds access says more than a wrong value or an observed uninitialized read.
  evidence.cases[1].reason = Reason::Seen;
  evidence.cases[2] = failed("two", Verdict::RuntimeError);
  evidence.cases[2].fault = true;
  CHECK(is_reported("two"));
  // An explanation of all values says even more, if it holds in several cases.
  evidence.cases[1].reason = Reason::Guessed;
  evidence.cases[1].mismatch.guess = msg::usual_mistake(verbatim("the sum without its last element"));
  evidence.cases[1].mismatch.usual = true;
  CHECK(is_reported("two"));
  evidence.cases[0] = evidence.cases[1];
  evidence.cases[0].name = "empty";
  CHECK(is_reported("empty"));
  // If there is a race, it may be an accident.
  evidence.cases[0].unsound = true;
  CHECK(is_reported("two"));
}

TEST_CASE("after a timeout the rest is skipped and does not count as right") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[1] = failed("one", Verdict::Timeout);
  evidence.cases[2] = CaseEvidence{};
  evidence.cases[3] = CaseEvidence{};
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.verdict == Verdict::Timeout);
  CHECK(version.points == 0);
  CHECK(version.correctness.skipped == 2);
  CHECK(version.lost[0].reason.english() ==
        "1 of 3 cases failed (2 others were not run); the first is one: out[3] is 0");
}

TEST_CASE("breaking a rule once earns nothing") {
  SECTION("a case that says so") {
    VersionEvidence evidence = all_right("global");
    evidence.cases[2] = failed("two", Verdict::RuleViolation);
    const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
    CHECK(version.verdict == Verdict::RuleViolation);
    CHECK(version.points == 0);
    REQUIRE(version.lost.size() == 1);
    CHECK(version.lost[0].part == "rules");
  }
  SECTION("a right answer without a kernel") {
    VersionEvidence evidence = all_right("global");
    evidence.cases[1].launches.clear();
    evidence.cases[1].bytes_to_host = 4000;
    const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
    CHECK(version.verdict == Verdict::RuleViolation);
    CHECK(version.points == 0);
  }
}

TEST_CASE("what was not run costs everything, what was left out costs nothing") {
  VersionEvidence missing;
  missing.state = Verdict::Missing;
  missing.message = verbatim("`row_max_global` is not defined");
  VersionEvidence left_out;
  left_out.state = Verdict::NotGraded;

  const GradeResult one = checked({missing, all_right("padded")});
  CHECK(one.versions[0].verdict == Verdict::Missing);
  CHECK(one.versions[0].lost[0].reason.english() == "`row_max_global` is not defined");
  CHECK(one.points == 35);
  CHECK(one.max_points == 65);

  const GradeResult other = checked({left_out, all_right("padded")});
  CHECK(other.max_points == 35);
  CHECK(other.passed());
  CHECK_FALSE(checked({left_out, left_out}).passed());
}

TEST_CASE("one version that forwards to another has no structure and speed of its own") {
  VersionEvidence padded = all_right("padded");
  padded.cases[3].launches = all_right("global").cases[3].launches;
  const VersionResult version = checked({all_right("global"), padded}).versions[1];
  CHECK(version.verdict == Verdict::Accepted);
  CHECK(version.points == 20);
  REQUIRE(version.lost.size() == 2);
  CHECK(version.lost[0].part == "structure.bank_conflict_free");
  CHECK(version.lost[0].reason.english() ==
        "`padded` launches the same kernels as `global`, and they do exactly the same work");
  CHECK_FALSE(version.structure[0].satisfied);

  // A template argument without an effect changes the kernel's name, but not its work.
  padded.cases[3].launches[0].kernel_full = "global<1>";
  CHECK(
      checked({all_right("global"), padded}).versions[1].lost[0].reason.english() ==
      "`padded` launches the same kernels as `global` under another name, and they do exactly the same work");
}

TEST_CASE("other code that alone has the algorithm asked for is a version of its own") {
  Lab lab = two_versions();
  VersionEvidence global = all_right("global"), padded = all_right("padded");
  const auto launch = [](VersionEvidence& version, const char* kernel, std::uint64_t code,
                         std::uint32_t blocks) {
    CaseEvidence& timed = version.cases[3];
    timed.input_elements = 1 << 20;
    LaunchRecord& record = timed.launches[0];
    record.kernel_full = kernel;
    record.code = code;
    record.grid = {blocks, 1, 1};
    record.block = {256, 1, 1};
    record.counters.warp_instructions = 100'000 + blocks;
  };
  padded.cases[3].launches = global.cases[3].launches;
  launch(global, "one_each", 1, 4096);
  launch(padded, "many_each", 2, 512);
  const auto reason = [&] {
    const VersionResult version = score(lab, {global, padded}).versions[1];
    return version.lost.empty() ? std::string() : version.lost.back().reason.english();
  };
  const std::string again = "`padded` runs the same kernels as `global`";
  CHECK(reason().find(again) == 0);
  lab.versions[1].algorithm = Algorithm{.inputs_per_thread = 4};
  CHECK(reason().find(again) == std::string::npos);
  lab.versions[1].algorithm->inputs_per_thread = 0.5;  // `global` has it, too
  CHECK(reason().find(again) == 0);
}

TEST_CASE("speed is piecewise linear in reference time / student time") {
  VersionEvidence evidence = all_right("global");
  evidence.cases[3].launches[0].bounds.issue = 2000;  // half as fast
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.verdict == Verdict::Accepted);
  CHECK(version.speed.speedup == 0.5);
  CHECK(version.speed.points == 5);
  CHECK(version.lost[0].part == "speed");
  CHECK(version.lost[0].reason.english().starts_with(
      "2.00 us estimated, 2.00 times as long as the reference solution, which takes 1.00 us"));

  const std::vector<std::pair<double, double>> curve{{0.25, 0}, {0.5, 0.8}, {1, 1}};
  CHECK(curve_share(curve, 0) == 0);
  CHECK(curve_share(curve, 0.25) == 0);
  CHECK(std::abs(curve_share(curve, 0.375) - 0.4) < 1e-12);
  CHECK(std::abs(curve_share(curve, 0.75) - 0.9) < 1e-12);
  CHECK(curve_share(curve, 7) == 1);
  CHECK(curve_share(curve, std::nan("")) == 0);
  const std::vector<std::pair<double, double>> steps{{0.5, 0}, {0.5, 0.5}, {0.9, 0.5}, {0.9, 1}};
  CHECK(curve_share(steps, 0.49) == 0);
  CHECK(curve_share(steps, 0.5) == 0.5);
  CHECK(curve_share(steps, 0.89) == 0.5);
  CHECK(curve_share(steps, 0.9) == 1);
  CHECK(curve_share(steps, std::nan("")) == 0);
}

TEST_CASE("what copies and sets take is a share of the whole time") {
  VersionEvidence evidence = all_right("global");
  CaseEvidence& timed = evidence.cases[3];
  timed.launches[0].bounds.issue = 2000;
  timed.copies_ns = 3000;
  timed.bytes_to_host = 4;
  const auto lost = [&] { return checked({evidence, all_right("padded")}).versions[0].lost.at(0); };
  CHECK(lost().reason.english() ==
        "5.00 us estimated, 5.00 times as long as the reference solution, which takes 1.00 us; above all "
        "copies "
        "and sets (60 %); copies and sets take 3.00 us of it");
  CHECK(lost().advice.english() ==
        "Set with cudaMemset, fill __constant__ arrays with cudaMemcpyToSymbol(..., "
        "cudaMemcpyDeviceToDevice), and let the kernels work where the arrays are: even a small copy between "
        "host and device takes longer than a kernel launch, and waits for the kernels.");

  timed.copies_ns = 1600;
  timed.bytes_to_host = 0;
  CHECK(lost().reason.english() ==
        "3.60 us estimated, 3.60 times as long as the reference solution, which takes 1.00 us; above all "
        "instructions (56 %); copies and sets take 1.60 us of it");
  CHECK(lost().advice.english() ==
        "Let the kernels read and write where the arrays are, and set nothing that they write anyway: a copy "
        "or a set on the device takes as long as a kernel that does nothing else.");
}

TEST_CASE("a measured time stands for itself, and no estimate beside it") {
  VersionEvidence evidence = all_right("global");
  Measurement measured;
  measured.student.call_ns = 4000;
  measured.reference.call_ns = 2000;
  evidence.measured = measured;
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.speed.source == TimeSource::Measured);
  CHECK(version.speed.student_ns == 4000);
  CHECK(version.speed.points == 5);
  CHECK(version.lost[0].reason.english().starts_with(
      "4.00 us measured, 2.00 times as long as the reference solution, which takes 2.00 us"));
  REQUIRE(version.launches.size() == 1);
  CHECK(version.launches[0].estimated_ns() == 0);
}

TEST_CASE("a measurement that does not count earns no speed") {
  VersionEvidence evidence = all_right("global");
  evidence.measured.emplace();
  evidence.measured->student.call_ns = 1;
  evidence.measured->reference.call_ns = 2000;
  evidence.measured->problem = verbatim("too fast to be true");
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.speed.source == TimeSource::None);
  CHECK(version.points == 20);
  CHECK(version.lost[0].reason.english() == "too fast to be true");
}

TEST_CASE("without a time the speed points are lost with a reason, not given") {
  VersionEvidence evidence = all_right("global");
  evidence.reference_launches.clear();
  const VersionResult version = checked({evidence, all_right("padded")}).versions[0];
  CHECK(version.speed.source == TimeSource::None);
  CHECK(version.points == 20);
}

TEST_CASE("numbers as a person reads them") {
  CHECK(human_count(0) == "0");
  CHECK(human_count(999) == "999");
  CHECK(human_count(1000) == "1,000");
  CHECK(human_count(1048576) == "1,048,576");
  CHECK(human_time(870) == "870 ns");
  CHECK(human_time(18400) == "18.4 us");
  CHECK(human_time(2310000) == "2.31 ms");
  CHECK(human_points(7) == "7");
  CHECK(human_points(7.5) == "7.5");
  CHECK(human_points(13.333) == "13.33");
  CHECK(human_points(0) == "0");
  CHECK(human_factor(0.00181) == "0.0018");
  CHECK(human_factor(1.018) == "1.02");
  CHECK(human_factor(8210) == "8,210");
  CHECK(human_bytes(512) == "512 bytes");
  CHECK(human_bytes(4096) == "4.0 KiB");
}

}  // namespace cudalabs
