// Control flow: divergence in every shape, calls, recursion, pointers to functions, virtual functions.
#include "check.cuh"

__host__ __device__ inline u32 mix(u32 h, u32 v) { return (h ^ v) * 16777619u + (h >> 15); }

// Loops whose lanes leave at different times, by break, by continue, by the condition, by return.
__host__ __device__ inline u32 loops(u32 t) {
  u32 h = 2166136261u;
  for (u32 i = 0; i < t % 37; ++i) {
    if ((i ^ t) % 5 == 0) continue;
    h = mix(h, i);
    if (i * t % 23 == 22) break;
    for (u32 k = i; k > 0; k /= 2) {
      h = mix(h, k);
      if (k % 7 == t % 7) break;
    }
  }
  u32 n = t;
  do {
    n = n % 2 ? 3 * n + 1 : n / 2;
    h = mix(h, n);
    if (h % 251 == 0) return h;
  } while (n > 1);
  while (true) {
    h = mix(h, t);
    if (h % 13 < 3) break;
    if (h % 17 == 5) return h + 1;
  }
  return h;
}
__host__ __device__ inline u32 switches(u32 t) {
  u32 h = t;
  switch (t % 11) {
    case 0: h = mix(h, 1); [[fallthrough]];
    case 1: h = mix(h, 2); break;
    case 2: return h * 3;
    case 3: for (u32 i = 0; i < t; ++i) { if (i == 9) break; h = mix(h, i); } break;
    case 4: h = t > 16 ? mix(h, 4) : mix(h, 5); break;
    case 5: case 6: h ^= 0xABCDEF; break;
    case 7: h = mix(h, 7); [[fallthrough]];
    case 8: h = mix(h, 8); [[fallthrough]];
    case 9: h = mix(h, 9); break;
    default: h = ~h;
  }
  switch (t) {
    case 1: return h + 10;
    case 1000: return h + 20;
    case 100000: return h + 30;
    default: break;
  }
  return h;
}
__host__ __device__ inline u32 nested(u32 t) {
  u32 h = 1;
  if (t & 1) {
    if (t & 2) {
      if (t & 4) h = mix(h, 7);
      else h = mix(h, 3);
      h = mix(h, t);
    } else if (t & 8) {
      h = mix(h, 9);
    }
  } else {
    if ((t % 3 == 0 && t % 5 != 0) || (t & 16 && !(t & 32))) h = mix(h, 15);
    else h = t & 64 ? mix(h, 64) : h - 5;
  }
  return mix(h, (t & 1) ? h >> 3 : h << 2);
}
__host__ __device__ inline u32 jumps(u32 t) {  // irreducible: a loop entered in the middle
  u32 h = t, i = 0;
  if (t % 2) goto middle;
top:
  h = mix(h, i);
  if (i > t % 19) return h;
middle:
  ++i;
  if (h % 3 == 0) { h += 7; goto middle_again; }
  goto top;
middle_again:
  h = mix(h, 3);
  if (i < 40) goto top;
  return h ^ 1;
}
// Functions that are really called.
__host__ __device__ __noinline__ u32 ackermann(u32 m, u32 n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
__host__ __device__ __noinline__ u64 fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct Big { double x[5]; int n; char tag; };
__host__ __device__ __noinline__ Big changed(Big b, float f) {
  for (int i = 0; i < 5; ++i) b.x[(i + b.n) % 5] += f * i;
  b.tag = static_cast<char>(b.tag + 1);
  return b;
}
__host__ __device__ __noinline__ void by_pointer(int* a, int n, int& total) {
  if (n == 0) return;
  total += a[n - 1] * n;
  a[n - 1] = total;
  by_pointer(a, n - 1, total);
}
__host__ __device__ __noinline__ int early(int t) {
  if (t % 4 == 0) return 1;
  if (t % 4 == 1) { if (t > 50) return 2; t += 100; }
  for (int i = 0; i < t; ++i) if (i * i > t) return i;
  return -1;
}
__host__ __device__ inline u32 calls(u32 t) {
  u32 h = ackermann(2, t % 5);
  h = mix(h, static_cast<u32>(fibonacci(t % 12)));
  if (t % 3) {
    Big b{{1, 2, 3, 4, 5}, static_cast<int>(t % 5), 'a'};
    b = changed(changed(b, 0.5f), 2.0f);
    for (double d : b.x) h = mix(h, static_cast<u32>(d * 16));
    h = mix(h, b.tag);
  }
  int a[6] = {static_cast<int>(t), 2, 3, 5, 7, 11}, total = 0;
  by_pointer(a, 1 + t % 6, total);
  return mix(mix(h, total), a[t % 6]) + early(static_cast<int>(t));
}
// Function pointers and virtual functions, differing from lane to lane.
using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ int minus_(int a, int b) { return a > 7 ? a - b : b - a; }
__device__ Operation table[3] = {add, times, minus_};
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};
struct Circle : Shape {
  float r;
  __device__ explicit Circle(float radius) : r(radius) {}
  __device__ float area() const override { return 3 * r * r; }
};
struct Rectangle : Shape {
  float a, b;
  __device__ Rectangle(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
  __device__ int corners() const override { return 4; }
};
__global__ void pointers(int* out) {
  const int t = threadIdx.x;
  Operation f = table[t % 3];
  if (t % 5 == 0) f = t % 2 ? add : minus_;
  out[t] = f(t, 3) + f(f(2, t), t);
}
__global__ void shapes(float* out) {
  const int t = threadIdx.x;
  Circle c(static_cast<float>(t));
  Rectangle r(static_cast<float>(t), 2);
  const Shape* s = t % 3 == 0 ? static_cast<const Shape*>(&c) : &r;
  out[t] = s->area() + static_cast<float>(s->corners());
}
// Early exit of some lanes, then warp and block operations by the rest.
__global__ void leavers(int* out) {
  const int t = threadIdx.x;
  if (t >= 48) return;
  if (t % 2) { out[t] = -t; return; }
  __syncwarp(__activemask());
  for (int i = 0; i < 3; ++i) if (t == 8 * i) return;
  out[t] = static_cast<int>(__popc(__activemask()));
}
// Reconvergence: after each join the whole warp must be together again.
__global__ void joined(u32* out) {
  const u32 t = threadIdx.x;
  u32 masks = 0, v = t;
  if (t & 1) v = v * 3; else v = v + 7;
  masks += __activemask() == 0xFFFFFFFFu;
  for (u32 i = 0; i < t; ++i) v += i;
  masks += __activemask() == 0xFFFFFFFFu;
  switch (t & 3) { case 0: v ^= 1; break; case 1: v ^= 2; break; case 2: v ^= 3; break; default: v ^= 4; }
  masks += __activemask() == 0xFFFFFFFFu;
  v += early(static_cast<int>(t));
  masks += __activemask() == 0xFFFFFFFFu;
  out[t] = masks * 1000000 + v;
}
#define SAME(function) struct s_##function { using Result = u32; static const char* name() { return #function; } static __device__ u32 device(u32 t) { return function(t); } static u32 host(u32 t) { return function(t); } };
SAME(loops) SAME(switches) SAME(nested) SAME(jumps) SAME(calls)

int main() {
  std::vector<u32> t;
  for (u32 i = 0; i < 500; ++i) t.push_back(i < 300 ? i : i * 2654435761u % 100003);
  check<s_loops>(t); check<s_switches>(t); check<s_nested>(t); check<s_jumps>(t);
  t.resize(200);
  check<s_calls>(t);
  Buffer<int> out(64);
  pointers<<<1, 64>>>(out);
  auto got = out.host();
  for (int i = 0; i < 64; ++i) {
    const auto f = [&](int a, int b) {
      const int which = i % 5 == 0 ? (i % 2 ? 0 : 2) : i % 3;
      return which == 0 ? a + b : which == 1 ? a * b : a > 7 ? a - b : b - a;
    };
    compare("pointers", got[i], f(i, 3) + f(f(2, i), i), 0, shown(i).c_str());
  }
  Buffer<float> areas(64);
  shapes<<<1, 64>>>(areas);
  const auto area = areas.host();
  for (int i = 0; i < 64; ++i) compare("shapes", area[i], i % 3 == 0 ? 3.0f * i * i : i * 2.0f + 4, 0, shown(i).c_str());
  CUDA(cudaMemset(out.data, 0xFF, 64 * sizeof(int)));
  leavers<<<1, 64>>>(out);
  got = out.host();
  for (int i = 0; i < 64; ++i) {
    const bool odd = i % 2, gone = i == 0 || i == 8 || i == 16;
    compare("leavers", got[i], i >= 48 || (!odd && gone) ? -1 : odd ? -i : i < 32 ? 13 : 8, 0, shown(i).c_str());
  }
  Buffer<u32> met(32);
  joined<<<1, 32>>>(met);
  const auto masks = met.host();
  for (int i = 0; i < 32; ++i) compare("joined", masks[i] / 1000000, 4u, 0, shown(i).c_str());
  return finish();
}
