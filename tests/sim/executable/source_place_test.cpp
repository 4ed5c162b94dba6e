// The location that a student is given, with and without a line from the compiler.

#include "grader/sim/executable/source_place.h"

#include <array>
#include <cstring>

#include "grader/sim/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// The fault of a block with this many threads.
Fault fault(const std::string& body, std::uint32_t threads, const std::string& header = "put.cuh") {
  Simulator simulator;
  auto module = simulator.load(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<2>; .reg .b32 %r<5>; .reg .f32 %f<5>; .reg .b64 %rd<5>;\n.loc 1 3 1\n"
      "ld.param.u64 %rd1, [p];\n" +
          body + "\n.loc 1 20 1\nret;\n}\n.file 1 \"k.cu\"\n.file 2 \"" + header + "\"\n",
      "k.ptx");
  INFO((module.ok() ? std::string() : module.problem().text()));
  REQUIRE(module.ok());
  const auto launched =
      simulator.launch(**module, "k", {{1, 1, 1}, {threads, 1, 1}, 0, false}, std::vector<std::byte>(8));
  REQUIRE(launched.ok());
  return launched->fault;
}

/// The message for this body, which accesses a null pointer in %rd1.
std::string fault_of(const std::string& body, const std::string& header = "put.cuh") {
  const Fault found = fault(body, 1, header);
  REQUIRE(found.kind != FaultKind::None);
  const std::string text = found.text();
  const std::size_t note = text.find("; the compiler merged");
  return text.substr(0, text.find(": ")) +
         (note == std::string::npos ? "" : text.substr(note, text.find("; kernel") - note));
}

/// Two warps wait at barriers with these locations.
FaultKind divided(const std::string& one, const std::string& other) {
  return fault("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra first;\n.loc 1 " + other +
                   "\nbar.sync 0;\nbra done;\nfirst:\n.loc 1 " + one + "\nbar.sync 0;\ndone:\n",
               64)
      .kind;
}

constexpr std::array kOfToolchain{
    "/usr/local/cuda/bin/../targets/x86_64-linux/include/cuda_fp16.hpp",
    "/apps/cuda/13.0/targets/sbsa-linux/include/sm_32_intrinsics.hpp",
    "/apps/cuda/include/thrust/advance.h",
    "/usr/include/c++/12/bits/stl_algobase.h",
    "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_algobase.h",
    "/home/me/.cache/cuda-labs/cuda-025fefe6d4e07ed0/cuda/std/utility"};

const std::string kNote =
    "; the compiler merged accesses of several lines into this one, and the line shown ";

}  // namespace

TEST_CASE("a line that the compiler gives is the one to look at") {
  CHECK(fault_of(".loc 1 7 5\nld.global.f32 %f1, [%rd1];\n.loc 1 9 1\nadd.f32 %f2, %f1, %f1;") == "k.cu:7");
}

TEST_CASE("inlined code is told by its own line, but for the toolchain's headers") {
  const auto inlined = [](const std::string& file) {
    return fault_of(".loc 2 4 3, function_name $L, inlined_at 1 7 5\nld.global.f32 %f1, [%rd1];", file);
  };
  for (const char* const own :
       {"/home/me/include/put.cuh", "/home/me/cuda/include/put.cuh", "include/put.cuh",
        "/usr/src/app/include/put.cuh", "/home/me/usr/local/cuda-course/put.cuh",
        "/home/me/cuda-labs/put.cuh", "my-linux/include/put.cuh", "include/cooperative_groups_util.cuh",
        "/home/me/cuda-1234/put.cuh"})
    CHECK(inlined(own) == std::string(own) + ":4");
  for (const char* const of_toolchain : kOfToolchain) CHECK(inlined(of_toolchain) == "k.cu:7");
}

TEST_CASE("a toolchain's header that a compiler has inlined without a word is told by the line near it") {
  for (const std::string of_toolchain : kOfToolchain) {
    const auto of_header = [&](const std::string& body) { return fault_of(body, of_toolchain); };
    CHECK(of_header(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 2 4 3\nld.global.f32 %f1, [%rd1];") == "k.cu:7");
    CHECK(of_header(".loc 2 4 3\nld.global.f32 %f1, [%rd1];\n.loc 1 9 1\nmov.u32 %r1, 1;") == "k.cu:3");
    CHECK(of_header(".loc 2 4 3\nld.global.f32 %f1, [%rd1];\n.loc 1 9 1\nadd.f32 %f2, %f1, %f1;") ==
          "k.cu:9");
  }
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 2 4 3\nld.global.f32 %f1, [%rd1];") == "put.cuh:4");
}

TEST_CASE("code without a line is not blamed on the line before it") {
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 1 0 0\nld.global.f32 %f1, [%rd1];\nmov.u32 %r2, 2;\n"
                 ".loc 1 12 3\nadd.f32 %f2, %f1, %f1;") == "k.cu:12" + kNote + "uses the value read");
  CHECK(fault_of(".loc 1 7 5\nld.global.f32 %f1, [%rd1];\n") == "k.cu:7");
  CHECK(fault_of(".loc 1 6 5\nadd.f32 %f1, 0f3F800000, 0f3F800000;\n.loc 1 8 1\nmov.u32 %r1, 1;\n.loc 1 0 0\n"
                 "st.global.f32 [%rd1], %f1;") == "k.cu:6" + kNote + "computes the value stored");
  CHECK(fault_of(".loc 1 8 1\nmov.u32 %r1, 1;\n.loc 1 0 0\nst.global.u32 [%rd1], 7;") ==
        "k.cu:8" + kNote + "is near them");
}

TEST_CASE("an address is a use of what was read, overwriting it is none") {
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 1 0 0\nld.global.u64 %rd2, [%rd1];\n.loc 1 10 1\n"
                 "mov.u64 %rd3, 0;\n.loc 1 12 3\nst.global.u32 [%rd2], %r1;") ==
        "k.cu:12" + kNote + "uses the value read");
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 1 0 0\nld.global.f32 %f1, [%rd1];\n.loc 1 10 1\n"
                 "mov.f32 %f1, 0f00000000;") == "k.cu:7" + kNote + "is near them");
}

TEST_CASE("copies of one barrier are at one place, column and call included") {
  CHECK(divided("7 5", "7 5") == FaultKind::None);
  CHECK(divided("7 5", "8 5") == FaultKind::DivergentBarrier);
  CHECK(divided("7 5", "7 30") == FaultKind::DivergentBarrier);
  const auto called_in = [](const std::string& line) {
    return "2 5, function_name info, inlined_at 1 " + line + " 3";
  };
  CHECK(divided(called_in("7"), called_in("7")) == FaultKind::None);
  CHECK(divided(called_in("7"), called_in("9")) == FaultKind::DivergentBarrier);
}

}  // namespace cudalabs::sim
