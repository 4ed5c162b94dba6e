// What the wavefronts' model is not asked for by calibration: the shared half of an asynchronous copy.

#include <array>
#include <cstring>
#include <string>

#include "grader/simulator/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// 32 lanes copy 4 bytes each to shared memory, `apart` bytes from one to the next.
Counters copied(int apart) {
  const std::string ptx =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b8 tile[4224];\n"
      "mov.u32 %r1, %tid.x;\n ld.param.u64 %rd1, [in];\n mul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd1, %rd1, %rd2;\n mov.u32 %r2, tile;\n mad.lo.u32 %r3, %r1, " +
      std::to_string(apart) +
      ", %r2;\n cp.async.ca.shared.global [%r3], [%rd1], 4;\n cp.async.wait_all;\n ret;\n}\n";
  Simulator simulator;
  const auto module = simulator.load(ptx, "test");
  INFO((module ? "" : module.problem().text()));
  REQUIRE(module);
  const DevicePtr in = *simulator.allocate(128);
  std::memset(simulator.bytes(in, 128).data(), 0, 128);
  std::array<std::byte, sizeof in> parameters;
  std::memcpy(parameters.data(), &in, sizeof in);
  const auto result = simulator.launch(**module, "k", {.grid = {2, 1, 1}, .block = {32, 1, 1}}, parameters);
  REQUIRE(result);
  REQUIRE(result->ok());
  return result->counters;
}

}  // namespace

TEST_CASE("asynchronous copies meet in banks as stores do", "[counters]") {
  const Counters row = copied(4), column = copied(128), padded = copied(132);
  CHECK(row.shared_copied_bytes == 256);
  CHECK(row.shared_copy_wavefronts == 2);
  CHECK(row.shared_copy_bank_conflicts == 0);
  CHECK(column.shared_copied_bytes == 256);
  CHECK(column.shared_copy_wavefronts == 64);
  CHECK(column.shared_copy_bank_conflicts == 62);
  CHECK(padded.shared_copy_bank_conflicts == 0);
  CHECK(column.shared_store_bank_conflicts == 0);  // the hardware's counter has none either
}

}  // namespace cudalabs::sim
