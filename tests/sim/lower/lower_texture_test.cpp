// Instructions on textures and surfaces that are not simulated, or do not match their registers.

#include "tests/harness/catch.h"
#include "tests/sim/lower/refusal_of.h"

namespace cudalabs::sim {

TEST_CASE("what a texture is not asked for here is refused in a sentence", "[texture]") {
  const std::string four = "{%f1, %f2, %f3, %f4}, ";
  CHECK(refusal_of(kernel_with("tex.2d.v4.f32.f32 " + four + "[%rd1, {%f1, %f2}];")).empty());
  CHECK(refusal_of(kernel_with("tex.1d.v4.f32.s32 " + four + "[%rd1, {3}];")).empty());
  CHECK(
      refusal_of(kernel_with("tex.2d.v4.f32.f32 " + four + "[%rd1, {%f1, %f2}], {%r1, %r2};")) ==
      cannot(
          "tex.2d.v4.f32.f32",
          "offsets and comparisons of depths are not simulated\n  hint: Add the offset to the coordinates."));
  CHECK(refusal_of(kernel_with("tex.2dms.v4.f32.s32 " + four + "[%rd1, {%r1, %r2, %r3, %r3}];")) ==
        cannot("tex.2dms.v4.f32.s32", "textures of several samples are not simulated"));
  CHECK(refusal_of(kernel_with("tex.base.2d.v4.f32.f32 " + four + "[%rd1, {%f1, %f2}];")) ==
        cannot("tex.base.2d.v4.f32.f32", "mipmaps are not simulated"));
  CHECK(refusal_of(kernel_with("tex.2d.v4.f32.s32 " + four + "[%rd1, {%r1, %r2}];")) ==
        cannot("tex.2d.v4.f32.s32", "integer coordinates need linear memory (tex1Dfetch)"));
  CHECK(refusal_of(kernel_with("tld4.r.cube.v4.f32.f32 " + four + "[%rd1, {%f1, %f2, %f3, %f3}];")) ==
        cannot("tld4.r.cube.v4.f32.f32", "texture gather is simulated for two dimensions only"));
  CHECK(refusal_of(kernel_with("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, {%f1, %f2}];")) ==
        "t.ptx:8:39: sparse textures, which have a predicate behind a bar, are not simulated in "
        "`tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}|%p1, [%rd1, {%f1, %f2}]`\n"
        "  hint: leave out the last argument of the tex function");
}

TEST_CASE("registers are as wide as the coordinates and elements in them", "[texture]") {
  const std::string four = "{%f1, %f2, %f3, %f4}, ";
  const std::string coordinate = "a register does not have the size of its object or coordinate";
  for (const char* const operands : {"[%r1, {%f1, %f2}]", "[%rd1, {%rd1, %f2}]", "[%rd1, {%p1, %f2}]"}) {
    INFO(operands);
    CHECK(refusal_of(kernel_with("tex.2d.v4.f32.f32 " + four + operands + ";")) ==
          cannot("tex.2d.v4.f32.f32", coordinate));
  }
  CHECK(refusal_of(kernel_with("tex.2d.v4.f32.f32 " + four + "[%rd1, {%f1}];")) ==
        cannot("tex.2d.v4.f32.f32", "a coordinate is missing"));
  const std::string element = "a register does not have the size of the element";
  CHECK(refusal_of(kernel_with("tex.2d.v4.f32.f32 {%f1, %f2, %rd3, %f4}, [%rd1, {%f1, %f2}];")) ==
        cannot("tex.2d.v4.f32.f32", element));
  CHECK(refusal_of(kernel_with("suld.b.1d.b64.trap {%r1}, [%rd1, {%r2}];")) ==
        cannot("suld.b.1d.trap.b64", element));
  CHECK(refusal_of(kernel_with("suld.b.1d.b32.trap {%p1}, [%rd1, {%r2}];")) ==
        cannot("suld.b.1d.trap.b32", element));
  CHECK(refusal_of(kernel_with("sust.b.1d.v2.b32.trap [%rd1, {%r2}], {%r1};")) ==
        cannot("sust.b.1d.v2.trap.b32", "the vector has another size"));
  CHECK(refusal_of(kernel_with("suld.b.1d.v4.b64.trap {%rd1, %rd2, %rd3, %rd4}, [%rd1, {%r2}];")) ==
        cannot("suld.b.1d.v4.trap.b64", "no surface has elements of more than 16 bytes"));
}

}  // namespace cudalabs::sim
