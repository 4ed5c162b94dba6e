// Calls that do not match the called function: the module is rejected, whatever was declared when they were
// parsed.

#include "tests/harness/catch.h"
#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {
namespace {

std::vector<std::uint32_t> results_of(const std::string& functions, const std::string& body,
                                      std::size_t count) {
  TextKernel kernel(kTextHead + functions + kernel_with(body));
  const DevicePtr at = kernel.zeros(count * 4);
  REQUIRE(kernel.launch(at, 1, 1, {}).fault.kind == FaultKind::None);
  return kernel.values<std::uint32_t>(at, count);
}

}  // namespace

TEST_CASE("declarations, definitions and aliases of a function agree", "[calls]") {
  const std::string four = ".func f(.param .b32 a, .param .b32 b);\n",
                    call = kernel_with(".param .b32 a, b; call f, (a, b);"),
                    other =
                        "function 'f' is declared with other parameters than before\n"
                        "  hint: all its declarations and its definition must agree, calls rely on it";
  for (const char* const late : {".func f() { ret; }\n", ".func f(.param .b32 a, .param .b64 b) { ret; }\n",
                                 ".func f(.param .b32 a);\n"}) {
    INFO(late);
    CHECK(refusal_of(four + call + late) == "t.ptx:12:7: " + other);
  }
  CHECK(refusal_of(four + call + ".func (.param .b32 r) f(.param .b32 a, .param .b32 b);\n") ==
        "t.ptx:12:23: " + other);
  CHECK(refusal_of(four + call + four + four).find("which is not defined") != std::string::npos);
  CHECK(refusal_of(four + call + ".entry f(.param .b32 a, .param .b32 b) { ret; }\n") ==
        "t.ptx:12:8: 'f' is declared both as a kernel and as a function");

  CHECK(refusal_of(four + ".func g() { ret; }\n" + call + ".alias f, g;\n") ==
        "t.ptx:13:8: the alias 'f' has other parameters than 'g'");
  CHECK(refusal_of(four + ".func g(.param .b32 a, .param .b32 b) { ret; }\n" + call + ".alias f, g;\n")
            .empty());
  CHECK(refusal_of(".entry g() { ret; }\n.func f();\n.alias f, g;\n") ==
        "t.ptx:6:8: a kernel cannot be an alias or have one");
}

TEST_CASE("a call passes what the function takes, out of .param variables", "[calls]") {
  CHECK(
      refusal_of(".func f(.param .b8 a[0]) { ret; }\n" + kernel_with(".param .b32 a, b; call f, (a, b);")) ==
      "t.ptx:9: the simulator cannot execute `call` (PTX line 9) in k: it calls f with the wrong arguments");
  CHECK(refusal_of(".func f(.param .b8 a[32]) { ret; }\n" + kernel_with(".shared .b8 s[32]; call f, (s);")) ==
        "t.ptx:9:28: a .param variable or a register is expected here in `call f, (s)`");
}

TEST_CASE("a register may be the name of a function's parameter", "[calls]") {
  const auto function = [](const std::string& body) {
    return ".func (.param .b32 r) f(.param .align 8 .b8 p[16])\n{ .reg .b64 %a, %b, %c; .reg .b32 %x;\n" +
           body + "st.param.b32 [r], %x; ret; }\n";
  };
  const std::string call = kernel_with(
      ".param .align 8 .b8 p[16]; .param .b32 r; .reg .b32 %y; st.param.b32 [p+12], 7;\n"
      "st.param.b32 [p], 5; call (r), f, (p); ld.param.b32 %y, [r]; st.global.b32 [%rd1], %y;");
  const auto result = [&](const std::string& body) {
    TextKernel kernel(kTextHead + function(body) + call);
    const DevicePtr at = kernel.zeros(4);
    REQUIRE(kernel.launch(at, 1, 1, {}).fault.kind == FaultKind::None);
    return kernel.values<std::uint32_t>(at, 1).front();
  };
  CHECK(result("mov.b64 %a, p; mov.u64 %b, %a; ld.param.b32 %x, [%b+12];") == 7);
  CHECK(result("mov.b64 %a, p; add.s64 %b, %a, 16; add.s64 %c, %b, -8; ld.param.b32 %x, [%c+4];") == 7);
  CHECK(result("mov.b64 %a, p+4; mov.u64 %b, %a; ld.param.b32 %x, [%b-4];") == 5);
  // The index of the element is only known at run time.
  const std::string three = "mov.u32 %x, %laneid; add.u32 %x, %x, 3; mul.wide.u32 %c, %x, 4; ";
  CHECK(result(three + "mov.b64 %a, p; add.s64 %b, %a, %c; ld.param.b32 %x, [%b];") == 7);
  CHECK(result(three + "mov.b64 %a, p; mad.lo.s64 %b, %c, 2, %a; ld.param.b32 %x, [%b-24];") == 5);

  const auto refused = [&](const std::string& body) { return refusal_of(function(body) + call); };
  const std::string taken = "the address of a function's parameter is taken\n  hint: Pass it by pointer.";
  CHECK(refused("mov.b64 %a, p; ld.param.b32 %x, [%a+13];")
            .ends_with("a parameter is accessed beyond its end"));
  CHECK(refused("mov.b64 %a, p; ld.param.b32 %x, [%a]; cvt.u32.u64 %x, %a;").ends_with(taken));
  CHECK(refused("mov.b64 %a, p; mov.u64 %b, %a; ld.global.b32 %x, [%b];").ends_with(taken));
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
  // No loop and an allowed depth, but 2^400 calls.
  std::string text = kTextHead +
                     ".func f(.param .b32 n)\n{ .reg .pred %p; .reg .b32 %r<3>;\n"
                     "ld.param.b32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra D;\n"
                     "{ .param .b32 m; sub.u32 %r2, %r1, 1; st.param.b32 [m], %r2; call f, (m); }\n"
                     "{ .param .b32 m; sub.u32 %r2, %r1, 1; st.param.b32 [m], %r2; call f, (m); }\n"
                     "D: ret; }\n" +
                     kernel_with("{ .param .b32 m; st.param.b32 [m], 400; call f, (m); }");
  TextKernel kernel(text);
  LaunchOptions options;
  kernel.limits.stack_bytes = 16384;
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
  kernel.limits.stack_bytes = 16384;
  const LaunchResult done = kernel.launch(kernel.zeros(4), 1, 1, {});
  CHECK(done.fault.kind == FaultKind::StackOverflow);
  CHECK(done.fault.message.english() ==
        "stack overflow: the registers of all calls under way take more than 512 MiB");
}

TEST_CASE("arguments and results of functions may be registers", "[calls]") {
  const std::string more =
      ".func (.reg .u32 d, .reg .f64 e) more(.reg .u32 a, .reg .f64 b)\n{\n.reg .pred p; setp.gt.u32 p, a, "
      "5;\n"
      "add.u32 d, a, 1; add.f64 e, b, b; @p ret; add.u32 d, d, 100;\n}\n";
  const std::string call =
      ".reg .f64 x; .reg .u32 n;\n"
      "call (%r1, x), more, (3, 0d4008000000000000); st.global.u32 [%rd1], %r1;\n"
      "cvt.rzi.u32.f64 %r1, x; st.global.u32 [%rd1+4], %r1; mov.u32 n, 8;\n"
      "call (n, _), more, (n, x); st.global.u32 [%rd1+8], n;\n"
      "mov.u64 %rd2, more; P: .callprototype (.reg .u32 _, .reg .f64 _) _ (.reg .u32 _, .reg .f64 _);\n"
      "call (%r2, x), %rd2, (n, x), P; st.global.u32 [%rd1+12], %r2;\n"
      "setp.eq.u32 %p1, n, 0; mov.u32 %r3, 77; @%p1 call (%r3, x), more, (n, x); st.global.u32 [%rd1+16], "
      "%r3;";
  CHECK(results_of(more, call, 5) == std::vector<std::uint32_t>{104, 6, 9, 10, 77});

  // A branch to the end is a return; a vector is one argument; .param variables and registers can be
  // combined.
  const std::string vectors =
      ".func (.reg .v4 .u32 d) turned(.reg .v2 .u32 a, .param .u32 n)\n{\n.reg .pred p; .reg .u32 m;\n"
      "ld.param.u32 m, [n]; mov.u32 d.x, a.y; mov.u32 d.y, a.x; mov.v2.u32 {d.z, d.w}, a;\n"
      "setp.eq.u32 p, m, 0; @p bra END; add.u32 d.w, d.w, m;\nEND:\n}\n";
  const std::string turns =
      ".reg .v4 .u32 v; .reg .v2 .u32 w; mov.u32 w.x, 1; mov.u32 w.y, 2;\n"
      "call (v), turned, (w, 0); st.global.v4.u32 [%rd1], v; call (v), turned, (w, w.x);\n"
      "st.global.u32 [%rd1+16], v.w;";
  CHECK(results_of(vectors, turns, 5) == std::vector<std::uint32_t>{2, 1, 1, 2, 3});
}

TEST_CASE("a vector moves as a whole", "[calls]") {
  const std::string body =
      ".reg .v4 .u32 v, w; .reg .v2 .f32 f<2>; mov.v4.u32 v, %ntid; mov.u32 v.w, 9; mov.v4.u32 w, v;\n"
      "mov.v2.u32 {w.x, w.w}, {w.w, w.x}; st.global.v4.u32 [%rd1], w;\n"
      "mov.v2.f32 f1, {0f3F800000, 0f40000000}; mov.v2.f32 {f0.y, _}, f1; st.global.f32 [%rd1+16], f0.g;";
  CHECK(results_of("", body, 5) == std::vector<std::uint32_t>{9, 1, 1, 1, 0x3F800000});
}

TEST_CASE("what cannot be passed in a register is refused", "[calls]") {
  CHECK(refusal_of(".func (.reg .pred p) f() { ret; }\n") == "t.ptx:4:19: a predicate cannot be a parameter");
  CHECK(refusal_of(".entry k(.reg .u32 a) { ret; }\n") ==
        "t.ptx:4:20: the parameters of a kernel must be .param");
  const std::string f = ".func (.reg .u32 d) f(.reg .u16 a) { cvt.u32.u16 d, a; ret; }\n";
  CHECK(refusal_of(f + kernel_with("call (%r1), f, (%r2);")) ==
        "t.ptx:9:16: the argument does not match the function's parameter of 2 bytes of .u16 in "
        "`call (%r1), f, (%r2)`");
  CHECK(refusal_of(f + kernel_with("call (5), f, (1);")) ==
        "t.ptx:9:6: the destination must be a register in `call (5), f, (1)`");
  CHECK(refusal_of(f + kernel_with("call (%r1), f, (_);")) ==
        "t.ptx:9:16: an argument is missing in `call (%r1), f, (_)`");
  CHECK(refusal_of(kernel_with(".reg .v4 .u32 v; mov.v2.u32 v, v;")) ==
        "t.ptx:8:29: a vector of 2 elements is expected here in `mov.v2.u32 v, v`");
}

}  // namespace cudalabs::sim
