#pragma once
// A kernel of this folder computes a table: a row for each call of a function, a column for each of 256 threads, which have all
// pairs of 16 operands each. What the row is called stands in the source: ROW(what).

struct Table {
  unsigned long long* next;

  __device__ void add(unsigned long long bits) {
    next[threadIdx.x] = bits;
    next += 256;
  }
};
#define ROW(...) table.add(bits(__VA_ARGS__));

__device__ inline unsigned long long bits(unsigned long long x) { return x; }
__device__ inline unsigned long long bits(unsigned long x) { return x; }
__device__ inline unsigned long long bits(unsigned x) { return x; }
__device__ inline unsigned long long bits(unsigned short x) { return x; }
__device__ inline unsigned long long bits(unsigned char x) { return x; }
__device__ inline unsigned long long bits(bool x) { return x; }
__device__ inline unsigned long long bits(long long x) { return (unsigned long long)x; }
__device__ inline unsigned long long bits(long x) { return (unsigned long long)x; }
__device__ inline unsigned long long bits(int x) { return (unsigned)x; }
__device__ inline unsigned long long bits(short x) { return (unsigned short)x; }
__device__ inline unsigned long long bits(signed char x) { return (unsigned char)x; }
__device__ inline unsigned long long bits(char x) { return (unsigned char)x; }
// A NaN is a NaN: its sign and payload are nobody's promise.
__device__ inline unsigned long long bits(float x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }
__device__ inline unsigned long long bits(double x) {
  return x != x ? 0x7fffffffffffffffull : (unsigned long long)__double_as_longlong(x);
}
__device__ inline unsigned long long bits(const void* x) { return (unsigned long long)x; }
// Vectors, by their elements.
template <class T>
__device__ auto bits(T v) -> decltype(bits(v.x) + bits(v.y) - bits(v.y)) {
  unsigned long long sum = 0;
  if constexpr (sizeof(T) == 4 * sizeof v.x)
    sum = bits(v.z) * 31 + bits(v.w);
  else if constexpr (sizeof(T) == 3 * sizeof v.x)
    sum = bits(v.z) * 31;
  return (sum * 31 + bits(v.x)) * 31 + bits(v.y);
}

__constant__ const unsigned kWords[16] = {
    0,       1,           2,           31,          32,          0xffu,       0x7fu,       0x80u,
    0x7fffu, 0x80008000u, 0xffffffffu, 0x7fffffffu, 0x80000000u, 0x12345678u, 0x9abcdef0u, 0xfedc80ffu};
__constant__ const unsigned long long kLongs[16] = {0,
                                                    1,
                                                    0xffffffffull,
                                                    0x100000000ull,
                                                    0x7fffffffffffffffull,
                                                    0x8000000000000000ull,
                                                    0xffffffffffffffffull,
                                                    0x123456789abcdef0ull,
                                                    0xfedcba9876543210ull,
                                                    3,
                                                    0x20000000000001ull,
                                                    0x40000000000003ull,
                                                    0x1000001ull,
                                                    0x8000000080000000ull,
                                                    0xfffffffffffffffeull,
                                                    0x00ff00ff00ff00ffull};
// Zeros, ones, ties, the ends of the integers, the least and the largest numbers, subnormal ones, infinities and a NaN.
__constant__ const unsigned kFloats[16] = {
    0x00000000u, 0x80000000u, 0x3f800000u, 0xbfc00000u, 0x3dcccccdu, 0x00012345u, 0x00800000u, 0x7f7fffffu,
    0x7f800000u, 0xff800000u, 0x7fc00000u, 0x4b800001u, 0x40200000u, 0xc0200000u, 0x4f32d05eu, 0x3eaaaaabu};
__constant__ const unsigned long long kDoubles[16] = {
    0x0000000000000000ull, 0x8000000000000000ull, 0x3ff0000000000000ull, 0xbff8000000000000ull,
    0x3fb999999999999aull, 0x0000123456789abcull, 0x0010000000000000ull, 0x7fefffffffffffffull,
    0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7ff8000000000000ull, 0x4340000000000001ull,
    0x4004000000000000ull, 0xc004000000000000ull, 0x41e65a0bc0000000ull, 0x3fd5555555555555ull};
