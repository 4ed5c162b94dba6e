#pragma once
// What the programs of this folder share: an operation is a device expression and the host's answer to it; check()
// runs it on every combination of the inputs and compares. A program prints "ok", or its first mismatches.

// The host's answers are computed once: optimising them took longer than all the rest of compiling a program.
#if defined(__NVCC__) && !defined(__CUDA_ARCH__)
#pragma nv_diag_suppress 1675  // nvcc passes on what it does not know, and says so
#pragma GCC optimize("O0")
#pragma nv_diag_default 1675
#endif

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = unsigned long long;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = long long;

inline int mismatches = 0;

#define CUDA(call)                                                                          \
  do {                                                                                      \
    const cudaError_t status_ = (call);                                                     \
    if (status_ != cudaSuccess) {                                                           \
      std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status_));       \
      std::exit(1);                                                                         \
    }                                                                                       \
  } while (0)

/// A condition that must hold.
#define EXPECT(condition)                                                                   \
  do {                                                                                      \
    if (!(condition) && ++mismatches <= 20) std::printf("line %d: not %s\n", __LINE__, #condition); \
  } while (0)

inline int finish() {
  CUDA(cudaDeviceSynchronize());
  if (mismatches == 0) std::printf("ok\n");
  else std::printf("%d mismatches\n", mismatches);
  return mismatches != 0;
}

template <class T>
struct Buffer {
  explicit Buffer(std::size_t n) : count(n) { CUDA(cudaMalloc(&data, n * sizeof(T))); }
  explicit Buffer(const std::vector<T>& v) : Buffer(v.size()) {
    CUDA(cudaMemcpy(data, v.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  operator T*() const { return data; }
  std::vector<T> host() const {
    std::vector<T> v(count);
    CUDA(cudaMemcpy(v.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
  T* data = nullptr;
  std::size_t count;
};

template <class T> struct BitsOf { using Type = u64; };
template <> struct BitsOf<float> { using Type = u32; };

template <class T>
void print_value(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    typename BitsOf<T>::Type bits;
    std::memcpy(&bits, &v, sizeof v);
    std::printf("%.9g [%llx]", static_cast<double>(v), static_cast<unsigned long long>(bits));
  } else {
    std::printf("%lld [%llx]", static_cast<long long>(v), static_cast<unsigned long long>(v));
  }
}

/// Distance in units in the last place; NaN equals NaN.
template <class T>
double ulps(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return (a != a) == (b != b) ? 0 : INFINITY;
    if (std::memcmp(&a, &b, sizeof a) == 0) return 0;
    using I = std::conditional_t<sizeof(T) == 4, s32, s64>;
    I x, y;
    std::memcpy(&x, &a, sizeof x);
    std::memcpy(&y, &b, sizeof y);
    const I low = std::numeric_limits<I>::min();
    __int128 dx = x < 0 ? -(static_cast<__int128>(x) - low) : x, dy = y < 0 ? -(static_cast<__int128>(y) - low) : y;
    return dx == dy ? 0.5 : static_cast<double>(dx > dy ? dx - dy : dy - dx);  // 0.5: +0 against -0
  } else {
    return a == b ? 0 : INFINITY;
  }
}

template <class T>
void compare(const char* name, T got, T want, double tolerance, const char* inputs) {
  if (ulps(got, want) <= tolerance || ++mismatches > 30) return;
  std::printf("%s(%s): got ", name, inputs);
  print_value(got);
  std::printf(", want ");
  print_value(want);
  std::printf("\n");
}

template <class A>
std::string shown(A a) {
  char text[64];
  if constexpr (std::is_floating_point_v<A>) std::snprintf(text, sizeof text, "%.17g", static_cast<double>(a));
  else std::snprintf(text, sizeof text, "%lld", static_cast<long long>(a));
  return text;
}

/// OPERATION(name, result type, (parameters), device expression, host expression)
#define OPERATION(operation, R, parameters, device_side, host_side)      \
  struct operation {                                                     \
    using Result = R;                                                    \
    static const char* name() { return #operation; }                     \
    static __device__ Result device parameters { return device_side; }   \
    static Result host parameters { return host_side; }                  \
  };
/// The same expression on both sides.
#define BOTH_SIDES(operation, R, parameters, ...) OPERATION(operation, R, parameters, (__VA_ARGS__), (__VA_ARGS__))

template <class F, class A>
__global__ void unary_kernel(const A* a, int n, typename F::Result* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = F::device(a[i]);
}
template <class F, class A, class B>
__global__ void binary_kernel(const A* a, int n, const B* b, int m, typename F::Result* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * m) out[i] = F::device(a[i / m], b[i % m]);
}
template <class F, class A, class B, class C>
__global__ void ternary_kernel(const A* a, int n, const B* b, int m, const C* c, int l, typename F::Result* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * m * l) out[i] = F::device(a[i / l / m], b[i / l % m], c[i % l]);
}

// A program has hundreds of operations: what does not depend on which one it is stands in functions of the types alone, which
// the compiler translates once.

template <class A, class R>
[[gnu::noinline]] void check_unary(const char* name, const std::vector<A>& a, double tolerance, R (*host)(A),
                                   void (*launch)(const A*, int, R*)) {
  const int n = static_cast<int>(a.size());
  Buffer<A> da(a);
  Buffer<R> out(n);
  launch(da.data, n, out.data);
  CUDA(cudaGetLastError());
  const auto got = out.host();
  for (int i = 0; i < n; ++i) compare(name, got[i], host(a[i]), tolerance, shown(a[i]).c_str());
}
template <class A, class B, class R>
[[gnu::noinline]] void check_binary(const char* name, const std::vector<A>& a, const std::vector<B>& b, double tolerance,
                                    R (*host)(A, B), void (*launch)(const A*, int, const B*, int, R*)) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  Buffer<A> da(a);
  Buffer<B> db(b);
  Buffer<R> out(n * m);
  launch(da.data, n, db.data, m, out.data);
  CUDA(cudaGetLastError());
  const auto got = out.host();
  for (int i = 0; i < n * m; ++i) {
    const A x = a[i / m];
    const B y = b[i % m];
    compare(name, got[i], host(x, y), tolerance, (shown(x) + ", " + shown(y)).c_str());
  }
}
template <class A, class B, class C, class R>
[[gnu::noinline]] void check_ternary(const char* name, const std::vector<A>& a, const std::vector<B>& b,
                                     const std::vector<C>& c, double tolerance, R (*host)(A, B, C),
                                     void (*launch)(const A*, int, const B*, int, const C*, int, R*)) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size()), l = static_cast<int>(c.size());
  Buffer<A> da(a);
  Buffer<B> db(b);
  Buffer<C> dc(c);
  Buffer<R> out(n * m * l);
  launch(da.data, n, db.data, m, dc.data, l, out.data);
  CUDA(cudaGetLastError());
  const auto got = out.host();
  for (int i = 0; i < n * m * l; ++i) {
    const A x = a[i / l / m];
    const B y = b[i / l % m];
    const C z = c[i % l];
    compare(name, got[i], host(x, y, z), tolerance, (shown(x) + ", " + shown(y) + ", " + shown(z)).c_str());
  }
}

template <class F, class A>
void launch_unary(const A* a, int n, typename F::Result* out) {
  unary_kernel<F><<<(n + 127) / 128, 128>>>(a, n, out);
}
template <class F, class A, class B>
void launch_binary(const A* a, int n, const B* b, int m, typename F::Result* out) {
  binary_kernel<F><<<(n * m + 127) / 128, 128>>>(a, n, b, m, out);
}
template <class F, class A, class B, class C>
void launch_ternary(const A* a, int n, const B* b, int m, const C* c, int l, typename F::Result* out) {
  ternary_kernel<F><<<(n * m * l + 127) / 128, 128>>>(a, n, b, m, c, l, out);
}
template <class F, class... Inputs>
typename F::Result on_host(Inputs... inputs) {
  return F::host(inputs...);
}

template <class F, class A>
void check(const std::vector<A>& a, double tolerance = 0) {
  check_unary<A, typename F::Result>(F::name(), a, tolerance, on_host<F, A>, launch_unary<F, A>);
}
template <class F, class A, class B>
void check(const std::vector<A>& a, const std::vector<B>& b, double tolerance = 0) {
  check_binary<A, B, typename F::Result>(F::name(), a, b, tolerance, on_host<F, A, B>, launch_binary<F, A, B>);
}
template <class F, class A, class B, class C>
void check(const std::vector<A>& a, const std::vector<B>& b, const std::vector<C>& c, double tolerance = 0) {
  check_ternary<A, B, C, typename F::Result>(F::name(), a, b, c, tolerance, on_host<F, A, B, C>, launch_ternary<F, A, B, C>);
}

/// Edge values of an integer type and some in between.
template <class T>
std::vector<T> integers() {
  std::vector<T> v;
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  for (const long long k : {0LL, 1LL, 2LL, 3LL, 5LL, 7LL, 31LL, 100LL}) {
    v.push_back(static_cast<T>(k));
    v.push_back(static_cast<T>(high - static_cast<T>(k)));
    v.push_back(static_cast<T>(low + static_cast<T>(k)));
  }
  u64 state = 88172645463325252ULL;
  for (int i = 0; i < 12; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    v.push_back(static_cast<T>(state));
    v.push_back(static_cast<T>(state >> (i * 5)));
  }
  return v;
}

/// Zeros, ones, halves, denormals, limits, infinities, NaN, and some in between.
template <class T>
std::vector<T> floats() {
  using L = std::numeric_limits<T>;
  std::vector<T> v{T(0), T(1), T(0.5), T(1.5), T(2.5), T(3), T(1) / 3, T(0.1), T(1e10), T(1e-10), T(16777216), T(16777217),
                   T(2147483647.0), T(2147483648.0), T(4294967295.0), T(4294967296.0), T(9.2e18), T(1.8446744073709552e19),
                   T(65504), T(65520), T(127.5), T(255.5), T(32767.5), L::min(), L::min() / 2, L::denorm_min(),
                   L::denorm_min() * 5, L::max(), L::epsilon(), 1 + L::epsilon(), 1 - L::epsilon() / 2, L::infinity(),
                   L::quiet_NaN()};
  u64 state = 2463534242ULL;
  for (int i = 0; i < 12; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    v.push_back(static_cast<T>(static_cast<double>(state >> 11) / 9007199254740992.0 * std::pow(10.0, i % 5 - 2)));
  }
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) v.push_back(-v[i]);
  return v;
}
