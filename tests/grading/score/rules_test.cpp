// The rules of a version: what it may not do, and what it must do.

#include "grader/grading/score/rules.h"

#include "grader/grading/score/score.h"
#include "tests/grading/score/two_versions.h"
#include "tests/harness/catch.h"

namespace cudalabs {

TEST_CASE("data that passes through forbidden memory costs structure and speed") {
  Lab lab = two_versions();
  lab.versions[0].forbids = {Rule::SharedMemory};
  VersionEvidence global = all_right("global");
  CHECK(score(lab, {global, all_right("padded")}).versions[0].points == 30);
  sim::Counters& counters = global.cases[3].launches[0].counters;
  counters.source_shared_store_instructions = 100;
  counters.shared_store_bytes = counters.shared_load_bytes = 4000;
  const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
  CHECK(version.points == 20);
  REQUIRE(version.lost.size() == 1);
  CHECK(version.lost[0].part == "speed");
  CHECK(version.lost[0].reason.english() ==
        "not what `global` requires: its data passes through shared memory, which it must not use");
}

TEST_CASE("a rule that a version breaks costs structure and speed") {
  const auto told = [](std::vector<Rule> forbids, std::vector<Rule> needs, VersionEvidence global) {
    for (CaseEvidence& test : global.cases) record_deeds(test);
    Lab lab = two_versions();
    lab.versions[0].forbids = std::move(forbids);
    lab.versions[0].needs = std::move(needs);
    const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
    return version.lost.empty() ? std::string("kept") : version.lost[0].reason.english();
  };
  VersionEvidence global = all_right("global");
  CHECK(told({Rule::Atomics, Rule::Thrust, Rule::Cub}, {}, global) == "kept");
  CHECK(told({}, {Rule::Atomics}, global) == "not what `global` requires: it does not use atomic operations");
  LaunchRecord& launch = global.cases[3].launches[0];
  launch.counters.shared_atomic_instructions = 1;
  CHECK(told({}, {Rule::Atomics}, global) == "kept");
  CHECK(told({Rule::Atomics}, {}, global).find("works atomically, which is forbidden here") !=
        std::string::npos);
  CHECK(told({Rule::CooperativeLaunch, Rule::DynamicParallelism}, {}, global) == "kept");
  launch.cooperative = true;
  CHECK(told({Rule::CooperativeLaunch}, {}, global).find("is launched cooperatively") != std::string::npos);
  launch.by_kernel = true;
  CHECK(told({Rule::DynamicParallelism}, {}, global).find("is launched by a kernel") != std::string::npos);
  launch.kernel = "cub::DeviceScanKernel<int>";
  CHECK(told({Rule::Thrust}, {}, global) == "kept");
  Lab no_cub = two_versions();
  no_cub.versions[0].forbids = {Rule::Cub};
  VersionEvidence with_cub = global;
  record_deeds(with_cub.cases[3]);
  CHECK(score(no_cub, {with_cub, all_right("padded")}).versions[0].points == 0);
  CHECK(told({Rule::Cub}, {}, global) ==
        "not what `global` requires: cub::DeviceScanKernel is a kernel of cub, which is forbidden here");
  launch.kernel = "cub::DeviceScanKernel<thrust::plus<int>>";
  CHECK(told({Rule::Thrust}, {}, global).find("is a kernel of thrust") != std::string::npos);
}

TEST_CASE("a version may limit its launches and fix its blocks") {
  const auto told = [](std::int64_t most, std::int64_t size, VersionEvidence global) {
    for (CaseEvidence& test : global.cases) {
      if (!test.timed) test.launches.clear();
      record_deeds(test);
    }
    Lab lab = two_versions();
    lab.versions[0].max_launches = most;
    lab.versions[0].block_size = size;
    const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
    return version.lost.empty() ? std::string("kept") : version.lost[0].reason.english();
  };
  VersionEvidence global = all_right("global");
  std::vector<LaunchRecord>& launches = global.cases[3].launches;
  launches[0].block = {64, 2, 1};
  CHECK(told(1, 128, global) == "kept");
  CHECK(told(1, 64, global).find("have 128 threads, not 64") != std::string::npos);
  launches.push_back({});
  launches[1].block = {128, 1, 1};
  CHECK(told(1, 128, global) == "not what `global` requires: it launches 2 kernels, at most 1 is allowed");
  launches[1].by_kernel = true;
  CHECK(told(1, 128, global) == "kept");
}

TEST_CASE("what a version forbids it must not do in any case") {
  Lab lab = two_versions();
  lab.versions[0].forbids = {Rule::Atomics};
  lab.versions[0].block_size = 128;
  VersionEvidence global = all_right("global");
  for (CaseEvidence& test : global.cases) test.launches[0].block = {128, 1, 1};
  SECTION("only a small case works atomically") {
    global.cases[1].launches[0].counters.global_atomic_requests = 1;
    global.cases[1].launches[0].lines = {{"/build/row_max.cu", 7, {}}};
    global.cases[1].launches[0].lines[0].counters.global_atomic_requests = 1;
    for (CaseEvidence& test : global.cases) record_deeds(test);
    const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
    REQUIRE(version.lost.size() == 1);
    CHECK(version.lost[0].reason.english().find("works atomically") != std::string::npos);
    CHECK(version.lost[0].where.line == 7);
  }
  SECTION("only a small case has other blocks") {
    global.cases[2].launches[0].block = {32, 1, 1};
    for (CaseEvidence& test : global.cases) record_deeds(test);
    const VersionResult version = score(lab, {global, all_right("padded")}).versions[0];
    REQUIRE(version.lost.size() == 1);
    CHECK(version.lost[0].reason.english().find("have 32 threads, not 128") != std::string::npos);
  }
  SECTION("no case does") {
    for (CaseEvidence& test : global.cases) record_deeds(test);
    CHECK(score(lab, {global, all_right("padded")}).versions[0].lost.empty());
  }
}

TEST_CASE("a namespace of the submission that is called like a library is not the library") {
  Lab lab = two_versions();
  lab.versions[0].forbids = {Rule::Thrust};
  const auto points = [&](const std::string& kernel, const std::string& file) {
    VersionEvidence global = all_right("global");
    global.cases[3].launches[0].kernel = kernel;
    global.cases[3].launches[0].lines = {{file, 7, {}}};
    record_deeds(global.cases[3]);
    return score(lab, {global, all_right("padded")}).versions[0].points;
  };
  CHECK(points("thrust::mine", "/build/row_max.cu") == 30);
  CHECK(points("thrust::cuda_cub::core::agent<int>", "/usr/include/thrust/system/cuda/agent.h") == 0);
  CHECK(points("wrapped::thrust::agent<int>", "/usr/include/thrust/system/cuda/agent.h") == 0);
  CHECK(points("my_thrust::agent<int>", "/build/row_max.cu") == 30);
}

TEST_CASE("required atomic operations must make results") {
  Lab lab = two_versions();
  lab.versions[0].needs = {Rule::Atomics};
  VersionEvidence global = all_right("global");
  global.cases[3].launches[0].counters.global_atomic_requests = 1;
  for (CaseEvidence& test : global.cases) record_deeds(test);
  global.cases[1].origins.known = true;
  const auto lost = [&] { return score(lab, {global, all_right("padded")}).versions[0].lost; };
  global.cases[3].input_elements = 4096;
  if (lost().empty()) FAIL("a single operation is enough");
  CHECK(lost()[0].reason.english() ==
        "not what `global` requires: no result is computed from what its atomic operations leave");
  SECTION("they combine values that results are computed from") { global.cases[1].origins.by_atomics = 10; }
  SECTION("they change results") { global.cases[1].origins.atomic_words = 1; }
  SECTION("there is one for each element") {
    global.cases[3].launches[0].counters.shared_atomic_instructions = 40;
  }
  CHECK(lost().empty());
}

TEST_CASE("a version may limit the device memory that it allocates") {
  Lab lab = two_versions();
  lab.versions[0].max_device_memory = 1 << 20;
  VersionEvidence global = all_right("global");
  global.cases[1].peak_bytes = 5 << 20;  // only the timed case counts
  CHECK(score(lab, {global, all_right("padded")}).versions[0].lost.empty());
  global.cases[3].peak_bytes = (1 << 20) + 1;
  const auto lost = score(lab, {global, all_right("padded")}).versions[0].lost;
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].reason.english().find("it allocates 1,048,577 bytes of device memory at once") !=
        std::string::npos);
}

}  // namespace cudalabs
