// Loads and stores that need more than one handler.

#include "tests/harness/catch.h"
#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

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

  // Constants beside wide registers get the same width.
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

TEST_CASE("alloca() gives each lane memory of its own until it is given back", "[access]") {
  const std::string head =
      ".reg .b64 %a, %b, %s, %n; .reg .b32 %x, %y; mov.u32 %x, %laneid; add.u32 %x, %x, 1;\n"
      "mul.wide.u32 %n, %x, 4;\n";
  const auto results = [&](const std::string& body) {
    TextKernel kernel(kTextHead + kernel_with(head + body));
    const DevicePtr out = kernel.zeros(32 * 4);
    REQUIRE(kernel.launch(out, 1, 32, {}).ok());
    return kernel.values<std::uint32_t>(out, 32);
  };
  const std::string store = "mad.wide.u32 %rd1, %x, 4, %rd1; st.global.u32 [%rd1+-4], %y;";
  std::vector<std::uint32_t> wanted(32);
  for (std::uint32_t l = 0; l < 32; ++l) wanted[l] = 100 + 2 * l + 2;
  // Two of them do not overlap, whatever sizes the lanes request.
  CHECK(results(
            "alloca.u64 %a, %n, 16; alloca.u64 %b, %n; add.s64 %n, %n, %a; st.local.u32 [%a], 100;\n"
            "st.local.u32 [%n+-4], %x; st.local.u32 [%b], %x; ld.local.u32 %y, [%n+-4]; add.u32 %y, %y, %x;\n"
            "setp.eq.u32 %p1, %x, 1; @!%p1 ld.local.u32 %r1, [%a]; @%p1 mov.u32 %r1, 100; add.u32 %y, %y, "
            "%r1;\n" +
            store) == wanted);
  CHECK(results("alloca.u64 %s, 100; stacksave.u64 %s; alloca.u64 %a, %n; stackrestore.u64 %s;\n"
                "alloca.u64 %b, 8; sub.s64 %a, %a, %b; cvt.u32.u64 %y, %a; and.b64 %b, %b, 7;\n"
                "cvt.u32.u64 %r1, %b; add.u32 %y, %y, %r1;" +
                store) == std::vector<std::uint32_t>(32));

  TextKernel kernel(kTextHead +
                    kernel_with(head + "alloca.u64 %a, 8; mov.u64 %n, 16380; alloca.u64 %b, %n;"));
  const Fault fault = kernel.launch(kernel.zeros(4), 1, 32, {}).fault;
  CHECK(fault.kind == FaultKind::OutOfBounds);
  CHECK(fault.message.english() == "alloca() of 16380 bytes exceeds the limit of 16384 bytes a function");
  CHECK(refusal_of(kernel_with("alloca.u64 %rd2, 8, 3;"))
            .ends_with("the alignment of alloca() must be a power of 2, at most 64"));
}

}  // namespace cudalabs::sim
