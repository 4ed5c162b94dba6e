// Checkers that watch a few blocks of a launch: findings that they must and must not report, and that they do
// not affect the launch.

#include <algorithm>
#include <cstring>

#include "grader/sim/checkers/checkers.h"
#include "grader/sim/executable/sampled_blocks.h"
#include "grader/sim/simulator.h"
#include "grader/sim/timing/traffic.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint32_t kSampledThreads = 64, kMany = 4000, kFew = 100;
constexpr std::int32_t kRows = 10000;

enum class Look { Nowhere, AtSamples, Everywhere };

struct Run {
  LaunchResult result;
  Traffic traffic;
  std::vector<Finding> found;
  std::vector<std::byte> out;

  /// The only finding of this checker.
  [[nodiscard]] const Finding& of(Checker checker) const {
    INFO(text());
    REQUIRE(std::count_if(found.begin(), found.end(),
                          [&](const Finding& f) { return f.checker == checker; }) == 1);
    return *std::find_if(found.begin(), found.end(), [&](const Finding& f) { return f.checker == checker; });
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const Finding& finding : found) all += finding.text() + "\n";
    return all;
  }
};

Run run(const std::string& kernel, std::uint32_t blocks, Look look, unsigned workers = 2,
        std::int32_t rows = kRows, std::uint64_t number = 0) {
  Simulator simulator;
  const auto module =
      simulator.load(test::read_file(CUDALABS_TEST_DATA "/sampled_checkers.ptx"), "sampled_checkers.ptx");
  INFO((module ? std::string() : module.problem().text()));
  REQUIRE(module);
  Checkers checkers(*parse_checkers("initcheck,racecheck,synccheck"));
  const std::uint64_t bytes = std::uint64_t{blocks} * kSampledThreads * 4;
  const DevicePtr in = *simulator.allocate(kSampledThreads * 4), out = *simulator.allocate(bytes);
  // The checkers know these allocations, but not that the host wrote to the first.
  checkers.allocated(in, kSampledThreads * 4);
  checkers.allocated(out, bytes);
  std::memset(simulator.bytes(in, kSampledThreads * 4).data(), 1, kSampledThreads * 4);
  std::memset(simulator.bytes(out, bytes).data(), 0, bytes);

  std::vector<std::byte> parameters(20);
  std::memcpy(parameters.data(), &in, 8);
  std::memcpy(parameters.data() + 8, &out, 8);
  std::memcpy(parameters.data() + 16, &rows, 4);
  LaunchOptions options;
  options.threads = workers;
  options.by_line = true;
  const DeviceRange input{in, kSampledThreads * 4};
  const auto sample = checkers.sampling_observer({&input, 1}, true, number);
  ReuseObserver reuse;
  options.observers.push_back(&reuse);
  if (look == Look::AtSamples) options.observers.push_back(sample.get());
  if (look == Look::Everywhere) options.observers = checkers.observers();
  auto launched =
      simulator.launch(**module, kernel, {{blocks}, {kSampledThreads}, 0, false}, parameters, options);
  INFO(kernel);
  REQUIRE(launched);
  REQUIRE(launched->ok());
  if (look == Look::AtSamples) sample->finish();
  Run done{std::move(*launched), {}, checkers.take(), {}};
  done.traffic = reuse.traffic();
  const auto written = simulator.bytes(out, bytes);
  done.out.assign(written.begin(), written.end());
  return done;
}

int line_of(const std::string& text) {
  const std::string source = test::read_file(CUDALABS_TEST_DATA "/sampled_checkers.cu");
  const std::size_t at = source.find(text);
  REQUIRE(at != std::string::npos);
  return static_cast<int>(
             std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
         1;
}

}  // namespace

TEST_CASE("a barrier that is missing in a large launch is found in a block", "[sampled]") {
  CHECK(run("barrier_missing", kFew, Look::AtSamples).text() == "");
  const Run large = run("barrier_missing", kMany, Look::AtSamples);
  const Finding& race = large.of(Checker::Racecheck);
  CHECK(race.severity == Severity::Error);
  CHECK(race.kind == "read-write race between warps");
  CHECK(static_cast<int>(race.here.line) == line_of("= row_of[63 - t]"));
  CHECK(static_cast<int>(race.other.line) == line_of("row_of[t] = "));
  CHECK(race.here.block == std::array<std::uint32_t, 3>{0, 0, 0});
}

TEST_CASE("blocks that meet in an element of the output are found", "[sampled]") {
  CHECK(run("turns", kMany, Look::AtSamples).of(Checker::Racecheck).kind ==
        "write-write race between blocks");
  for (const unsigned workers : {1u, 2u}) {
    const Run all = run("all_add", kMany, Look::AtSamples, workers);
    const Finding& race = all.of(Checker::Racecheck);
    CHECK(race.severity == Severity::Error);
    CHECK(race.kind == "read-write race between blocks");
    CHECK(race.message.english() ==
          "race on element 0 of parameter 2 (the 1024000-byte allocation): one block reads it and "
          "another block writes it, in the same launch");
    CHECK(static_cast<int>(race.here.line) == line_of("out[0] += in[0]"));
    const Run first = run("first_block_sets", kMany, Look::AtSamples, workers);
    const Finding& set = first.of(Checker::Racecheck);
    CHECK(set.kind == "write-atomic race between blocks");
    CHECK(static_cast<int>(set.here.line) == line_of("if (blockIdx.x == 0) out[0] = 0"));
  }
  CHECK(run("each_puts_back", kMany, Look::AtSamples).of(Checker::Racecheck).kind ==
        "write-atomic race between blocks");
  for (const char* kernel :
       {"told_within_block", "volatile_without_fence", "looked_at_without_fence", "drawn_and_met"}) {
    INFO(kernel);
    CHECK(run(kernel, kMany, Look::AtSamples).of(Checker::Racecheck).kind ==
          "read-write race between blocks");
  }
  CHECK(run("counted_within_block", kMany, Look::AtSamples).of(Checker::Racecheck).kind ==
        "atomic-atomic race between blocks");
  // The same for blocks that are not sampled.
  for (const unsigned workers : {1u, 2u, 7u}) {
    for (const char* kernel : {"meet_far_away", "meet_behind_fence"}) {
      INFO(kernel);
      CHECK(run(kernel, 1000, Look::AtSamples, workers).text() == "");
      const Run far = run(kernel, kMany, Look::AtSamples, workers);
      CHECK(far.of(Checker::Racecheck).kind == "read-write race between blocks");
      CHECK(far.text() == run(kernel, kMany, Look::AtSamples, 1).text());
    }
    CHECK(run("meet_by_writing", kMany, Look::AtSamples, workers).of(Checker::Racecheck).kind ==
          "write-write race between blocks");
  }
  const Run neighbours = run("neighbours", kMany, Look::AtSamples);
  CHECK(neighbours.of(Checker::Racecheck).kind == "read-write race between blocks");
  for (const char* kernel : {"blocks_do_not_meet", "same_table", "chained", "told_in_one_word", "put_back",
                             "neighbouring_bytes", "drawn_apart"}) {
    INFO(kernel);
    CHECK(run(kernel, kMany, Look::AtSamples).text() == "");
  }
}

TEST_CASE("the last block is looked at", "[sampled]") {
  const Run large = run("last_block", kMany, Look::AtSamples);
  CHECK(large.of(Checker::Racecheck).here.block == std::array<std::uint32_t, 3>{kMany - 1, 0, 0});
}

TEST_CASE("shared memory that nobody wrote and a wrong mask are found in a block", "[sampled]") {
  CHECK(run("not_written", kMany, Look::AtSamples, 2, 64).text() == "");
  const Run init = run("not_written", kMany, Look::AtSamples, 2, 60);
  CHECK(init.of(Checker::Initcheck).kind == "uninitialised shared memory");
  CHECK(static_cast<int>(init.of(Checker::Initcheck).here.line) == line_of("= tile[threadIdx.x];"));
  CHECK(run("wrong_mask", kFew, Look::AtSamples).text() == "");
  const Run mask = run("wrong_mask", kMany, Look::AtSamples);
  REQUIRE(!mask.found.empty());
  for (const Finding& finding : mask.found) CHECK(finding.checker == Checker::Synccheck);
}

TEST_CASE("nothing is said of what other blocks may have a part in", "[sampled]") {
  CHECK(run("read_what_lies_there", kMany, Look::Everywhere).text() != "");  // a full check does find it
  CHECK(run("read_what_lies_there", kMany, Look::AtSamples).text() == "");
  CHECK(run("flag_in_global_memory", kMany, Look::AtSamples).text() == "");
}

TEST_CASE("memory that an unwatched launch may have written may be copied to the host", "[sampled]") {
  constexpr DevicePtr kFirst = 0x1000, kLater = 0x2000;
  constexpr std::uint64_t kBytes = 64;
  Checkers checkers(*parse_checkers("initcheck"));
  checkers.allocated(kFirst, kBytes);
  checkers.launched_unwatched();
  checkers.read_by_host({kFirst, kBytes}, {});
  CHECK(checkers.take().empty());
  checkers.allocated(kLater, kBytes);  // after the launch
  checkers.read_by_host({kLater, kBytes}, {});
  CHECK(checkers.take().size() == 1);
}

TEST_CASE("samples leave no trace, and are the same for any number of workers", "[sampled]") {
  for (const char* kernel : {"barrier_missing", "last_block", "not_written", "goes_wrong_late"}) {
    INFO(kernel);
    const std::uint32_t blocks = kernel == std::string("goes_wrong_late") ? 3 : kMany;
    const Run plain = run(kernel, blocks, Look::Nowhere), one = run(kernel, blocks, Look::AtSamples, 1);
    for (const Run& other : {one, run(kernel, blocks, Look::AtSamples, 7)}) {
      CHECK(other.out == plain.out);
      CHECK(other.result.counters == plain.result.counters);
      // The data that the estimate uses.
      REQUIRE(other.traffic.footprints.size() == plain.traffic.footprints.size());
      for (std::size_t i = 0; i < plain.traffic.footprints.size(); ++i) {
        const Footprint &mine = other.traffic.footprints[i], &theirs = plain.traffic.footprints[i];
        CHECK(mine.first == theirs.first);
        CHECK(mine.last == theirs.last);
        CHECK(mine.fresh == theirs.fresh);
      }
      REQUIRE(other.result.lines.size() == plain.result.lines.size());
      for (std::size_t i = 0; i < plain.result.lines.size(); ++i)
        CHECK(other.result.lines[i].counters == plain.result.lines[i].counters);
      CHECK(other.text() == one.text());
    }
  }
}

TEST_CASE("of a block that runs for long its beginning is looked at", "[sampled]") {
  CHECK(run("goes_wrong_late", 3, Look::Everywhere).text() != "");
  CHECK(run("goes_wrong_late", 3, Look::AtSamples).text() == "");
}

TEST_CASE("loads of the inputs are told of again as soon as somebody else looks", "[sampled]") {
  // Full warps and partly active ones, each block with its own elements. One load reads the output, which is
  // no input.
  static constexpr const char* kCopy = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to)
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<10>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.s32 %r3, %r1, 64, %r2;
  mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r4, [%rd4];
  and.b32 %r5, %r2, 31;
  setp.gt.u32 %p1, %r5, 19;
  @%p1 bra END;
  ld.global.u32 %r6, [%rd4];
  ld.global.u32 %r7, [%rd5];
  add.s32 %r8, %r4, %r6;
  add.s32 %r9, %r8, %r7;
  st.global.u32 [%rd5], %r9;
END:
  ret;
})";
  /// Counts the loads that it observes in some blocks.
  struct SomeBlocks : Observer {
    struct OfWorker : WorkerObserver {
      void resume_block(std::uint64_t block) override { looks = block % 16 == 5; }
      [[nodiscard]] bool every_access() const override { return looks; }
      void access(const WarpAccess& a) override {
        if (looks && a.kind == AccessKind::Load && a.space == AccessSpace::Global)
          told.push_back(a.addresses[0]);
      }
      bool looks = false;
      std::vector<std::uint64_t> told;
    };
    std::unique_ptr<WorkerObserver> worker(const LaunchInfo&) override {
      return std::make_unique<OfWorker>();
    }
    void merge(WorkerObserver& worker) override {
      const auto& more = static_cast<OfWorker&>(worker).told;
      told.insert(told.end(), more.begin(), more.end());
    }
    std::vector<std::uint64_t> told;
  };
  constexpr std::uint32_t kBlocks = 1600;
  constexpr std::uint64_t kBytes = std::uint64_t{kBlocks} * kSampledThreads * 4;
  const auto copy = [&](bool sampled, std::vector<std::uint64_t>& told, std::string& found) {
    Simulator simulator;
    const auto module = simulator.load(kCopy, "copy.ptx");
    REQUIRE(module);
    const DevicePtr in = *simulator.allocate(kBytes), out = *simulator.allocate(kBytes);
    std::memset(simulator.bytes(in, kBytes).data(), 1, kBytes);
    std::memset(simulator.bytes(out, kBytes).data(), 2, kBytes);
    Checkers checkers(*parse_checkers("initcheck,racecheck,synccheck"));
    checkers.allocated(in, kBytes);
    checkers.allocated(out, kBytes);
    const DeviceRange input{in, kBytes};
    const auto sample = checkers.sampling_observer({&input, 1}, true, 0);
    SomeBlocks some;
    LaunchOptions options;
    options.threads = 1;
    options.by_line = true;
    options.observers = {&some};
    if (sampled) options.observers.push_back(sample.get());
    std::vector<std::byte> parameters(16);
    std::memcpy(parameters.data(), &in, 8);
    std::memcpy(parameters.data() + 8, &out, 8);
    auto launched =
        simulator.launch(**module, "copy", {{kBlocks}, {kSampledThreads}, 0, false}, parameters, options);
    REQUIRE(launched);
    REQUIRE(launched->ok());
    if (sampled) sample->finish();
    for (const Finding& finding : checkers.take()) found += finding.text() + "\n";
    told = some.told;
    const auto written = simulator.bytes(out, kBytes);
    return std::pair(launched->counters, std::vector<std::byte>(written.begin(), written.end()));
  };
  std::vector<std::uint64_t> told, told_sampled;
  std::string found, found_sampled;
  const auto plain = copy(false, told, found), sampled = copy(true, told_sampled, found_sampled);
  CHECK(told.size() == kBlocks / 16 * 2 * 3);
  CHECK(told_sampled == told);
  CHECK(sampled.first == plain.first);
  CHECK(sampled.second == plain.second);
  CHECK(found_sampled == "");
}

TEST_CASE("the blocks are few, spread over the grid, and others in each launch", "[sampled]") {
  const auto drawn = [](std::uint64_t blocks, std::uint64_t parts, std::uint64_t draw) {
    std::vector<std::uint64_t> list;
    for (std::uint64_t b = 0; b < blocks; ++b)
      if (is_sampled(b, blocks, parts, draw)) list.push_back(b);
    return list;
  };
  CHECK(drawn(1, 0, 0) == std::vector<std::uint64_t>{0});
  CHECK(drawn(7, 0, 3) == std::vector<std::uint64_t>{0, 6});
  const auto first = drawn(100'000, 8, 0), second = drawn(100'000, 8, 1);
  CHECK(first.front() == 0);
  CHECK(first.back() == 99'999);
  CHECK(first.size() <= 10);
  CHECK(second.size() == 10);
  CHECK(first != second);
  std::uint64_t others = 0;
  for (std::uint64_t b = 0; b < 100'000; ++b) others += is_drawn(b, 100'000, 8, 1) ? 1 : 0;
  CHECK(others == 8);  // without the first and the last
}

}  // namespace cudalabs::sim
