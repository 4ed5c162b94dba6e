// Video instructions, compared with the manual's definition in plain arithmetic.

#include <algorithm>
#include <cstdint>
#include <functional>

#include "tests/sim/lower/refusal_of.h"
#include "tests/sim/text_kernel.h"

namespace cudalabs::sim {
namespace {

using s64 = std::int64_t;
using u32 = std::uint32_t;

/// Byte or half-word number `place` of a word, or the whole word (0 bytes).
s64 part_of(u32 word, int bytes, unsigned place, bool is_signed) {
  const int bits = bytes == 0 ? 32 : 8 * bytes;
  const u32 part = bits == 32 ? word : (word >> (static_cast<unsigned>(bits) * place)) & ((1u << bits) - 1);
  const s64 sign = s64{1} << (bits - 1);
  return is_signed && (part & sign) != 0 ? part - 2 * sign : s64{part};
}

s64 clamp_to(s64 value, bool is_signed, int bits) {
  const s64 high = (s64{1} << (is_signed ? bits - 1 : bits)) - 1, low = is_signed ? -high - 1 : 0;
  return std::clamp(value, low, high);
}

u32 merged(s64 value, u32 into, int bytes, unsigned place) {
  const u32 mask = (1u << (8 * bytes)) - 1, shift = static_cast<u32>(8 * bytes) * place;
  return (into & ~(mask << shift)) | (static_cast<u32>(value) & mask) << shift;
}

struct Form {
  std::string text;  ///< writes %r1, reads %r2, %r3 and %r4
  std::function<u32(u32 a, u32 b, u32 c)> wanted;
};

/// Edge values and others; a, b and c step through them at different rates.
const std::vector<u32> kWords = {0,          1,          0x7F,       0x80,       0xFF,       0x8000,
                                 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F80FF01, 0x01FE8070, 0xFFFE7FFF,
                                 0x12345678, 0xDEADBEEF, 31,         33,         200};

void check_forms(const std::vector<Form>& forms) {
  const std::size_t n = kWords.size(), all = n * n;
  std::string body =
      ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [p]; mov.u32 %r5, %ctaid.x;\n"
      "mul.wide.u32 %rd2, %r5, " +
      std::to_string(12 + 4 * forms.size()) +
      ";\n"
      "add.u64 %rd2, %rd1, %rd2; ld.global.u32 %r2, [%rd2];\n"
      "ld.global.u32 %r3, [%rd2+4]; ld.global.u32 %r4, [%rd2+8];\n";
  for (std::size_t f = 0; f < forms.size(); ++f)
    body += forms[f].text + ";\nst.global.u32 [%rd2+" + std::to_string(12 + 4 * f) + "], %r1;\n";
  TextKernel kernel(kTextHead + body + "ret;\n}\n");
  const std::size_t row = 3 + forms.size();
  std::vector<u32> words(all * row);
  for (std::size_t i = 0; i < all; ++i) {
    words[i * row] = kWords[i / n];
    words[i * row + 1] = kWords[i % n];
    words[i * row + 2] = kWords[(i * 7 + i / n) % n];
  }
  const DevicePtr at = kernel.zeros(words.size() * 4);
  std::memcpy(kernel.simulator.bytes(at, words.size() * 4).data(), words.data(), words.size() * 4);
  REQUIRE(kernel.launch(at, static_cast<u32>(all), 1, {}).fault.kind == FaultKind::None);
  const auto got = kernel.values<u32>(at, words.size());
  for (std::size_t f = 0; f < forms.size(); ++f) {
    for (std::size_t i = 0; i < all; ++i) {
      const u32 a = words[i * row], b = words[i * row + 1], c = words[i * row + 2];
      INFO(forms[f].text << " of " << std::hex << a << ", " << b << ", " << c);
      REQUIRE(got[i * row + 3 + f] == forms[f].wanted(a, b, c));
    }
  }
}

}  // namespace

TEST_CASE("scalar video instructions take parts, clamp and join", "[video]") {
  const auto s32_of = [](u32 word) { return s64{static_cast<std::int32_t>(word)}; };
  check_forms({
      {"vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1",
       [](u32 a, u32 b, u32) { return static_cast<u32>(part_of(a, 1, 0, true) + part_of(b, 2, 1, true)); }},
      {"vadd.u32.u32.s32.sat %r1, %r2, %r3",
       [&](u32 a, u32 b, u32) { return static_cast<u32>(clamp_to(s64{a} + s32_of(b), false, 32)); }},
      {"vadd.s32.u32.u32.sat %r1.b2, %r2.b1, %r3.b3, %r4",
       [](u32 a, u32 b, u32 c) {
         return merged(clamp_to(part_of(a, 1, 1, false) + part_of(b, 1, 3, false), true, 8), c, 1, 2);
       }},
      {"vsub.s32.u32.u32.sat.min %r1, %r2, %r3, %r4",
       [&](u32 a, u32 b, u32 c) {
         return static_cast<u32>(std::min(clamp_to(s64{a} - s64{b}, true, 32), s32_of(c)));
       }},
      {"vsub.u32.u32.u32.max %r1, %r2.h0, %r3.h0, %r4",
       [](u32 a, u32 b, u32 c) { return std::max((a & 0xFFFF) - (b & 0xFFFF), c); }},
      {"vabsdiff.u32.s32.s32.add %r1, %r2, %r3, %r4",
       [&](u32 a, u32 b, u32 c) { return static_cast<u32>(std::abs(s32_of(a) - s32_of(b))) + c; }},
      {"vmin.s32.s32.u32 %r1.h1, %r2, %r3, %r4",
       [&](u32 a, u32 b, u32 c) { return merged(std::min(s32_of(a), s64{b}), c, 2, 1); }},
      {"vmax.u32.u32.s32 %r1, %r2.b3, %r3.b3",
       [](u32 a, u32 b, u32) {
         return static_cast<u32>(std::max(part_of(a, 1, 3, false), part_of(b, 1, 3, true)));
       }},
      {"vshl.u32.u32.u32.clamp.sat %r1, %r2, %r3",
       [](u32 a, u32 b, u32) {
         return a != 0 && (b >= 32 || (std::uint64_t{a} << b) > 0xFFFFFFFF) ? 0xFFFFFFFF
                : b >= 32                                                   ? 0
                                                                            : a << b;
       }},
      {"vshl.u32.u32.u32.wrap %r1, %r2.h1, %r3.b0", [](u32 a, u32 b, u32) { return (a >> 16) << (b & 31); }},
      {"vshr.s32.s32.u32.clamp %r1, %r2, %r3",
       [&](u32 a, u32 b, u32) { return static_cast<u32>(s32_of(a) >> std::min(b, 32u)); }},
      {"vshr.u32.u32.u32.wrap.add %r1, %r2, %r3, 5", [](u32 a, u32 b, u32) { return (a >> (b & 31)) + 5; }},
      {"vset.s32.u32.lt %r1, %r2, %r3", [&](u32 a, u32 b, u32) { return u32{s32_of(a) < s64{b}}; }},
      {"vset.u32.u32.ne.add %r1, %r2.b0, %r3.b1, %r4",
       [](u32 a, u32 b, u32 c) { return c + u32{(a & 0xFF) != (b >> 8 & 0xFF)}; }},
      {"vset.u32.u32.ge %r1.b3, %r2, %r3, %r4", [](u32 a, u32 b, u32 c) { return merged(a >= b, c, 1, 3); }},
  });
}

TEST_CASE("vmad multiplies parts, with signs, scale and clamping", "[video]") {
  const auto s32_of = [](u32 word) { return s64{static_cast<std::int32_t>(word)}; };
  check_forms({
      {"vmad.u32.u32.u32 %r1, %r2, %r3, %r4", [](u32 a, u32 b, u32 c) { return a * b + c; }},
      {"vmad.u32.u32.u32.po %r1, %r2.h0, %r3.b1, %r4",
       [](u32 a, u32 b, u32 c) { return (a & 0xFFFF) * (b >> 8 & 0xFF) + c + 1; }},
      {"vmad.s32.s32.s32.shr15 %r1, %r2.h1, %r3.h0, %r4",
       [&](u32 a, u32 b, u32 c) {
         return static_cast<u32>((part_of(a, 2, 1, true) * part_of(b, 2, 0, true) + s32_of(c)) >> 15);
       }},
      {"vmad.s32.s32.u32.sat %r1, %r2, %r3.b3, -%r4",
       [&](u32 a, u32 b, u32 c) {
         return static_cast<u32>(clamp_to(s32_of(a) * (b >> 24) - s32_of(c), true, 32));
       }},
      {"vmad.s32.u32.u32.sat.shr7 %r1, -%r2.h0, %r3.h1, %r4",
       [&](u32 a, u32 b, u32 c) {
         return static_cast<u32>(clamp_to((-(s64{a & 0xFFFF} * s64{b >> 16}) + s32_of(c)) >> 7, true, 32));
       }},
      {"vmad.u32.u32.u32.sat %r1, %r2, %r3.h0, %r4",
       [](u32 a, u32 b, u32 c) { return static_cast<u32>(clamp_to(s64{a} * (b & 0xFFFF) + c, false, 32)); }},
  });
}

TEST_CASE("SIMD video instructions take any elements of both sources", "[video]") {
  const auto halves = [](u32 a, u32 b, unsigned place, bool is_signed) {
    return part_of(place < 2 ? a : b, 2, place % 2, is_signed);
  };
  const auto bytes = [](u32 a, u32 b, unsigned place, bool is_signed) {
    return part_of(place < 4 ? a : b, 1, place % 4, is_signed);
  };
  check_forms({
      {"vadd2.s32.s32.s32.sat %r1, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) {
         for (unsigned k = 0; k < 2; ++k)
           c = merged(clamp_to(halves(a, b, k, true) + halves(a, b, k + 2, true), true, 16), c, 2, k);
         return c;
       }},
      {"vsub2.u32.u32.s32 %r1.h1, %r2.h03, %r3.h21, %r4",
       [=](u32 a, u32 b, u32 c) { return merged(halves(a, b, 0, false) - halves(a, b, 2, true), c, 2, 1); }},
      {"vavrg2.s32.s32.s32 %r1, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) {
         for (unsigned k = 0; k < 2; ++k) {
           const s64 sum = halves(a, b, k, true) + halves(a, b, k + 2, true);
           c = merged((sum + (sum >= 0 ? 1 : 0)) >> 1, c, 2, k);
         }
         return c;
       }},
      {"vavrg4.u32.u32.u32.add %r1.b31, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) {
         for (const unsigned k : {1u, 3u})
           c += static_cast<u32>((bytes(a, b, k, false) + bytes(a, b, k + 4, false) + 1) >> 1);
         return c;
       }},
      {"vmax4.s32.s32.s32 %r1.b20, %r2.b7610, %r3.b0123, %r4",
       [=](u32 a, u32 b, u32 c) {
         c = merged(std::max(bytes(a, b, 0, true), bytes(a, b, 3, true)), c, 1, 0);
         return merged(std::max(bytes(a, b, 6, true), bytes(a, b, 1, true)), c, 1, 2);
       }},
      {"vmin4.u32.u32.u32.add %r1, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) {
         for (unsigned k = 0; k < 4; ++k)
           c += static_cast<u32>(std::min(bytes(a, b, k, false), bytes(a, b, k + 4, false)));
         return c;
       }},
      {"vabsdiff4.u32.u32.s32.sat %r1, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) {
         for (unsigned k = 0; k < 4; ++k)
           c = merged(clamp_to(std::abs(bytes(a, b, k, false) - bytes(a, b, k + 4, true)), false, 8), c, 1,
                      k);
         return c;
       }},
      {"vset2.s32.u32.le %r1.h0, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) { return merged(halves(a, b, 0, true) <= halves(a, b, 2, false), c, 2, 0); }},
      {"vset4.u32.u32.gt.add %r1, %r2, %r3, %r4",
       [=](u32 a, u32 b, u32 c) {
         for (unsigned k = 0; k < 4; ++k) c += u32{bytes(a, b, k, false) > bytes(a, b, k + 4, false)};
         return c;
       }},
  });
}

TEST_CASE("what a video instruction cannot take is refused", "[video]") {
  const std::vector<std::pair<std::string, std::string>> refused = {
      {"vadd.s32.s32.s32 %r1, %r2.b4, %r3", "t.ptx:8:23: this operand has no such parts"},
      {"vadd.s32.s32.s32 %r1, %r2, %r3, %r4",
       "t.ptx:8:1: a third source needs .add, .min, .max or a part of the destination"},
      {"vadd.s32.s32.s32.add %r1, %r2, %r3", "t.ptx:8:1: the third source is missing"},
      {"vadd.s32.s32.s32.add %r1.b0, %r2, %r3, %r4",
       "t.ptx:8:22: a part of the destination cannot be combined with .add, .min and .max"},
      {"vadd2.s32.s32.s32 %r1, %r2.b3210, %r3, %r4",
       "t.ptx:8:24: the parts are half-words here, such as .h10"},
      {"vadd4.s32.s32.s32.sat.add %r1, %r2, %r3, %r4",
       "t.ptx:8:1: modifier '.add' cannot be combined with the modifiers before it"},
      {"vmad.u32.u32.u32.po %r1, -%r2, %r3, %r4", "t.ptx:8:1: .po cannot be combined with negated operands"},
      {"vset.u32.u32.lt %r1, %r2, %r3.q1",
       "t.ptx:8:30: a part of a register is .b0 to .b3, .h0 or .h1, of a SIMD instruction .b3210 or .h10"},
  };
  for (const auto& [text, why] : refused)
    CHECK(refusal_of(kernel_with(text + ";")) == why + " in `" + text + "`");
}

}  // namespace cudalabs::sim
