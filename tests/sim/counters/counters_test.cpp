// Counts that the calibration does not cover: the shared-memory half of an asynchronous copy, and counters
// that Nsight does not have.

#include <array>
#include <cstring>
#include <string>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// The counters of two warps. `body` has its lane's number in %r1 and the array in %rd1.
Counters counted(const std::string& body) {
  const std::string ptx =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in) {\n"
      ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.shared .align 16 .b8 tile[4224];\n"
      "mov.u32 %r1, %tid.x;\n ld.param.u64 %rd1, [in];\n" +
      body + "ret;\n}\n";
  constexpr std::size_t kBytes = 32 * 128;
  Simulator simulator;
  const auto module = simulator.load(ptx, "test");
  INFO((module ? "" : module.problem().text()));
  REQUIRE(module);
  const DevicePtr in = *simulator.allocate(kBytes);
  std::memset(simulator.bytes(in, kBytes).data(), 0, kBytes);
  std::array<std::byte, sizeof in> parameters;
  std::memcpy(parameters.data(), &in, sizeof in);
  const auto result = simulator.launch(**module, "k", {.grid = {2, 1, 1}, .block = {32, 1, 1}}, parameters);
  REQUIRE(result);
  REQUIRE(result->ok());
  return result->counters;
}

/// 32 lanes copy 4 bytes each to shared memory, with a distance of `apart` bytes.
Counters copied(int apart) {
  return counted(
      "mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd1, %rd1, %rd2;\n mov.u32 %r2, tile;\n mad.lo.u32 %r3, %r1, " +
      std::to_string(apart) + ", %r2;\n cp.async.ca.shared.global [%r3], [%rd1], 4;\n cp.async.wait_all;\n");
}

/// The first `lanes` lanes load 16 bytes each, with a distance of `apart` bytes.
Counters loaded(int lanes, int apart) {
  return counted("setp.ge.u32 %p1, %r1, " + std::to_string(lanes) +
                 ";\n@%p1 ret;\n mul.wide.u32 %rd2, %r1, " + std::to_string(apart) +
                 ";\n add.s64 %rd1, %rd1, %rd2;\n ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];\n");
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
  CHECK(column.shared_store_bank_conflicts == 0);  // the hardware's counter does not count any either
}

TEST_CASE("as few sectors as the lanes that are there could meet are ideal", "[counters]") {
  for (const int lanes : {32, 16, 4, 1}) {
    const std::uint64_t least = lanes == 1 ? 1 : static_cast<std::uint64_t>(lanes) / 2;
    const auto of_all = static_cast<std::uint64_t>(lanes);
    INFO(lanes << " lanes of 16 bytes in each of two warps");
    CHECK(loaded(lanes, 16).global_load_sectors == 2 * least);
    CHECK(loaded(lanes, 16).global_load_ideal_sectors == 2 * least);
    CHECK(loaded(lanes, 128).global_load_sectors == 2 * of_all);
    CHECK(loaded(lanes, 128).global_load_ideal_sectors == 2 * least);
    CHECK(loaded(lanes, 0).global_load_ideal_sectors == 2);
  }
}

}  // namespace cudalabs::sim
