// Reads of memory that was written as a whole, and of memory that is invalid again.

#include "grader/sim/checkers/checkers.h"
#include "grader/sim/executable/program.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {
namespace {

/// Lane t reads word t and writes it 128 bytes further.
constexpr const char* kMoves = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry moves(.param .u64 at)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [at];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.s32 %r3, %r2, 1;
  st.global.u32 [%rd3+128], %r3;
  ret;
})";

class Watched {
 public:
  std::vector<Finding> found() {
    LaunchOptions options;
    options.observers = checkers.observers();
    REQUIRE(kernel_.launch(memory, 1, kLanes, options).ok());
    return checkers.take();
  }

 private:
  TextKernel kernel_{kMoves};

 public:
  Checkers checkers{checker_bit(Checker::Initcheck)};
  DevicePtr memory = kernel_.zeros(256), other = kernel_.zeros(64);
};

}  // namespace

TEST_CASE("of what was written as a whole a part may come to be unwritten") {
  Watched watched;
  Checkers& checkers = watched.checkers;
  checkers.allocated(watched.memory, 256);
  checkers.allocated(watched.other, 64);
  checkers.written(watched.memory, 256);
  CHECK(watched.found().empty());
  checkers.copied(watched.memory + 40, watched.other, 4);
  const std::vector<Finding> found = watched.found();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "uninitialised global memory");
  CHECK(found[0].here.thread == std::array<std::uint32_t, 3>{10, 0, 0});
  checkers.written(watched.memory, 256);
  CHECK(watched.found().empty());
  checkers.expected({watched.memory, 256});  // as an output, whose bytes are uninitialized
  CHECK(watched.found().size() == 1);
}

TEST_CASE("a copy of an unwritten output is read as that output") {
  Watched watched;
  Checkers& checkers = watched.checkers;
  checkers.allocated(watched.memory, 256);
  checkers.allocated(watched.other, 64);
  checkers.written(watched.memory, 256);
  checkers.expected({watched.other, 64});
  checkers.copied(watched.memory, watched.other, 64);
  const std::vector<Finding> found = watched.found();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == "output read before it was written");
  checkers.written(watched.other, 64);
  checkers.copied(watched.memory, watched.other, 64);
  CHECK(watched.found().empty());
}

TEST_CASE("lanes beyond what was written as a whole are looked at") {
  Watched watched;
  watched.checkers.allocated(watched.memory, 64);
  watched.checkers.written(watched.memory, 64);
  CHECK(watched.found().empty());  // nothing is known about the other bytes
  watched.checkers.allocated(watched.memory + 64, 64);
  const std::vector<Finding> found = watched.found();
  REQUIRE(found.size() == 1);
  CHECK(found[0].here.thread == std::array<std::uint32_t, 3>{16, 0, 0});
}

}  // namespace cudalabs::sim
