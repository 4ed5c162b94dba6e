// Sizes in a text, each alone and their sum: a size that is too large is rejected before it is added.

#include "tests/harness/catch.h"
#include "tests/sim/lower/refusal_of.h"

namespace cudalabs::sim {
namespace {

const std::string kTooLarge =
    "the variables of this function are too large\n  hint: Keep big arrays in global memory.";

}  // namespace

TEST_CASE("variables of a function whose sizes wrap around are refused", "[frame]") {
  for (const char* const variable :
       {".param .b8 x[134217728];", ".param .b8 x[4294967296];", ".param .b8 x[1099511627776];",
        ".param .b8 x[134217728], y[134217728];", ".local .b8 x[1048577];", ".local .b8 x[1099511627776];",
        ".local .b8 x[1048576], y[4294967295];", ".shared .b8 x[16777217];",
        ".shared .b8 x[65536], y[1099511627776];"}) {
    INFO(variable);
    CHECK(refusal_of(kernel_with(variable)) == "t.ptx:4: kernel k cannot run: " + kTooLarge);
  }
  CHECK(refusal_of(kernel_with(".local .b8 x[1048576]; .param .b8 y[65536];")).empty());
}

TEST_CASE("so are parameters of functions, and of kernels that take more than CUDA lets them", "[frame]") {
  for (const std::string& size : std::initializer_list<std::string>{"134217728", "1048577", "4294967290"}) {
    CHECK(refusal_of(".func f(.param .b8 a[" + size + "]) { ret; }\n" + kernel_with("")) ==
          "t.ptx:4: kernel f cannot run: " + kTooLarge);
    CHECK(refusal_of(".func (.param .b8 a[" + size + "]) f() { ret; }\n" + kernel_with("")) ==
          "t.ptx:4: kernel f cannot run: " + kTooLarge);
  }
  const std::string many =
      "t.ptx:4: kernel k cannot run: its parameters exceed the limit of 32764 bytes\n"
      "  hint: Pass big objects by pointer.";
  for (const std::string& list : std::initializer_list<std::string>{
           ".param .b8 a[32765]", ".param .b8 a[4294967295], .param .u32 b",
           ".param .b8 a[32764], .param .b8 b", ".param .b8 a[32760], .param .u64 b"})
    CHECK(refusal_of(".entry k(" + list + ") { ret; }") == many);
  CHECK(refusal_of(".entry k(.param .b8 a[32764]) { ret; }").empty());
}

TEST_CASE("a frame has an end, whatever fills it", "[frame]") {
  std::string constants;
  for (int i = 0; i < 140'000; ++i) constants += "mov.u64 %rd2, " + std::to_string(i) + ";\n";
  CHECK(
      refusal_of(kernel_with(constants)) ==
      "t.ptx:131079: the simulator cannot execute `mov.u64` (PTX line 131079) in k: its registers, constants "
      "and parameters take more than 32 MiB a warp\n  hint: Unroll fewer loops, and pass big objects by "
      "pointer.");
}

TEST_CASE("shared variables of all functions together have one, too", "[frame]") {
  const std::string refusal = "the shared variables of t.ptx take more than 16 MiB";
  CHECK(refusal_of(".func f() { .shared .b8 x[1099511627776]; ret; }\n" + kernel_with("")) == refusal);
  CHECK(
      refusal_of(".shared .b8 x[1099511627776];\n.func f() { .reg .b32 %r; ld.shared.u32 %r, [x]; ret; }\n" +
                 kernel_with("")) == refusal);
}

}  // namespace cudalabs::sim
