// Calls that do not fit what is called: they are refused with the module, whatever was declared when they
// were read.

#include "tests/harness/catch.h"
#include "tests/simulator/lower/refusal_of.h"
#include "tests/simulator/text_kernel.h"

namespace cudalabs::sim {

TEST_CASE("declarations, definitions and aliases of a function agree", "[calls]") {
  const std::string four = ".func f(.param .b32 a, .param .b32 b);\n",
                    call = kernel_with(".param .b32 a, b; call f, (a, b);"),
                    other =
                        "function 'f' is declared with other parameters than before\n"
                        "  hint: all its declarations and its definition must agree, calls rely on it";
  for (const char* const late :
       {".func f() { ret; }\n", ".func f(.param .b32 a, .param .b64 b) { ret; }\n",
        ".func f(.param .b32 a);\n", ".func f(.param .b32 a, .reg .b32 b) { ret; }\n"}) {
    INFO(late);
    CHECK(refusal_of(four + call + late) == "t.ptx:12:7: " + other);
  }
  CHECK(refusal_of(four + call + ".func (.param .b32 r) f(.param .b32 a, .param .b32 b);\n") ==
        "t.ptx:12:23: " + other);
  CHECK(refusal_of(four + call + four + four).find("which is defined nowhere") != std::string::npos);
  CHECK(refusal_of(four + call + ".entry f(.param .b32 a, .param .b32 b) { ret; }\n") ==
        "t.ptx:12:8: 'f' is declared as a kernel and as a function that is none");

  CHECK(refusal_of(four + ".func g() { ret; }\n" + call + ".alias f, g;\n") ==
        "t.ptx:13:8: 'f' has other parameters than 'g', whose alias it is");
  CHECK(refusal_of(four + ".func g(.param .b32 a, .param .b32 b) { ret; }\n" + call + ".alias f, g;\n")
            .empty());
  CHECK(refusal_of(".entry g() { ret; }\n.func f();\n.alias f, g;\n") ==
        "t.ptx:6:8: a kernel can be no alias and have none");
}

TEST_CASE("a call passes what the function takes, out of .param variables", "[calls]") {
  CHECK(
      refusal_of(".func f(.param .b8 a[0]) { ret; }\n" + kernel_with(".param .b32 a, b; call f, (a, b);")) ==
      "t.ptx:9: the simulator cannot execute `call` (PTX line 9) in k: f takes other arguments than it is "
      "called with");
  CHECK(
      refusal_of(".func f(.param .b8 a[32]) { ret; }\n" + kernel_with(".shared .b8 s[32]; call f, (s);")) ==
      "t.ptx:9: the simulator cannot execute `call` (PTX line 9) in k: a call passes something other than a "
      ".param variable");
}

TEST_CASE("what is defined is no function of the runtime, whatever its name", "[calls]") {
  TextKernel kernel(kTextHead +
                    ".func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b)\n"
                    "{ st.param.b32 [r], 7; ret; }\n" +
                    kernel_with(".reg .b32 %x; .param .b64 a, b; .param .b32 c; st.param.b64 [a], 0;\n"
                                "st.param.b64 [b], 0; call (c), vprintf, (a, b); ld.param.b32 %x, [c];\n"
                                "st.global.u32 [%rd1], %x;"));
  const DevicePtr out = kernel.zeros(4);
  CHECK(kernel.launch(out, 1, 1, {}).ok());
  CHECK(kernel.values<int>(out, 1).front() == 7);
}

TEST_CASE("functions that call each other for ever come to the end of what a launch may take", "[calls]") {
  // Without a loop, and no deeper than calls may be: 2^400 of them.
  std::string text = kTextHead +
                     ".func f(.param .b32 n)\n{ .reg .pred %p; .reg .b32 %r<3>;\n"
                     "ld.param.b32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra D;\n"
                     "{ .param .b32 m; sub.u32 %r2, %r1, 1; st.param.b32 [m], %r2; call f, (m); }\n"
                     "{ .param .b32 m; sub.u32 %r2, %r1, 1; st.param.b32 [m], %r2; call f, (m); }\n"
                     "D: ret; }\n" +
                     kernel_with("{ .param .b32 m; st.param.b32 [m], 400; call f, (m); }");
  TextKernel kernel(text);
  LaunchOptions options;
  options.max_warp_instructions = 50'000;
  const LaunchResult done = kernel.launch(kernel.zeros(4), 1, 32, options);
  CHECK(done.fault.kind == FaultKind::InstructionLimit);
}

TEST_CASE("calls of functions with large frames overflow the stack, not the machine's memory", "[calls]") {
  TextKernel kernel(
      kTextHead +
      ".func f(.param .b32 n)\n{ .reg .pred %p; .reg .b32 %r<3>; .param .b8 big[600000];\n"
      "ld.param.b32 %r1, [n]; st.param.b32 [big], %r1; setp.eq.u32 %p, %r1, 0; @%p bra D;\n"
      "{ .param .b32 m; sub.u32 %r2, %r1, 1; st.param.b32 [m], %r2; call f, (m); }\nD: ret; }\n" +
      kernel_with("{ .param .b32 m; st.param.b32 [m], 100; call f, (m); }"));
  const LaunchResult done = kernel.launch(kernel.zeros(4), 1, 1, {});
  CHECK(done.fault.kind == FaultKind::StackOverflow);
  CHECK(done.fault.message == "stack overflow: the registers of all calls under way take more than 512 MiB");
}

}  // namespace cudalabs::sim
