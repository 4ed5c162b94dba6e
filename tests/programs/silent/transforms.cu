// Transforms, signals, number theory and polynomials.
#include <cuComplex.h>

#include "silent.cuh"

using Floats = std::vector<float>;
static constexpr float kTurn = 6.28318530717958648f;

static std::vector<float2> dft(const std::vector<float2>& in) {
  const int n = in.size();
  std::vector<float2> out(n);
  for (int k = 0; k < n; ++k) {
    double re = 0, im = 0;
    for (int j = 0; j < n; ++j) {
      const double a = -2 * M_PI * (j * k % n) / n;
      re += in[j].x * std::cos(a) - in[j].y * std::sin(a);
      im += in[j].x * std::sin(a) + in[j].y * std::cos(a);
    }
    out[k] = make_float2(re, im);
  }
  return out;
}
static std::vector<float2> signal(int n) {
  std::vector<float2> s(n);
  for (int i = 0; i < n; ++i) s[i] = make_float2(i % 7 - 3, i % 3);
  return s;
}
static bool near_all(const std::vector<float2>& a, const std::vector<float2>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i].x - b[i].x) < 1e-2 && std::fabs(a[i].y - b[i].y) < 1e-2)) return false;
  return true;
}

namespace fourier_by_definition {
__global__ void transform(const float2* in, float2* out, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  float2 sum = make_float2(0, 0);
  for (int j = 0; j < n; ++j) {
    float s, c;
    sincosf(-kTurn * (j * k % n) / n, &s, &c);
    sum.x += in[j].x * c - in[j].y * s;
    sum.y += in[j].x * s + in[j].y * c;
  }
  out[k] = sum;
}
PROGRAM(fourier_by_definition) {
  const auto in = signal(45);
  Array<float2> a(in), out(45);
  transform<<<2, 32>>>(a, out, 45);
  return near_all(out.host(), dft(in));
}
}  // namespace fourier_by_definition

/// Bits reversed by swaps in place, then butterflies whose pairs belong to one thread.
namespace fft_in_shared {
__global__ void transform(float2* x) {
  __shared__ float2 s[128];
  const int t = threadIdx.x;
  s[__brev(t) >> 25] = x[t];
  s[__brev(t + 64) >> 25] = x[t + 64];
  for (int half = 1; half < 128; half *= 2) {
    __syncthreads();
    const int low = t / half * 2 * half + t % half;
    float im, re;
    sincosf(-kTurn * (t % half) / (2 * half), &im, &re);
    const float2 a = s[low], b = s[low + half];
    const float2 turned = make_float2(b.x * re - b.y * im, b.x * im + b.y * re);
    s[low] = make_float2(a.x + turned.x, a.y + turned.y);
    s[low + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  x[t] = s[t];
  x[t + 64] = s[t + 64];
}
PROGRAM(fft_in_shared) {
  const auto in = signal(128);
  Array<float2> x(in);
  transform<<<1, 64>>>(x);
  return near_all(x.host(), dft(in));
}
}  // namespace fft_in_shared

/// Stockham's order, from buffer to buffer.
namespace fft_stockham {
__global__ void pass(const cuComplex* in, cuComplex* out, int n, int half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, k = i % half;
  if (i >= n / 2) return;
  const cuComplex turn = make_cuComplex(cosf(-kTurn * k / (2 * half)), sinf(-kTurn * k / (2 * half)));
  const cuComplex a = in[i], b = cuCmulf(in[i + n / 2], turn);
  out[(i - k) * 2 + k] = cuCaddf(a, b);
  out[(i - k) * 2 + k + half] = cuCsubf(a, b);
}
PROGRAM(fft_stockham) {
  const auto in = signal(64);
  Array<cuComplex> a(in), b(64);
  cuComplex *from = a, *to = b;
  for (int half = 1; half < 64; half *= 2, std::swap(from, to)) pass<<<2, 16>>>(from, to, 64, half);
  std::vector<float2> got(64);
  CUDA(cudaMemcpy(got.data(), from, 64 * sizeof(float2), cudaMemcpyDeviceToHost));
  return near_all(got, dft(in));
}
}  // namespace fft_stockham

/// Places with reversed bits are swapped in place: the smaller of the two does it.
namespace bit_reversal {
__global__ void reverse(int* x, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = __brev(i) >> (32 - bits);
  if (i >= j) return;
  const int held = x[i];
  x[i] = x[j];
  x[j] = held;
}
PROGRAM(bit_reversal) {
  const auto in = numbers(256, 1000);
  Array<int> x(in);
  reverse<<<2, 128>>>(x, 8);
  const auto got = x.host();
  for (int i = 0; i < 256; ++i) {
    int j = 0;
    for (int b = 0; b < 8; ++b) j |= (i >> b & 1) << (7 - b);
    if (got[j] != in[i]) return false;
  }
  return true;
}
}  // namespace bit_reversal

/// Walsh and Hadamard: five steps by shuffles, the rest in shared memory.
namespace walsh {
__global__ void transform(int* x) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int v = x[t];
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_xor_sync(~0u, v, step);
    v = t & step ? other - v : v + other;
  }
  for (int step = 32; step < 128; step *= 2) {
    __syncthreads();
    s[t] = v;
    __syncthreads();
    v = t & step ? s[t ^ step] - v : v + s[t ^ step];
  }
  x[t] = v;
}
PROGRAM(walsh) {
  const auto in = numbers(128, 100);
  Array<int> x(in);
  transform<<<1, 128>>>(x);
  std::vector<int> wanted(128);
  for (int k = 0; k < 128; ++k)
    for (int j = 0; j < 128; ++j) wanted[k] += __builtin_popcount(k & j) % 2 ? -in[j] : in[j];
  return x.host() == wanted;
}
}  // namespace walsh

/// Haar's wavelet, level after level: averages go to the front half, which alone is read again.
namespace haar {
__global__ void transform(int* x, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  for (int size = n; size > 1; size /= 2) {
    if (t < size) s[t] = x[t];
    __syncthreads();
    if (t < size / 2) {
      x[t] = s[2 * t] + s[2 * t + 1];
      x[size / 2 + t] = s[2 * t] - s[2 * t + 1];
    }
    __syncthreads();
  }
}
PROGRAM(haar) {
  auto wanted = numbers(64, 100);
  Array<int> x(wanted);
  transform<<<1, 64, 64 * sizeof(int)>>>(x, 64);
  for (int size = 64; size > 1; size /= 2) {
    const auto old = wanted;
    for (int i = 0; i < size / 2; ++i) {
      wanted[i] = old[2 * i] + old[2 * i + 1];
      wanted[size / 2 + i] = old[2 * i] - old[2 * i + 1];
    }
  }
  return x.host() == wanted;
}
}  // namespace haar

/// Cosines of blocks of 8 x 8, rows and then columns, with the table in constant memory.
namespace cosines {
__constant__ float table[64];
__global__ void transform(const float* in, float* out, int w) {
  __shared__ float s[8][8], rows[8][8];
  const int x = threadIdx.x, y = threadIdx.y, at = (blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x;
  s[y][x] = in[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += s[y][k] * table[x * 8 + k];
  rows[y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += rows[k][x] * table[y * 8 + k];
  out[at] = sum;
}
PROGRAM(cosines) {
  float t[64];
  for (int u = 0; u < 8; ++u)
    for (int k = 0; k < 8; ++k) t[u * 8 + k] = (u == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * k + 1) * u * M_PI / 16);
  CUDA(cudaMemcpyToSymbol(table, t, sizeof t));
  const auto in = numbers<float>(16 * 24, 256);
  Array<float> a(in), out(16 * 24);
  transform<<<dim3(3, 2), dim3(8, 8)>>>(a, out, 24);
  Floats wanted(16 * 24);
  for (int i = 0; i < 16 * 24; ++i) {
    const int bx = i % 24 / 8 * 8, by = i / 24 / 8 * 8, u = i % 24 % 8, v = i / 24 % 8;
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) wanted[i] += in[(by + y) * 24 + bx + x] * t[u * 8 + x] * t[v * 8 + y];
  }
  for (int i = 0; i < 16 * 24; ++i)
    if (std::fabs(out.host()[i] - wanted[i]) > 0.01) return false;
  return true;
}
}  // namespace cosines

/// A filter over a stream of blocks: the tail of the one before stays in registers' place in shared memory.
namespace filter_with_history {
__global__ void filter(const float* in, float* out, const float* taps, int n) {
  __shared__ float line[64 + 8], h[9];
  const int t = threadIdx.x;
  if (t < 9) h[t] = taps[t];
  if (t < 8) line[t] = 0;
  for (int first = 0; first < n; first += 64) {
    if (first + t < n) line[8 + t] = in[first + t];
    __syncthreads();
    float sum = 0;
    if (first + t < n)
      for (int k = 0; k < 9; ++k) sum += h[k] * line[8 + t - k];
    const float kept = t < 8 && first + 64 < n ? line[64 + t] : 0;
    __syncthreads();
    if (t < 8) line[t] = kept;
    if (first + t < n) out[first + t] = sum;
  }
}
PROGRAM(filter_with_history) {
  const auto in = numbers<float>(170, 20), taps = numbers<float>(9, 5, 3);
  Array<float> a(in), h(taps), out(170);
  filter<<<1, 64>>>(a, out, h, 170);
  Floats wanted(170);
  for (int i = 0; i < 170; ++i)
    for (int k = 0; k < 9 && k <= i; ++k) wanted[i] += taps[k] * in[i - k];
  return out.host() == wanted;
}
}  // namespace filter_with_history

/// A recursive filter as a scan of affine maps.
namespace recursive_filter {
__global__ void run(const int* in, int* out) {
  const int lane = threadIdx.x;
  unsigned a = 3, b = in[lane];  // y -> 3 y + x
  for (int step = 1; step < 32; step *= 2) {
    const unsigned pa = __shfl_up_sync(~0u, a, step), pb = __shfl_up_sync(~0u, b, step);
    if (lane >= step) {
      b = a * pb + b;
      a = a * pa;
    }
  }
  out[lane] = b;
}
PROGRAM(recursive_filter) {
  const auto in = numbers(32, 100);
  Array<int> x(in), out(32);
  run<<<1, 32>>>(x, out);
  std::vector<int> wanted;
  unsigned y = 0;
  for (int v : in) wanted.push_back(y = 3 * y + v);
  return out.host() == wanted;
}
}  // namespace recursive_filter

/// Coefficients of a product: every thread a diagonal.
namespace polynomial_product {
__global__ void multiply(const int* a, int m, const int* b, int n, int* c) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= m + n - 1) return;
  int sum = 0;
  for (int i = max(0, k - n + 1); i <= min(k, m - 1); ++i) sum += a[i] * b[k - i];
  c[k] = sum;
}
PROGRAM(polynomial_product) {
  const auto a = numbers(40, 20), b = numbers(23, 20, 3);
  Array<int> da(a), db(b), c(62);
  multiply<<<2, 32>>>(da, 40, db, 23, c);
  std::vector<int> wanted(62);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 23; ++j) wanted[i + j] += a[i] * b[j];
  return c.host() == wanted;
}
}  // namespace polynomial_product

/// Transform modulo a prime, there and back.
namespace number_theoretic {
constexpr unsigned kPrime = 998244353;
__host__ __device__ unsigned power(unsigned long long base, unsigned exponent) {
  unsigned long long result = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % kPrime)
    if (exponent % 2) result = result * base % kPrime;
  return result;
}
__global__ void transform(unsigned* x, bool back) {
  __shared__ unsigned s[2][64];
  const int t = threadIdx.x;
  s[0][t] = x[t];
  int now = 0;
  for (int half = 1; half < 64; half *= 2, now ^= 1) {
    __syncthreads();
    if (t >= 32) continue;
    const int k = t % half;
    unsigned long long root = power(3, (kPrime - 1) / (2 * half) * k);
    if (back) root = power(root, kPrime - 2);
    const unsigned long long a = s[now][t], b = s[now][t + 32] * root % kPrime;
    s[now ^ 1][(t - k) * 2 + k] = (a + b) % kPrime;
    s[now ^ 1][(t - k) * 2 + k + half] = (a + kPrime - b) % kPrime;
  }
  __syncthreads();
  const unsigned long long factor = back ? power(64, kPrime - 2) : 1;
  x[t] = s[now][t] * factor % kPrime;
}
__global__ void times(unsigned* a, const unsigned* b) {
  a[threadIdx.x] = static_cast<unsigned long long>(a[threadIdx.x]) * b[threadIdx.x] % kPrime;
}
PROGRAM(number_theoretic) {
  auto a = numbers<unsigned>(64, 1000), b = numbers<unsigned>(64, 1000, 5);
  for (int i = 32; i < 64; ++i) a[i] = b[i] = 0;
  std::vector<unsigned> wanted(64);
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) wanted[i + j] += a[i] * b[j];
  Array<unsigned> da(a), db(b);
  transform<<<1, 64>>>(da, false);
  transform<<<1, 64>>>(db, false);
  times<<<1, 64>>>(da, db);
  transform<<<1, 64>>>(da, true);
  return da.host() == wanted;
}
}  // namespace number_theoretic

/// Numbers of a thousand bits: carries are found by generate and propagate, as in hardware.
namespace long_addition {
__global__ void add(const unsigned* a, const unsigned* b, unsigned* sum) {
  const int lane = threadIdx.x;
  const unsigned plain = a[lane] + b[lane];
  const unsigned generate = __ballot_sync(~0u, plain < a[lane]), propagate = __ballot_sync(~0u, plain == ~0u);
  const unsigned carries = ((generate << 1 | 0) + propagate) ^ propagate;
  sum[lane] = plain + (carries >> lane & 1);
}
PROGRAM(long_addition) {
  auto a = numbers<unsigned>(32, 1 << 24), b = a;
  for (int i = 0; i < 32; ++i) b[i] = i % 5 == 0 ? ~0u - a[i] + (i % 2) : ~a[i];
  std::vector<unsigned> wanted(32);
  unsigned long long carry = 0;
  for (int i = 0; i < 32; ++i) {
    carry += static_cast<unsigned long long>(a[i]) + b[i];
    wanted[i] = carry;
    carry >>= 32;
  }
  Array<unsigned> da(a), db(b), sum(32);
  add<<<1, 32>>>(da, db, sum);
  return sum.host() == wanted;
}
}  // namespace long_addition

/// Products of long numbers: columns in parallel, then one thread carries.
namespace long_product {
__global__ void multiply(const unsigned char* a, const unsigned char* b, unsigned char* out, int n) {
  extern __shared__ unsigned columns[];
  for (int k = threadIdx.x; k < 2 * n; k += blockDim.x) {
    unsigned sum = 0;
    for (int i = max(0, k - n + 1); i <= min(k, n - 1); ++i) sum += a[i] * b[k - i];
    columns[k] = sum;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  unsigned carry = 0;
  for (int k = 0; k < 2 * n; ++k) {
    carry += columns[k];
    out[k] = carry % 10;
    carry /= 10;
  }
}
PROGRAM(long_product) {
  const auto a = numbers<unsigned char>(50, 10), b = numbers<unsigned char>(50, 10, 3);
  Array<unsigned char> da(a), db(b), out(100);
  multiply<<<1, 32, 100 * sizeof(unsigned)>>>(da, db, out, 50);
  std::vector<unsigned char> wanted(100);
  for (int i = 0; i < 50; ++i) {
    unsigned carry = 0;
    for (int j = 0; j < 50 || carry; ++j) {
      carry += wanted[i + j] + (j < 50 ? a[i] * b[j] : 0);
      wanted[i + j] = carry % 10;
      carry /= 10;
    }
  }
  return out.host() == wanted;
}
}  // namespace long_product

/// Loops whose number of turns each lane has for itself.
namespace collatz {
__global__ void longest(unsigned long long* best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i > n) return;
  unsigned steps = 0;
  for (unsigned long long v = i; v != 1; ++steps) v = v % 2 ? 3 * v + 1 : v / 2;
  atomicMax(best, static_cast<unsigned long long>(steps) << 32 | i);
}
PROGRAM(collatz) {
  Array<unsigned long long> best(1);
  longest<<<4, 250>>>(best.zero(), 999);
  return best.host()[0] == (178ull << 32 | 871);
}
}  // namespace collatz

/// Greatest common divisors of all pairs of a triangle, whose threads are numbered in one line.
namespace divisors {
__global__ void count_coprime(int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool coprime = false;
  if (i < n * (n + 1) / 2) {
    int row = static_cast<int>((sqrtf(8.0f * i + 1) - 1) / 2);
    while ((row + 1) * (row + 2) / 2 <= i) ++row;
    while (row * (row + 1) / 2 > i) --row;
    int a = row + 1, b = i - row * (row + 1) / 2 + 1;
    while (b != 0) {
      const int rest = a % b;
      a = b;
      b = rest;
    }
    coprime = a == 1;
  }
  const unsigned all = __ballot_sync(~0u, coprime);
  if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(all));
}
PROGRAM(divisors) {
  Array<int> count(1);
  count_coprime<<<blocks_for(50 * 51 / 2, 128), 128>>>(50, count.zero());
  int wanted = 0;
  for (int a = 1; a <= 50; ++a)
    for (int b = 1; b <= a; ++b) {
      int x = a, y = b;
      while (y) std::swap(x %= y, y);
      wanted += x == 1;
    }
  return count.host()[0] == wanted;
}
}  // namespace divisors

/// Lags of a signal with itself, a block each.
namespace autocorrelation {
__global__ void lags(const int* x, int* out, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = threadIdx.x; i + blockIdx.x < n; i += blockDim.x) mine += x[i] * x[i + blockIdx.x];
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
PROGRAM(autocorrelation) {
  const auto x = numbers(300, 20);
  Array<int> a(x), out(10);
  lags<<<10, 64>>>(a, out, 300);
  std::vector<int> wanted(10);
  for (int k = 0; k < 10; ++k)
    for (int i = 0; i + k < 300; ++i) wanted[k] += x[i] * x[i + k];
  return out.host() == wanted;
}
}  // namespace autocorrelation
