// Where a student is told to look, where the compiler gives a line and where it gives none.

#include "grader/simulator/program/source_place.h"

#include <cstring>

#include "grader/simulator/simulator.h"
#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

/// What is said of this body, which meets a null pointer in %rd1.
std::string fault_of(const std::string& body) {
  Simulator simulator;
  auto module = simulator.load(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .b32 %r<5>; .reg .f32 %f<5>; .reg .b64 %rd<5>;\n.loc 1 3 1\nld.param.u64 %rd1, [p];\n" +
          body + "\n.loc 1 20 1\nret;\n}\n.file 1 \"k.cu\"\n",
      "k.ptx");
  INFO((module.ok() ? std::string() : module.problem().text()));
  REQUIRE(module.ok());
  const auto launched =
      simulator.launch(**module, "k", {{1, 1, 1}, {1, 1, 1}, 0, false}, std::vector<std::byte>(8));
  REQUIRE(launched.ok());
  REQUIRE(launched->fault.kind != FaultKind::None);
  const std::string text = launched->fault.text();
  const std::size_t note = text.find("; the compiler has joined");
  return text.substr(0, text.find(": ")) +
         (note == std::string::npos ? "" : text.substr(note, text.find("; kernel") - note));
}

const std::string kNote =
    "; the compiler has joined accesses of several lines into this one, and the line shown ";

}  // namespace

TEST_CASE("a line that the compiler gives is the one to look at") {
  CHECK(fault_of(".loc 1 7 5\nld.global.f32 %f1, [%rd1];\n.loc 1 9 1\nadd.f32 %f2, %f1, %f1;") == "k.cu:7");
}

TEST_CASE("code without a line is not blamed on the line before it") {
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 1 0 0\nld.global.f32 %f1, [%rd1];\nmov.u32 %r2, 2;\n"
                 ".loc 1 12 3\nadd.f32 %f2, %f1, %f1;") == "k.cu:12" + kNote + "uses what is read");
  CHECK(fault_of(".loc 1 7 5\nld.global.f32 %f1, [%rd1];\n") == "k.cu:7");
  CHECK(fault_of(".loc 1 6 5\nadd.f32 %f1, 0f3F800000, 0f3F800000;\n.loc 1 8 1\nmov.u32 %r1, 1;\n.loc 1 0 0\n"
                 "st.global.f32 [%rd1], %f1;") == "k.cu:6" + kNote + "makes what is stored");
  CHECK(fault_of(".loc 1 8 1\nmov.u32 %r1, 1;\n.loc 1 0 0\nst.global.u32 [%rd1], 7;") ==
        "k.cu:8" + kNote + "is one near them");
}

TEST_CASE("an address is a use of what was read, overwriting it is none") {
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 1 0 0\nld.global.u64 %rd2, [%rd1];\n.loc 1 10 1\n"
                 "mov.u64 %rd3, 0;\n.loc 1 12 3\nst.global.u32 [%rd2], %r1;") ==
        "k.cu:12" + kNote + "uses what is read");
  CHECK(fault_of(".loc 1 7 5\nmov.u32 %r1, 1;\n.loc 1 0 0\nld.global.f32 %f1, [%rd1];\n.loc 1 10 1\n"
                 "mov.f32 %f1, 0f00000000;") == "k.cu:7" + kNote + "is one near them");
}

}  // namespace cudalabs::sim
