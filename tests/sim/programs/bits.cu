// Bits: counting, searching, shifting, funnels, fields, permutations, dot products, SIMD within a register.
#include "check.cuh"

static int count(u64 v) { return __builtin_popcountll(v); }
static u64 reversed(u64 v, int bits) {
  u64 r = 0;
  for (int i = 0; i < bits; ++i) r |= ((v >> i) & 1) << (bits - 1 - i);
  return r;
}
OPERATION(popc32, int, (u32 a), __popc(a), count(a))
OPERATION(popc64, int, (u64 a), __popcll(a), count(a))
OPERATION(clz32, int, (u32 a), __clz(a), a == 0 ? 32 : __builtin_clz(a))
OPERATION(clz64, int, (u64 a), __clzll(a), a == 0 ? 64 : __builtin_clzll(a))
OPERATION(ffs32, int, (u32 a), __ffs(a), __builtin_ffs(a))
OPERATION(ffs64, int, (u64 a), __ffsll(a), __builtin_ffsll(a))
OPERATION(brev32, u32, (u32 a), __brev(a), static_cast<u32>(reversed(a, 32)))
OPERATION(brev64, u64, (u64 a), __brevll(a), reversed(a, 64))

#define ASM2(instruction, constraint, T) ({ T r_; asm(instruction " %0, %1, %2;" : "=" constraint(r_) : constraint(a), "r"(b)); r_; })
OPERATION(shl32, u32, (u32 a, u32 b), ASM2("shl.b32", "r", u32), b > 31 ? 0 : a << b)
OPERATION(shr32, u32, (u32 a, u32 b), ASM2("shr.u32", "r", u32), b > 31 ? 0 : a >> b)
OPERATION(sar32, s32, (s32 a, u32 b), ASM2("shr.s32", "r", s32), a >> (b > 31 ? 31 : b))
OPERATION(shl64, u64, (u64 a, u32 b), ASM2("shl.b64", "l", u64), b > 63 ? 0 : a << b)
OPERATION(shr64, u64, (u64 a, u32 b), ASM2("shr.u64", "l", u64), b > 63 ? 0 : a >> b)
OPERATION(sar64, s64, (s64 a, u32 b), ASM2("shr.s64", "l", s64), a >> (b > 63 ? 63 : b))
OPERATION(shl16, u16, (u16 a, u32 b), ASM2("shl.b16", "h", u16), b > 15 ? 0 : static_cast<u16>(a << b))
OPERATION(sar16, s16, (s16 a, u32 b), ASM2("shr.s16", "h", s16), static_cast<s16>(a >> (b > 15 ? 15 : b)))

OPERATION(funnel_l, u32, (u32 a, u32 b, u32 n), __funnelshift_l(a, b, n), static_cast<u32>((((u64(b) << 32) | a) << (n & 31)) >> 32))
OPERATION(funnel_r, u32, (u32 a, u32 b, u32 n), __funnelshift_r(a, b, n), static_cast<u32>(((u64(b) << 32) | a) >> (n & 31)))
OPERATION(funnel_lc, u32, (u32 a, u32 b, u32 n), __funnelshift_lc(a, b, n), n >= 32 ? a : static_cast<u32>((((u64(b) << 32) | a) << n) >> 32))
OPERATION(funnel_rc, u32, (u32 a, u32 b, u32 n), __funnelshift_rc(a, b, n), n >= 32 ? b : static_cast<u32>(((u64(b) << 32) | a) >> n))

static u32 extract_unsigned(u32 a, u32 b, u32 c) {
  const u32 pos = b & 255, len = c & 255;
  u32 d = 0;
  for (u32 i = 0; i < 32 && i < len; ++i) d |= (pos + i < 32 ? (a >> (pos + i)) & 1 : 0) << i;
  return d;
}
template <class T>
static T extract_signed(T a, u32 b, u32 c) {
  using U = std::make_unsigned_t<T>;
  constexpr u32 msb = sizeof(T) * 8 - 1;
  // An H100 looks at the low byte for 32 bits, at the whole number for 64.
  const u32 pos = sizeof(T) == 4 ? b & 255 : b, len = sizeof(T) == 4 ? c & 255 : c;
  const U sign = len == 0 ? 0 : (U(a) >> (pos + len - 1 < msb ? pos + len - 1 : msb)) & 1;
  U d = 0;
  for (u32 i = 0; i <= msb; ++i) d |= (i < len && pos + i <= msb ? (U(a) >> (pos + i)) & 1 : sign) << i;
  return T(d);
}
static u32 insert(u32 a, u32 b, u32 pos, u32 len) {
  u32 d = b;
  for (u32 i = 0; i < len && pos + i < 32; ++i) d = (d & ~(1u << (pos + i))) | (((a >> i) & 1) << (pos + i));
  return d;
}
OPERATION(bfe_u, u32, (u32 a, u32 b, u32 c), ({ u32 r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }), extract_unsigned(a, b, c))
OPERATION(bfe_s, s32, (s32 a, u32 b, u32 c), ({ s32 r; asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }), extract_signed<s32>(a, b, c))
OPERATION(bfe_s64, s64, (s64 a, u32 b, u32 c), ({ s64 r; asm("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); r; }), extract_signed<s64>(a, b, c))
OPERATION(bfi, u32, (u32 a, u32 b, u32 c), ({ u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(~a * 3), "r"(b), "r"(c)); r; }), insert(a, ~a * 3, b, c))
OPERATION(bfind_u, u32, (u32 a), ({ u32 r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); r; }), a == 0 ? ~0u : 31u - __builtin_clz(a))
OPERATION(bfind_s, u32, (s32 a), ({ u32 r; asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); r; }), a == 0 || a == -1 ? ~0u : 31u - __builtin_clz(a < 0 ? ~a : a))
OPERATION(bfind_shift, u32, (u32 a), ({ u32 r; asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a)); r; }), a == 0 ? ~0u : u32(__builtin_clz(a)))
OPERATION(bmsk_clamp, u32, (u32 a, u32 b), ({ u32 r; asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); r; }), insert(~0u, 0, a, b > 32 ? 32 : b))
OPERATION(szext_u, u32, (u32 a, u32 b), ({ u32 r; asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); r; }), extract_unsigned(a, 0, b & 31))
OPERATION(szext_s, s32, (s32 a, u32 b), ({ s32 r; asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); r; }), extract_signed<s32>(a, 0, b > 32 ? 32 : b))
static u32 nth_set(u32 mask, u32 base, s32 offset) {
  if (offset == 0) return (mask >> base) & 1 ? base : ~0u;
  u32 pos = base, left = offset < 0 ? -offset : offset;
  const int step = offset < 0 ? -1 : 1;
  for (; pos < 32; pos += step) {
    if (((mask >> pos) & 1) && --left == 0) return pos;
  }
  return ~0u;
}
OPERATION(fns, u32, (u32 a, u32 b, s32 c), __fns(a, b, c), nth_set(a, b, c))
static u32 permute(u32 a, u32 b, u32 s) {
  const u64 bytes = (u64(b) << 32) | a;
  u32 d = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 k = (s >> (4 * i)) & 15;
    u32 byte = (bytes >> (8 * (k & 7))) & 255;
    if (k & 8) byte = byte & 128 ? 255 : 0;
    d |= byte << (8 * i);
  }
  return d;
}
OPERATION(byte_perm, u32, (u32 a, u32 b, u32 s), __byte_perm(a, b, s), permute(a, b, s & 0x7777))
OPERATION(prmt, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }), permute(a, b, s))
OPERATION(prmt_f4e, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }),
          ({ const u32 t[4] = {0x3210, 0x4321, 0x5432, 0x6543}; permute(a, b, t[s & 3]); }))
OPERATION(prmt_b4e, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }),
          ({ const u32 t[4] = {0x5670, 0x6701, 0x7012, 0x0123}; permute(a, b, t[s & 3]); }))
OPERATION(prmt_rc8, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }),
          ({ const u32 t[4] = {0x0000, 0x1111, 0x2222, 0x3333}; permute(a, b, t[s & 3]); }))
OPERATION(prmt_ecl, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }),
          ({ const u32 t[4] = {0x3210, 0x3211, 0x3222, 0x3333}; permute(a, b, t[s & 3]); }))
OPERATION(prmt_ecr, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }),
          ({ const u32 t[4] = {0x0000, 0x1110, 0x2210, 0x3210}; permute(a, b, t[s & 3]); }))
OPERATION(prmt_rc16, u32, (u32 a, u32 b, u32 s), ({ u32 r; asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s)); r; }),
          ({ const u32 t[4] = {0x1010, 0x3232, 0x1010, 0x3232}; permute(a, b, t[s & 3]); }))

template <class A, class B>
static s32 dot(u32 a, u32 b, s32 c) {
  for (int i = 0; i < 4; ++i) c = s32(u32(c) + u32(s32(A(a >> (8 * i))) * s32(B(b >> (8 * i)))));
  return c;
}
template <class A, class B, class H>
static s32 dot_two(u32 a, u32 b, s32 c, int high) {
  for (int i = 0; i < 2; ++i) c = s32(u32(c) + u32(s32(A(a >> (16 * i))) * s32(H(b >> (8 * (i + 2 * high))))));
  return c;
}
OPERATION(dp4a_s, s32, (s32 a, s32 b, s32 c), __dp4a(a, b, c), (dot<s8, s8>(a, b, c)))
OPERATION(dp4a_u, u32, (u32 a, u32 b, u32 c), __dp4a(a, b, c), u32(dot<u8, u8>(a, b, c)))
OPERATION(dp4a_su, s32, (s32 a, u32 b, s32 c), ({ s32 r; asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); r; }), (dot<s8, u8>(a, b, c)))
OPERATION(dp2a_lo_s, s32, (s32 a, s32 b, s32 c), __dp2a_lo(a, b, c), (dot_two<s16, s16, s8>(a, b, c, 0)))
OPERATION(dp2a_hi_s, s32, (s32 a, s32 b, s32 c), __dp2a_hi(a, b, c), (dot_two<s16, s16, s8>(a, b, c, 1)))
OPERATION(dp2a_lo_u, u32, (u32 a, u32 b, u32 c), __dp2a_lo(a, b, c), u32(dot_two<u16, u16, u8>(a, b, c, 0)))
OPERATION(dp2a_hi_u, u32, (u32 a, u32 b, u32 c), __dp2a_hi(a, b, c), u32(dot_two<u16, u16, u8>(a, b, c, 1)))

// lop3: every table once, and the predicate form.
__global__ void all_of_lop3(u32* out) {
  const u32 a = 0xF0F0F0F0u ^ threadIdx.x, b = 0xCCCCCCCCu + threadIdx.x, c = 0xAAAAAAAAu * (threadIdx.x + 1);
  u32 sum = 0;
#define LOP(table) { u32 r; asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(r) : "r"(a), "r"(b), "r"(c)); sum = sum * 31 + r; }
  LOP(0x00) LOP(0x01) LOP(0x02) LOP(0x04) LOP(0x08) LOP(0x10) LOP(0x20) LOP(0x40) LOP(0x80) LOP(0xE8) LOP(0x96) LOP(0xCA) LOP(0x1E) LOP(0xFE) LOP(0x7F) LOP(0xFF)
  out[threadIdx.x] = sum;
}
static u32 lop(u32 a, u32 b, u32 c, u32 table) {
  u32 d = 0;
  for (int i = 0; i < 32; ++i) d |= ((table >> (((a >> i) & 1) * 4 + ((b >> i) & 1) * 2 + ((c >> i) & 1))) & 1) << i;
  return d;
}

#define BYTES(expression) ({ u32 d_ = 0; for (int i = 0; i < 4; ++i) { const int x = u8(a >> (8 * i)), y = u8(b >> (8 * i)); d_ |= (u32(expression) & 255) << (8 * i); (void)x; (void)y; } d_; })
#define WORDS(expression) ({ u32 d_ = 0; for (int i = 0; i < 2; ++i) { const int x = u16(a >> (16 * i)), y = u16(b >> (16 * i)); d_ |= (u32(expression) & 65535) << (16 * i); (void)x; (void)y; } d_; })
OPERATION(vadd4_, u32, (u32 a, u32 b), __vadd4(a, b), BYTES(x + y))
OPERATION(vsub2_, u32, (u32 a, u32 b), __vsub2(a, b), WORDS(x - y))
OPERATION(vabsdiffu4_, u32, (u32 a, u32 b), __vabsdiffu4(a, b), BYTES(x > y ? x - y : y - x))
OPERATION(vabsdiffs4_, u32, (u32 a, u32 b), __vabsdiffs4(a, b), BYTES(abs(s8(x) - s8(y))))
OPERATION(vabsdiffu2_, u32, (u32 a, u32 b), __vabsdiffu2(a, b), WORDS(x > y ? x - y : y - x))
OPERATION(vsadu4_, u32, (u32 a, u32 b), __vsadu4(a, b), ({ u32 s = 0; for (int k = 0; k < 4; ++k) s += abs(int(u8(a >> (8 * k))) - int(u8(b >> (8 * k)))); s; }))
OPERATION(vsads2_, u32, (u32 a, u32 b), __vsads2(a, b), ({ u32 s = 0; for (int k = 0; k < 2; ++k) s += abs(int(s16(a >> (16 * k))) - int(s16(b >> (16 * k)))); s; }))
OPERATION(vcmpgtu4_, u32, (u32 a, u32 b), __vcmpgtu4(a, b), BYTES(x > y ? 255 : 0))
OPERATION(vmaxs2_, u32, (u32 a, u32 b), __vmaxs2(a, b), WORDS(s16(x) > s16(y) ? x : y))
OPERATION(vaddss4_, u32, (u32 a, u32 b), __vaddss4(a, b), BYTES(s8(x) + s8(y) > 127 ? 127 : s8(x) + s8(y) < -128 ? -128 : s8(x) + s8(y)))
OPERATION(vimax3, s32, (s32 a, s32 b, s32 c), __vimax3_s32(a, b, c), a > b ? (a > c ? a : c) : (b > c ? b : c))
OPERATION(vimin3_relu, s32, (s32 a, s32 b, s32 c), __vimin3_s32_relu(a, b, c), ({ s32 m = a < b ? a : b; m = m < c ? m : c; m < 0 ? 0 : m; }))

int main() {
  const auto a = integers<s32>();
  const auto b = integers<u32>();
  const auto d = integers<u64>();
  const std::vector<u32> positions{0, 1, 3, 7, 8, 15, 16, 24, 31, 32, 33, 40, 63, 64, 100, 255, 256, 300};
  check<popc32>(b); check<popc64>(d); check<clz32>(b); check<clz64>(d); check<ffs32>(b); check<ffs64>(d);
  check<brev32>(b); check<brev64>(d);
  check<shl32>(b, positions); check<shr32>(b, positions); check<sar32>(a, positions);
  check<shl64>(d, positions); check<shr64>(d, positions); check<sar64>(integers<s64>(), positions);
  check<shl16>(integers<u16>(), positions); check<sar16>(integers<s16>(), positions);
  check<funnel_l>(b, b, positions); check<funnel_r>(b, b, positions); check<funnel_lc>(b, b, positions); check<funnel_rc>(b, b, positions);
  check<bfe_u>(b, positions, positions); check<bfe_s>(a, positions, positions); check<bfe_s64>(integers<s64>(), positions, positions);
  const std::vector<u32> within{0, 1, 5, 8, 31, 32};
  check<bfi>(b, within, within); check<bfind_u>(b); check<bfind_s>(a); check<bfind_shift>(b); check<bmsk_clamp>(within, within);
  check<szext_u>(b, within); check<szext_s>(a, within);
  check<fns>(b, std::vector<u32>{0, 3, 16, 31}, std::vector<s32>{0, 1, 2, 7, 40, -1, -3});
  check<byte_perm>(b, std::vector<u32>{0x01234567, 0x89ABCDEF}, b); check<prmt>(b, std::vector<u32>{0x01234567, 0x89ABCDEF}, b);
  const std::vector<u32> four{0, 1, 2, 3, 5};
  check<prmt_f4e>(b, b, four); check<prmt_b4e>(b, b, four); check<prmt_rc8>(b, b, four);
  check<prmt_ecl>(b, b, four); check<prmt_ecr>(b, b, four); check<prmt_rc16>(b, b, four);
  const std::vector<s32> sums{0, -7, 2147483647};
  check<dp4a_s>(a, a, sums); check<dp4a_u>(b, b, b); check<dp4a_su>(a, b, sums);
  check<dp2a_lo_s>(a, a, sums); check<dp2a_hi_s>(a, a, sums); check<dp2a_lo_u>(b, b, b); check<dp2a_hi_u>(b, b, b);
  check<vadd4_>(b, b); check<vsub2_>(b, b); check<vabsdiffu4_>(b, b); check<vabsdiffs4_>(b, b); check<vabsdiffu2_>(b, b);
  check<vsadu4_>(b, b); check<vsads2_>(b, b); check<vcmpgtu4_>(b, b); check<vmaxs2_>(b, b); check<vaddss4_>(b, b);
  check<vimax3>(a, a, a); check<vimin3_relu>(a, a, a);

  Buffer<u32> out(64);
  all_of_lop3<<<1, 64>>>(out);
  const auto got = out.host();
  for (u32 t = 0; t < 64; ++t) {
    u32 sum = 0;
    for (const u32 table : {0x00, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xE8, 0x96, 0xCA, 0x1E, 0xFE, 0x7F, 0xFF}) {
      sum = sum * 31 + lop(0xF0F0F0F0u ^ t, 0xCCCCCCCCu + t, 0xAAAAAAAAu * (t + 1), table);
    }
    compare("lop3", got[t], sum, 0, shown(t).c_str());
  }
  return finish();
}
