// Loads and stores that one handler cannot make as they are written.

#include "tests/harness/catch.h"
#include "tests/simulator/lower/refusal_of.h"
#include "tests/simulator/text_kernel.h"

namespace cudalabs::sim {

TEST_CASE("a function's parameters have names, and no addresses", "[access]") {
  const std::string why =
      "t.ptx:4: the simulator cannot execute `ld.param.b32` (PTX line 4) in f: a function's parameter is "
      "accessed by its address\n  hint: Name the parameter.";
  CHECK(refusal_of(".func f() { .reg .b32 %r; ld.param.b32 %r, [16]; ret; }") == why);
  CHECK(refusal_of(".func f(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [0]; ret; }") == why);
  CHECK(refusal_of(".func f() { .reg .b32 %r; st.param.b32 [16], 1; ret; }") ==
        "t.ptx:4: the simulator cannot execute `st.param.b32` (PTX line 4) in f: a function's parameter is "
        "accessed by its address\n  hint: Name the parameter.");
  CHECK(refusal_of(kernel_with(".param .b32 a; mov.u64 %rd2, a;")) ==
        cannot("mov.u64", "the address of a function's parameter is taken\n  hint: Pass it by pointer."));
  CHECK(refusal_of(kernel_with(".param .b32 a; ld.param.b32 %r1, [a+9223372036854775807];")) ==
        cannot("ld.param.b32", "a parameter is accessed beyond its end"));
}

TEST_CASE("the registers of a vector are all of one width", "[access]") {
  const std::string mixed =
      "its vector mixes registers of different widths\n  hint: Use registers of one type.";
  CHECK(refusal_of(kernel_with("ld.global.v2.u32 {%rd2, %r1}, [%rd1];")) ==
        cannot("ld.global.v2.u32", mixed));
  CHECK(refusal_of(kernel_with("st.global.v2.u32 [%rd1], {%r1, %rd2};")) ==
        cannot("st.global.v2.u32", mixed));

  // Constants beside wide registers are made as wide.
  TextKernel kernel(kTextHead + kernel_with("mov.u64 %rd2, 3; st.global.v4.u32 [%rd1], {5, %rd2, -1, 7};"));
  const DevicePtr out = kernel.zeros(16);
  CHECK(kernel.launch(out, 1, 32, {}).ok());
  CHECK(kernel.values<int>(out, 4) == std::vector<int>{5, 3, -1, 7});
}

TEST_CASE("a predicate holds no address, nor 32 bits that of an atomic on global memory", "[access]") {
  CHECK(refusal_of(kernel_with("atom.global.add.u32 %r1, [%r2], 1;")) ==
        cannot("atom.global.add.u32",
               "32-bit global addresses are not simulated\n  hint: Compile for 64 bits."));
  CHECK(refusal_of(kernel_with("mbarrier.init.shared.b64 [%p1], 1;")) ==
        cannot("mbarrier.shared.init.b64", "this register cannot hold an address"));
}

}  // namespace cudalabs::sim
