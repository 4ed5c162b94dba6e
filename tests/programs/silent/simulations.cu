// Random numbers, particles, fractals, finance, geometry.
#include "silent.cuh"

__host__ __device__ inline unsigned next(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

/// Points in a quarter of a disc; each thread has a generator of its own.
namespace pi_by_chance {
__global__ void throw_darts(int* hits, int each) {
  unsigned state = 12345 + 7919 * (blockIdx.x * blockDim.x + threadIdx.x);
  int mine = 0;
  for (int k = 0; k < each; ++k) {
    const unsigned x = next(state) >> 17, y = next(state) >> 17;
    mine += x * x + y * y < 1u << 30;
  }
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(hits, mine);
}
PROGRAM(pi_by_chance) {
  Array<int> hits(1);
  throw_darts<<<4, 64>>>(hits.zero(), 100);
  int wanted = 0;
  for (int t = 0; t < 256; ++t) {
    unsigned state = 12345 + 7919 * t;
    for (int k = 0; k < 100; ++k) {
      const unsigned x = next(state) >> 17, y = next(state) >> 17;
      wanted += x * x + y * y < 1u << 30;
    }
  }
  return hits.host()[0] == wanted;
}
}  // namespace pi_by_chance

/// States of the generators are kept in memory between launches.
namespace kept_states {
__global__ void seed(unsigned* states) { states[threadIdx.x] = 1 + threadIdx.x * 2654435761u; }
__global__ void walk(unsigned* states, int2* at, int steps) {
  unsigned state = states[threadIdx.x];
  int2 p = at[threadIdx.x];
  for (int k = 0; k < steps; ++k) {
    const unsigned way = next(state) >> 30;
    p.x += way == 0 ? 1 : way == 1 ? -1 : 0;
    p.y += way == 2 ? 1 : way == 3 ? -1 : 0;
  }
  at[threadIdx.x] = p;
  states[threadIdx.x] = state;
}
PROGRAM(kept_states) {
  Array<unsigned> states(64);
  Array<int2> at(64);
  seed<<<1, 64>>>(states);
  at.zero();
  for (int k = 0; k < 3; ++k) walk<<<1, 64>>>(states, at, 20);
  const auto got = at.host();
  for (unsigned t = 0; t < 64; ++t) {
    unsigned state = 1 + t * 2654435761u;
    int x = 0, y = 0;
    for (int k = 0; k < 60; ++k) {
      const unsigned way = next(state) >> 30;
      x += way == 0 ? 1 : way == 1 ? -1 : 0;
      y += way == 2 ? 1 : way == 3 ? -1 : 0;
    }
    if (got[t].x != x || got[t].y != y) return false;
  }
  return true;
}
}  // namespace kept_states

/// Bodies, tile after tile through shared memory; the last tile is not full.
namespace bodies {
__global__ void forces(const float4* at, float3* out, int n) {
  __shared__ float4 tile[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float4 me = i < n ? at[i] : make_float4(0, 0, 0, 0);
  float3 f = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += 32) {
    if (first + threadIdx.x < n) tile[threadIdx.x] = at[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(32, n - first); ++k) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[k].w * r * r * r;
      f.x += dx * s, f.y += dy * s, f.z += dz * s;
    }
    __syncthreads();
  }
  if (i < n) out[i] = f;
}
PROGRAM(bodies) {
  const int n = 75;
  const auto c = numbers<float>(4 * n, 10);
  std::vector<float4> at(n);
  for (int i = 0; i < n; ++i) at[i] = make_float4(c[4 * i], c[4 * i + 1], c[4 * i + 2], 1 + c[4 * i + 3]);
  Array<float4> a(at);
  Array<float3> out(n);
  forces<<<3, 32>>>(a, out, n);
  const auto got = out.host();
  for (int i = 0; i < n; ++i) {
    double x = 0, size = 1;
    for (int k = 0; k < n; ++k) {
      const double dx = at[k].x - at[i].x, dy = at[k].y - at[i].y, dz = at[k].z - at[i].z;
      const double s = at[k].w / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
      x += dx * s;
      size += std::fabs(dx * s);
    }
    if (!(std::fabs(got[i].x - x) < 1e-4 * size)) return false;
  }
  return true;
}
}  // namespace bodies

/// Half the pairs: what acts on the other one is added by atomics.
namespace pairs_once {
__global__ void forces(const int2* at, int2* out, int n) {
  const int i = blockIdx.x, j = i + 1 + threadIdx.x;
  if (j >= n) return;
  const int dx = at[j].x - at[i].x, dy = at[j].y - at[i].y;
  atomicAdd(&out[i].x, dx), atomicAdd(&out[i].y, dy);
  atomicSub(&out[j].x, dx), atomicSub(&out[j].y, dy);
}
PROGRAM(pairs_once) {
  const auto x = numbers(40, 100), y = numbers(40, 100, 3);
  std::vector<int2> at(40), wanted(40);
  for (int i = 0; i < 40; ++i) at[i] = make_int2(x[i], y[i]);
  Array<int2> a(at), out(40);
  forces<<<40, 64>>>(a, out.zero(), 40);
  const auto got = out.host();
  for (int i = 0; i < 40; ++i) {
    int sx = 0, sy = 0;
    for (int j = 0; j < 40; ++j) sx += x[j] - x[i], sy += y[j] - y[i];
    if (got[i].x != sx || got[i].y != sy) return false;
  }
  return true;
}
}  // namespace pairs_once

/// Iterations until a bound, which neighbours leave at different times.
namespace mandelbrot {
__global__ void draw(unsigned char* image, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int cx = (x * 3 - 2 * w) * 4096 / w, cy = (y * 2 - h) * 4096 / h;  // 12 bits of fraction
  int zx = 0, zy = 0, n = 0;
  while (n < 50 && zx * zx + zy * zy < 4 << 24) {
    const int t = ((zx * zx - zy * zy) >> 12) + cx;
    zy = (zx * zy >> 11) + cy;
    zx = t;
    ++n;
  }
  image[y * w + x] = n;
}
PROGRAM(mandelbrot) {
  Array<unsigned char> image(45 * 30);
  draw<<<dim3(3, 4), dim3(16, 8)>>>(image, 45, 30);
  const auto got = image.host();
  for (int i = 0; i < 45 * 30; ++i) {
    const int cx = (i % 45 * 3 - 90) * 4096 / 45, cy = (i / 45 * 2 - 30) * 4096 / 30;
    int zx = 0, zy = 0, n = 0;
    while (n < 50 && zx * zx + zy * zy < 4 << 24) {
      const int t = ((zx * zx - zy * zy) >> 12) + cx;
      zy = (zx * zy >> 11) + cy;
      zx = t;
      ++n;
    }
    if (got[i] != n) return false;
  }
  return true;
}
}  // namespace mandelbrot

/// Threads fetch their next point themselves, as soon as one is done.
namespace julia_by_queue {
__host__ __device__ int steps(int p) {
  float x = p % 40 / 13.0f - 1.5f, y = p / 40 / 10.0f - 1.0f;
  int n = 0;
  for (; n < 40 && x * x + y * y < 4; ++n) {
    const float t = x * x - y * y - 0.75f;
    y = 2 * x * y + 0.125f;
    x = t;
  }
  return n;
}
__global__ void draw(int* image, int* next, int many) {
  for (int p = atomicAdd(next, 1); p < many; p = atomicAdd(next, 1)) image[p] = steps(p);
}
PROGRAM(julia_by_queue) {
  Array<int> image(800), next(1);
  draw<<<2, 64>>>(image, next.zero(), 800);
  const auto got = image.host();
  int apart = 0;  // where products are fused into sums on one side alone
  for (int p = 0; p < 800; ++p) apart += got[p] != steps(p);
  return apart <= 8;
}
}  // namespace julia_by_queue

/// Prices of options by the formula.
namespace black_scholes {
__host__ __device__ double call(double s, double k, double t) {
  const double v = 0.3, r = 0.02, d1 = (log(s / k) + (r + v * v / 2) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
  return s * 0.5 * erfc(-d1 / sqrt(2.0)) - k * exp(-r * t) * 0.5 * erfc(-d2 / sqrt(2.0));
}
__global__ void price(const double* s, const double* k, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = call(s[i], k[i], 0.5 + i % 4);
}
PROGRAM(black_scholes) {
  auto s = numbers<double>(100, 100), k = numbers<double>(100, 100, 3);
  std::vector<double> wanted(100);
  for (int i = 0; i < 100; ++i) wanted[i] = call(s[i] += 10, k[i] += 10, 0.5 + i % 4);
  Array<double> ds(s), dk(k), out(100);
  price<<<2, 64>>>(ds, dk, out, 100);
  return near(out.host(), wanted, 1e-9);
}
}  // namespace black_scholes

/// A tree of prices folded in place: a step reads its right neighbour, so there are two barriers.
namespace binomial_tree {
__global__ void price(float* out, int steps, float up) {
  extern __shared__ float value[];
  const int i = threadIdx.x;
  if (i <= steps) value[i] = fmaxf(100 * powf(up, 2 * i - steps) - 100, 0);
  for (int s = steps; s > 0; --s) {
    __syncthreads();
    const float right = i < s ? value[i + 1] : 0;
    __syncthreads();
    if (i < s) value[i] = 0.5f * (value[i] + right);
  }
  if (i == 0) *out = value[0];
}
PROGRAM(binomial_tree) {
  Array<float> out(1);
  price<<<1, 64, 61 * sizeof(float)>>>(out, 60, 1.02f);
  std::vector<double> v(61);
  for (int i = 0; i <= 60; ++i) v[i] = std::max(100 * std::pow(1.02, 2 * i - 60) - 100, 0.0);
  for (int s = 60; s > 0; --s)
    for (int i = 0; i < s; ++i) v[i] = 0.5 * (v[i] + v[i + 1]);
  return near(out.host(), {float(v[0])}, 1e-4);
}
}  // namespace binomial_tree

/// Magnets on a board: those of one colour turn at a time.
namespace ising {
__host__ __device__ int turned(const signed char* spins, int x, int y, int n, unsigned chance) {
  const int sum = spins[y * n + (x + 1) % n] + spins[y * n + (x + n - 1) % n] + spins[(y + 1) % n * n + x] + spins[(y + n - 1) % n * n + x];
  const int gain = sum * spins[y * n + x];
  return gain <= 0 || chance % 100 < (gain == 2 ? 17u : 3u) ? -spins[y * n + x] : spins[y * n + x];
}
__global__ void sweep(signed char* spins, unsigned* states, int n, int colour) {
  const int x = threadIdx.x, y = threadIdx.y;
  if ((x + y) % 2 == colour) spins[y * n + x] = turned(spins, x, y, n, next(states[y * n + x]));
}
PROGRAM(ising) {
  constexpr int n = 16;
  auto spins = numbers<signed char>(n * n, 2);
  auto states = numbers<unsigned>(n * n, 1 << 20, 3);
  for (auto& s : spins) s = 2 * s - 1;
  for (auto& s : states) ++s;
  Array<signed char> a(spins);
  Array<unsigned> b(states);
  for (int k = 0; k < 6; ++k) {
    sweep<<<1, dim3(n, n)>>>(a, b, n, k % 2);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        if ((x + y) % 2 == k % 2) spins[y * n + x] = turned(spins.data(), x, y, n, next(states[y * n + x]));
  }
  return a.host() == spins;
}
}  // namespace ising

/// Clusters: distances by threads, sums by atomics in shared memory, means by the host.
namespace means {
__global__ void assign(const float2* points, const float2* centres, int* of, float3* sums, int n) {
  __shared__ float3 s[4];
  if (threadIdx.x < 4) s[threadIdx.x] = make_float3(0, 0, 0);
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < 4; ++c) {
      const float dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y, d = dx * dx + dy * dy;
      if (d < least) least = d, best = c;
    }
    of[i] = best;
    atomicAdd(&s[best].x, points[i].x), atomicAdd(&s[best].y, points[i].y), atomicAdd(&s[best].z, 1.0f);
  }
  __syncthreads();
  if (threadIdx.x >= 4) return;
  atomicAdd(&sums[threadIdx.x].x, s[threadIdx.x].x);
  atomicAdd(&sums[threadIdx.x].y, s[threadIdx.x].y);
  atomicAdd(&sums[threadIdx.x].z, s[threadIdx.x].z);
}
PROGRAM(means) {
  const int n = 200;
  const auto x = numbers<float>(n, 20), y = numbers<float>(n, 20, 3);
  std::vector<float2> points(n), centres{{5, 5}, {5, 35}, {35, 5}, {35, 35}};
  for (int i = 0; i < n; ++i) points[i] = make_float2(x[i] + i % 2 * 30, y[i] + i / 2 % 2 * 30);
  Array<float2> p(points);
  Array<int> of(n);
  Array<float3> sums(4);
  for (int round = 0; round < 3; ++round) {
    Array<float2> c(centres);
    assign<<<4, 64>>>(p, c, of, sums.zero(), n);
    const auto s = sums.host();
    for (int k = 0; k < 4; ++k) centres[k] = make_float2(s[k].x / s[k].z, s[k].y / s[k].z);
  }
  const auto got = of.host();
  for (int i = 0; i < n; ++i)
    if (got[i] != i % 2 * 2 + i / 2 % 2) return false;
  return true;
}
}  // namespace means

/// The nearest neighbour: a warp a question, distance and place in one word.
namespace nearest {
__global__ void find(const int2* points, int n, const int2* asked, int* out) {
  const int2 q = asked[blockIdx.x];
  unsigned long long best = ~0ull;
  for (int i = threadIdx.x; i < n; i += 32) {
    const int dx = points[i].x - q.x, dy = points[i].y - q.y;
    best = min(best, static_cast<unsigned long long>(dx * dx + dy * dy) << 32 | i);
  }
  for (int step = 16; step > 0; step /= 2) best = min(best, __shfl_xor_sync(~0u, best, step));
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<int>(best);
}
PROGRAM(nearest) {
  std::vector<int2> points, asked;
  const auto c = numbers(400, 1000);
  for (int i = 0; i < 180; ++i) points.push_back(make_int2(c[2 * i], c[2 * i + 1]));
  for (int i = 180; i < 200; ++i) asked.push_back(make_int2(c[2 * i], c[2 * i + 1]));
  Array<int2> p(points), a(asked);
  Array<int> out(20);
  find<<<20, 32>>>(p, 180, a, out);
  const auto got = out.host();
  for (int k = 0; k < 20; ++k) {
    const auto d = [&](int i) {
      const int dx = points[i].x - asked[k].x, dy = points[i].y - asked[k].y;
      return dx * dx + dy * dy;
    };
    int best = 0;
    for (int i = 1; i < 180; ++i)
      if (d(i) < d(best)) best = i;
    if (got[k] != best) return false;
  }
  return true;
}
}  // namespace nearest

/// Inside or not, by crossings of edges that lie in constant memory.
namespace inside {
__constant__ int2 corners[16];
__global__ void test(const int2* points, int edges, unsigned* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool in = false;
  if (i < n) {
    const int2 p = points[i];
    for (int e = 0; e < edges; ++e) {
      const int2 a = corners[e], b = corners[(e + 1) % edges];
      if ((a.y > p.y) == (b.y > p.y)) continue;
      const int side = (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y);
      if ((side > 0) == (b.y > a.y)) in = !in;
    }
  }
  const unsigned word = __ballot_sync(~0u, in);
  if (threadIdx.x % 32 == 0 && i < n) bits[i / 32] = word;
}
PROGRAM(inside) {
  const int2 star[] = {{0, 0}, {100, 0}, {100, 100}, {50, 30}, {0, 100}};
  CUDA(cudaMemcpyToSymbol(corners, star, sizeof star));
  const auto c = numbers(300, 120);
  std::vector<int2> points;
  for (int i = 0; i < 150; ++i) points.push_back(make_int2(c[2 * i], c[2 * i + 1]));
  Array<int2> p(points);
  Array<unsigned> bits(5);
  test<<<3, 64>>>(p, 5, bits, 150);
  const auto got = bits.host();
  for (int i = 0; i < 150; ++i) {
    bool in = false;
    for (int e = 0; e < 5; ++e) {
      const int2 a = star[e], b = star[(e + 1) % 5], q = points[i];
      if ((a.y > q.y) != (b.y > q.y) && ((b.x - a.x) * (q.y - a.y) - (q.x - a.x) * (b.y - a.y) > 0) == (b.y > a.y)) in = !in;
    }
    if ((got[i / 32] >> i % 32 & 1) != in) return false;
  }
  return true;
}
}  // namespace inside

/// Runge and Kutta's four steps for many oscillators, in registers.
namespace oscillators {
__global__ void run(double2* states, double dt, int steps) {
  double2 s = states[threadIdx.x];
  const double k = 1 + threadIdx.x % 4;
  const auto slope = [k](double2 v) { return make_double2(v.y, -k * v.x); };
  const auto moved = [](double2 v, double2 d, double h) { return make_double2(v.x + d.x * h, v.y + d.y * h); };
  for (int i = 0; i < steps; ++i) {
    const double2 a = slope(s), b = slope(moved(s, a, dt / 2)), c = slope(moved(s, b, dt / 2)), d = slope(moved(s, c, dt));
    s = moved(moved(moved(moved(s, a, dt / 6), b, dt / 3), c, dt / 3), d, dt / 6);
  }
  states[threadIdx.x] = s;
}
PROGRAM(oscillators) {
  std::vector<double2> start(32, make_double2(1, 0));
  Array<double2> states(start);
  run<<<1, 32>>>(states, 0.01, 100);
  const auto got = states.host();
  for (int i = 0; i < 32; ++i)
    if (!(std::fabs(got[i].x - std::cos(std::sqrt(1.0 + i % 4))) < 1e-8)) return false;
  return true;
}
}  // namespace oscillators

/// Integrals by blocks of different precision: a template over the rule.
namespace quadrature {
struct Midpoint {
  static __device__ double weight(int, int) { return 1; }
  static __device__ double at(int i, int n) { return (i + 0.5) / n; }
};
struct Trapezoid {
  static __device__ double weight(int i, int n) { return i == 0 || i == n ? 0.5 : 1; }
  static __device__ double at(int i, int n) { return static_cast<double>(i) / n; }
};
template <class Rule>
__global__ void integrate(double* out, int n, int last) {
  __shared__ double s[64];
  double sum = 0;
  for (int i = threadIdx.x; i <= last; i += 64) {
    const double x = Rule::at(i, n);
    sum += Rule::weight(i, n) * 4 / (1 + x * x);
  }
  s[threadIdx.x] = sum / n;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = s[0];
}
PROGRAM(quadrature) {
  Array<double> out(2);
  integrate<Midpoint><<<1, 64>>>(out, 1000, 999);
  integrate<Trapezoid><<<1, 64>>>(out + 1, 1000, 1000);
  return near(out.host(), {M_PI, M_PI}, 1e-6);
}
}  // namespace quadrature
