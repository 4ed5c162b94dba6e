// An observer that follows a block step by step, or access by access, stops when it stores nothing more. The
// rest of a long block then runs as fast as others.

#include "grader/sim/timing/trace.h"
#include "grader/sim/timing/traffic.h"
#include "tests/harness/catch.h"
#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

namespace {

using namespace cudalabs::sim;

/// Forwards all events to the observer's only worker, and counts them.
class Counting : public Observer {
 public:
  explicit Counting(Observer& of) : of_(of) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override {
    return std::make_unique<Worker>(of_.worker(launch), *this);
  }
  void merge(WorkerObserver& worker) override { of_.merge(*static_cast<Worker&>(worker).of); }
  std::uint64_t steps = 0, accesses = 0;

 private:
  struct Worker : WorkerObserver {
    Worker(std::unique_ptr<WorkerObserver> observer, Counting& all) : of(std::move(observer)), sums(all) {}
    void begin_block(std::uint64_t block) override { of->begin_block(block); }
    void resume_block(std::uint64_t block) override { of->resume_block(block); }
    void access(const WarpAccess& access) override {
      ++sums.accesses;
      of->access(access);
    }
    void step(const WarpStep& step) override {
      ++sums.steps;
      of->step(step);
    }
    void exit_lanes(const Program& program, std::uint32_t at, std::uint32_t warp,
                    std::uint32_t lanes) override {
      of->exit_lanes(program, at, warp, lanes);
    }
    void end_block() override { of->end_block(); }
    [[nodiscard]] bool every_step() const override { return of->every_step(); }
    [[nodiscard]] bool every_access() const override { return of->every_access(); }
    [[nodiscard]] bool only_global() const override { return of->only_global(); }
    [[nodiscard]] bool watches() const override { return of->watches(); }
    std::unique_ptr<WorkerObserver> of;
    Counting& sums;
  };
  Observer& of_;
};

/// A block of 80 threads: one lane of the last warp loops, all others end at once.
void run_loop(Observer& observer, int turns) {
  TextKernel text(kTextHead + kernel_with("mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 70; @%p1 exit;\n"
                                          "mov.u32 %r2, 0;\nL: ld.global.u32 %r3, [%rd1];\n"
                                          "add.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, " +
                                          std::to_string(turns) + "; @%p1 bra L;"));
  LaunchOptions options;
  options.observers = {&observer};
  REQUIRE(text.launch(text.zeros(4), 1, 80, options).ok());
}

constexpr int kTurns = 200000, kInTurn = 4;

}  // namespace

TEST_CASE("a block is traced until its warps have ended or have enough steps", "[cost]") {
  const DeviceProfile profile;
  for (const bool is_long : {false, true}) {
    TraceObserver trace(profile, 0);
    Counting counting(trace);
    run_loop(counting, is_long ? kTurns : 100);
    const std::vector<TracedBlock> blocks = trace.take(false);
    REQUIRE(blocks.size() == 1);
    REQUIRE(blocks[0].warps.size() == 3);
    CHECK(blocks[0].cut == is_long);
    CHECK(blocks[0].whole == !is_long);
    const auto steps = blocks[0].warps[2].size();
    if (is_long) {
      CHECK(steps == 8192);
      CHECK(counting.steps < kTurns * kInTurn / 2);
    } else {
      CHECK(steps > 100 * kInTurn);
      const auto others = blocks[0].warps[0].size() + blocks[0].warps[1].size();
      CHECK(counting.steps == steps + others);
    }
  }
}

TEST_CASE("of a block so many accesses are looked at for what they share", "[cost]") {
  for (const int turns : {1000, kTurns}) {
    ReuseObserver reuse(0);
    Counting counting(reuse);
    run_loop(counting, turns);
    if (turns == kTurns) {
      CHECK(counting.accesses >= 1u << 16);
      CHECK(counting.accesses < kTurns / 2);
    } else {
      CHECK(counting.accesses == 1000);
    }
  }
}
