// Parameters of device functions whose address is taken, as clang does it with structures of which a condition
// chooses one.

#include "tests/harness/catch.h"
#include "tests/simulator/lower/refusal_of.h"
#include "tests/simulator/text_kernel.h"

namespace cudalabs::sim {
namespace {

/// The second number, or the third one's low byte plus 256, of a or b, by turns of the lane; each is
/// changed by its address before.
const std::string kChooses =
    ".func (.param .b32 r) f(.param .align 4 .b8 a[9], .param .align 4 .b8 b[9], .param .b32 t)\n"
    "{ .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\n"
    "ld.param.b32 %r1, [t]; mov.b64 %rd1, a; mov.b64 %rd2, b; mov.u64 %rd3, %rd2;\n"
    "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; selp.b64 %rd4, %rd1, %rd3, %p1;\n"
    "ld.param.b32 %r3, [%rd4+4]; add.u32 %r3, %r3, 1; st.param.b32 [%rd4+4], %r3;\n"
    "setp.lt.u32 %p2, %r1, 2; @%p2 bra SMALL;\n"
    "ld.u8 %r3, [%rd4+8]; add.u32 %r3, %r3, 256; bra DONE;\n"
    "SMALL: @%p1 ld.param.b32 %r3, [a+4];\n"
    "DONE: st.param.b32 [r], %r3; ret; }\n";

std::string with_call(const std::string& more) {
  return kTextHead + kChooses +
         kernel_with(
             ".param .align 4 .b8 a[9]; .param .align 4 .b8 b[9]; .param .b32 t, r;\n"
             "mov.u32 %r1, %tid.x; st.param.b32 [a+4], 10; st.param.b32 [b+4], 20; st.param.b8 [a+8], 3;\n"
             "st.param.b8 [b+8], 4; st.param.b32 [t], %r1; call (r), f, (a, b, t); ld.param.b32 %r2, [r];\n" +
             more + "mad.wide.u32 %rd2, %r1, 4, %rd1; st.global.u32 [%rd2], %r2;");
}

}  // namespace

TEST_CASE("a parameter whose address is taken is kept in local memory", "[parameters]") {
  for (const Engine engine : {Engine::Interpreter, Engine::Native}) {
    TextKernel kernel(with_call(""));
    const DevicePtr out = kernel.zeros(16);
    LaunchOptions options;
    options.engine = engine;
    CHECK(kernel.launch(out, 1, 4, options).ok());
    CHECK(kernel.values<int>(out, 4) == std::vector<int>{11, 21, 259, 260});
  }
}

TEST_CASE("what is behind a parameter's end is nobody's", "[parameters]") {
  TextKernel kernel(kTextHead +
                    ".func (.param .b32 r) f(.param .align 4 .b8 a[8])\n"
                    "{ .reg .b32 %r; .reg .b64 %rd; mov.b64 %rd, a; ld.b32 %r, [%rd+4096];\n"
                    "st.param.b32 [r], %r; ret; }\n" +
                    kernel_with(".param .align 4 .b8 a[8]; .param .b32 r; st.param.b32 [a], 1;\n"
                                "call (r), f, (a); ld.param.b32 %r1, [r]; st.global.u32 [%rd1], %r1;"));
  const LaunchResult done = kernel.launch(kernel.zeros(4), 1, 1, {});
  CHECK(done.fault.kind != FaultKind::None);
}

TEST_CASE("a parameter larger than a kernel's has no address", "[parameters]") {
  CHECK(refusal_of(".func f(.param .align 4 .b8 a[65536]) { .reg .b64 %rd; mov.b64 %rd, a; ret; }") ==
        "t.ptx:4: the simulator cannot execute `mov.b64` (PTX line 4) in f: the address of a function's "
        "parameter is taken\n  hint: Pass it by pointer.");
}

}  // namespace cudalabs::sim
