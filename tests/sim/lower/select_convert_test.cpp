// 8-bit floats, compared with the nearest representable value.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;

/// An 8-bit format as the values of its non-negative codes; the last code that is not NaN is the largest
/// value.
struct Format {
  std::string name;
  int mantissa, bias;
  u32 largest;

  [[nodiscard]] double value(u32 code) const {
    const u32 exponent = code >> mantissa, rest = code & ((1u << mantissa) - 1);
    if (exponent == 0) return std::ldexp(rest, 1 - bias - mantissa);
    return std::ldexp(rest + (1u << mantissa), static_cast<int>(exponent) - bias - mantissa);
  }
  /// Ties go to the even code; larger values saturate.
  [[nodiscard]] u32 nearest(double a) const {
    if (std::isnan(a)) return 0x7F;
    const double size = std::fabs(a);
    u32 best = largest;
    for (u32 code = 0; code <= largest && size < value(largest); ++code) {
      const double here = std::fabs(value(code) - size), there = std::fabs(value(best) - size);
      if (here < there || (here == there && code % 2 == 0)) best = code;
    }
    return best | (std::signbit(a) ? 0x80u : 0);
  }
};
const std::vector<Format> kFormats = {{"e4m3x2", 3, 7, 0x7E}, {"e5m2x2", 2, 15, 0x7B}};

double of_half(u32 half) {
  const u32 exponent = half >> 10 & 31, rest = half & 1023;
  double size =
      exponent == 0 ? std::ldexp(rest, -24) : std::ldexp(rest + 1024, static_cast<int>(exponent) - 25);
  if (exponent == 31) size = rest == 0 ? INFINITY : NAN;
  return (half & 0x8000) != 0 ? -size : size;
}

/// The result of the conversion for each word, which it reads from %r2.
std::vector<u32> converted(const std::string& conversion, const std::vector<u32>& words) {
  const std::string text =
      ".version 8.0\n.target sm_89\n.address_size 64\n" +
      kernel_with(
          ".reg .b16 %h<4>; mov.u32 %r1, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
          "mad.lo.u32 %r1, %r1, %r3, %r4; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
          "ld.global.u32 %r2, [%rd1];\n" +
          conversion + "\nst.global.u32 [%rd1], %r2;");
  TextKernel kernel(text);
  const DevicePtr at = kernel.zeros(words.size() * 4);
  std::memcpy(kernel.simulator.bytes(at, words.size() * 4).data(), words.data(), words.size() * 4);
  constexpr u32 kThreads = 256;
  REQUIRE(words.size() % kThreads == 0);
  const auto blocks = static_cast<u32>(words.size() / kThreads);
  REQUIRE(kernel.launch(at, blocks, kThreads, {}).fault.kind == FaultKind::None);
  return kernel.values<u32>(at, words.size());
}

}  // namespace

TEST_CASE("every half becomes the nearest float of 8 bits", "[float8]") {
  std::vector<u32> halves(1 << 16);
  for (u32 i = 0; i < halves.size(); ++i) halves[i] = i | (0xFFFF - i) << 16;
  for (const Format& format : kFormats) {
    for (const bool relu : {false, true}) {
      const auto wanted = [&](u32 half) {
        const double a = of_half(half);
        return format.nearest(relu && a < 0 ? 0.0 : a);
      };
      std::vector<u32> each(1 << 16);
      for (u32 i = 0; i < each.size(); ++i) each[i] = wanted(i);
      if (relu) each[0x8000] = 0;
      const auto got = converted(std::string("cvt.rn.satfinite") + (relu ? ".relu." : ".") + format.name +
                                     ".f16x2 %h1, %r2; cvt.u32.u16 %r2, %h1;",
                                 halves);
      std::size_t wrong = 0;
      for (u32 i = 0; i < got.size(); ++i) wrong += got[i] != (each[i] | each[0xFFFF - i] << 8) ? 1 : 0;
      INFO(format.name << " relu " << relu);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("floats become the nearest float of 8 bits, the first the upper one", "[float8]") {
  std::vector<u32> words;
  for (const Format& format : kFormats) {  // all ties and all values, and their neighbours
    for (u32 code = 0; code < format.largest; ++code) {
      for (const double a : {format.value(code), (format.value(code) + format.value(code + 1)) / 2}) {
        const u32 bits = std::bit_cast<u32>(static_cast<float>(a));
        for (const u32 near : {bits - 1, bits, bits + 1}) {
          words.push_back(near);
          words.push_back(near ^ 0x80000000u);
        }
      }
    }
  }
  for (const u32 edge : {0x7F800000u, 0x7FC00000u, 0xFFC00001u, 0x7F7FFFFFu, 1u, 0x80000000u})
    words.push_back(edge);
  for (u32 state = 2463534242u; words.size() < 1u << 15;) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    words.push_back(state);
    words.push_back((state & 0x83FFFFFFu) + 0x3A000000u);  // in the range of the formats
  }
  words.resize(1u << 15);
  for (const Format& format : kFormats) {
    const auto got = converted("mov.b32 %f1, %r2; neg.f32 %f2, %f1; cvt.rn.satfinite." + format.name +
                                   ".f32 %h1, %f1, %f2; cvt.u32.u16 %r2, %h1;",
                               words);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const double a = std::bit_cast<float>(words[i]);
      wrong += got[i] != (format.nearest(a) << 8 | format.nearest(-a)) ? 1 : 0;
    }
    INFO(format.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("every pair of 8-bit floats becomes a pair of halves", "[float8]") {
  std::vector<u32> pairs(1 << 16);
  for (u32 i = 0; i < pairs.size(); ++i) pairs[i] = i;
  for (const Format& format : kFormats) {
    const auto got = converted("cvt.u16.u32 %h1, %r2; cvt.rn.f16x2." + format.name + " %r2, %h1;", pairs);
    const auto is_right = [&](u32 half, u32 code) {
      const u32 size = code & 0x7F;
      const bool is_infinite = format.bias == 15 && size == 0x7C;
      if (size > format.largest && !is_infinite) return half == 0x7FFF;
      const double a = is_infinite ? INFINITY : format.value(size);
      return of_half(half) == ((code & 0x80) != 0 ? -a : a) && half >> 15 == code >> 7;
    };
    std::size_t wrong = 0;
    for (u32 i = 0; i < got.size(); ++i)
      wrong += is_right(got[i] & 0xFFFF, i & 0xFF) && is_right(got[i] >> 16, i >> 8) ? 0 : 1;
    INFO(format.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("formats of 6 and 4 bits are refused", "[float8]") {
  CHECK(refusal_of(kernel_with("cvt.rn.satfinite.e2m1x2.f32 %r1, %f1, %f2;")) ==
        "t.ptx:8:17: unknown modifier '.e2m1x2' in `cvt.rn.satfinite.e2m1x2.f32 %r1, %f1, %f2`\n"
        "  hint: did you mean '.e4m3x2'?");
  CHECK(refusal_of(kernel_with("createpolicy.fractional.L2::evict_first.b64 %rd2, 1;")) ==
        "t.ptx:8: the simulator cannot execute `createpolicy.fractional.L2::evict_first.b64` (PTX line 8) in "
        "k: "
        "its operands do not match the instruction");
}

}  // namespace cudalabs::sim
