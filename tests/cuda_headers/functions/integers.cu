// Integers, their bits, and the minima and maxima of all types.
#include "table.cuh"

extern "C" __global__ void integers(unsigned long long* out) {
  Table table{out};
  const int column = threadIdx.x;
  const unsigned u = kWords[column % 16], v = kWords[column / 16], w = kWords[(column / 16 + column * 3) % 16];
  const int i = int(u), j = int(v);
  const unsigned long long ull = kLongs[column % 16], vll = kLongs[column / 16];
  const long long ll = (long long)ull, jll = (long long)vll;
  const long l = long(ull), jl = long(vll);
  const unsigned long ul = ull, vl = vll;

  ROW(__popc(u))
  ROW(__popcll(ull))
  ROW(__clz(i))
  ROW(__clzll(ll))
  ROW(__ffs(i))
  ROW(__ffsll(ll))
  ROW(__brev(u))
  ROW(__brevll(ull))
  ROW(__fns(u, v % 32, int(w % 5) - 2))
  ROW(__byte_perm(u, v, w))
  ROW(__funnelshift_l(u, v, w))
  ROW(__funnelshift_lc(u, v, w))
  ROW(__funnelshift_r(u, v, w))
  ROW(__funnelshift_rc(u, v, w))
  ROW(__mul24(i & 0x7fffff, j & 0x7fffff))
  ROW(__umul24(u & 0xffffff, v & 0xffffff))
  ROW(__mulhi(i, j))
  ROW(__umulhi(u, v))
  ROW(__mul64hi(ll, jll))
  ROW(__umul64hi(ull, vll))
  ROW(__sad(i, j, w))
  ROW(__usad(u, v, w))
  ROW(__hadd(i, j))
  ROW(__rhadd(i, j))
  ROW(__uhadd(u, v))
  ROW(__urhadd(u, v))
  ROW(__dp4a(i, j, int(w)))
  ROW(__dp4a(u, v, w))
  ROW(__dp4a(make_char4(i, i >> 8, i >> 16, i >> 24), make_char4(j, j >> 8, j >> 16, j >> 24), int(w)))
  ROW(__dp4a(make_uchar4(u, u >> 8, u >> 16, u >> 24), make_uchar4(v, v >> 8, v >> 16, v >> 24), w))
  ROW(__dp2a_lo(i, j, int(w)))
  ROW(__dp2a_lo(u, v, w))
  ROW(__dp2a_lo(make_short2(i, i >> 16), make_char4(j, j >> 8, j >> 16, j >> 24), int(w)))
  ROW(__dp2a_lo(make_ushort2(u, u >> 16), make_uchar4(v, v >> 8, v >> 16, v >> 24), w))
  ROW(__dp2a_hi(i, j, int(w)))
  ROW(__dp2a_hi(u, v, w))
  ROW(__dp2a_hi(make_short2(i, i >> 16), make_char4(j, j >> 8, j >> 16, j >> 24), int(w)))
  ROW(__dp2a_hi(make_ushort2(u, u >> 16), make_uchar4(v, v >> 8, v >> 16, v >> 24), w))

  ROW(min(i, j))
  ROW(max(i, j))
  ROW(min(u, v))
  ROW(max(u, v))
  ROW(min(i, v))
  ROW(max(i, v))
  ROW(min(u, j))
  ROW(max(u, j))
  ROW(min(l, jl))
  ROW(max(l, jl))
  ROW(min(ul, vl))
  ROW(max(ul, vl))
  ROW(min(l, vl))
  ROW(max(ul, jl))
  ROW(min(ll, jll))
  ROW(max(ll, jll))
  ROW(min(ull, vll))
  ROW(max(ull, vll))
  ROW(min(ll, vll))
  ROW(max(ull, jll))
}
