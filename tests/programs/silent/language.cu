// C++ in kernels: templates, lambdas, virtual functions, recursion, numbers of all kinds.
// options: --extended-lambda
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cassert>
#include <tuple>
#include <type_traits>

#include "silent.cuh"

namespace templates {
template <class T, class Operation>
__global__ void fold(const T* in, T* out, int n, T start, Operation operation) {
  __shared__ T s[64];
  T mine = start;
  for (int i = threadIdx.x; i < n; i += 64) mine = operation(mine, in[i]);
  s[threadIdx.x] = mine;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] = operation(s[threadIdx.x], s[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *out = s[0];
}
struct Most {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
template <class T>
bool of_type() {
  const auto in = numbers<T>(500, 100);
  Array<T> a(in), most(1), sum(1);
  fold<<<1, 64>>>(static_cast<const T*>(a), static_cast<T*>(most), 500, T(0), Most());
  fold<<<1, 64>>>(static_cast<const T*>(a), static_cast<T*>(sum), 500, T(0), Plus());
  T total = 0;
  for (T v : in) total += v;
  return most.host()[0] == *std::max_element(in.begin(), in.end()) && sum.host()[0] == total;
}
PROGRAM(templates) { return of_type<int>() && of_type<float>() && of_type<double>() && of_type<short>() && of_type<long long>(); }
}  // namespace templates

namespace lambdas {
template <class Function>
__global__ void for_each(int n, Function function) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) function(i);
}
PROGRAM(lambdas) {
  Array<int> x(100);
  int* p = x;
  const int factor = 3;
  for_each<<<2, 32>>>(100, [=] __device__(int i) { p[i] = i * factor; });
  for_each<<<1, 32>>>(50, [=] __device__(int i) {
    const auto swap = [](int& a, int& b) {
      const int held = a;
      a = b;
      b = held;
    };
    swap(p[i], p[99 - i]);
  });
  const auto got = x.host();
  for (int i = 0; i < 100; ++i)
    if (got[i] != (99 - i) * 3) return false;
  return true;
}
}  // namespace lambdas

/// Objects with virtual functions, made on the card.
namespace virtual_functions {
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
  float side;
};
struct Disc : Shape {
  __device__ explicit Disc(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
  float radius;
};
__global__ void make(Shape** shapes) {
  if (threadIdx.x % 2)
    shapes[threadIdx.x] = new Square(threadIdx.x);
  else
    shapes[threadIdx.x] = new Disc(threadIdx.x);
}
__global__ void measure(Shape** shapes, float* out) { out[threadIdx.x] = shapes[63 - threadIdx.x]->area(); }
__global__ void remove(Shape** shapes) { delete shapes[threadIdx.x]; }
PROGRAM(virtual_functions) {
  Array<Shape*> shapes(64);
  Array<float> out(64);
  make<<<1, 64>>>(shapes);
  measure<<<1, 64>>>(shapes, out);
  remove<<<1, 64>>>(shapes);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t) {
    const int i = 63 - t;
    if (got[t] != (i % 2 ? i * i : 3 * i * i)) return false;
  }
  return true;
}
}  // namespace virtual_functions

/// Pointers to functions in a table of the card.
namespace function_pointers {
using Function = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int larger(int a, int b) { return a > b ? a : b; }
__device__ Function table[] = {add, subtract, larger};
__global__ void apply(const int* in, int* out) {
  out[threadIdx.x] = table[threadIdx.x % 3](in[threadIdx.x], in[63 - threadIdx.x]);
}
PROGRAM(function_pointers) {
  const auto in = numbers(64, 1000);
  Array<int> a(in), out(64);
  apply<<<1, 64>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i) {
    const int x = in[i], y = in[63 - i];
    if (got[i] != (i % 3 == 0 ? x + y : i % 3 == 1 ? x - y : std::max(x, y))) return false;
  }
  return true;
}
}  // namespace function_pointers

namespace recursion {
__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ void hanoi(int n, int from, int to, int by, int* moves) {
  if (n == 0) return;
  hanoi(n - 1, from, by, to, moves);
  ++*moves;
  hanoi(n - 1, by, to, from, moves);
}
__global__ void run(int* out) {
  int moves = 0;
  hanoi(threadIdx.x % 6, 0, 1, 2, &moves);
  out[threadIdx.x] = moves * 100 + ackermann(threadIdx.x % 3, threadIdx.x % 4);
}
static int host_ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? host_ackermann(m - 1, 1) : host_ackermann(m - 1, host_ackermann(m, n - 1));
}
PROGRAM(recursion) {
  Array<int> out(32);
  run<<<1, 32>>>(out);
  const auto got = out.host();
  for (int t = 0; t < 32; ++t)
    if (got[t] != ((1 << t % 6) - 1) * 100 + host_ackermann(t % 3, t % 4)) return false;
  return true;
}
}  // namespace recursion

/// Any number of arguments, folded; choices that the compiler makes.
namespace variadic {
template <class... Ts>
__device__ double total(Ts... values) {
  return (0.0 + ... + values);
}
template <class T>
__device__ T half(T v) {
  if constexpr (std::is_integral_v<T>)
    return v >> 1;
  else
    return v * T(0.5);
}
__global__ void run(double* out) {
  const int t = threadIdx.x;
  out[t] = total(t, half(t), half(1.0f * t), static_cast<short>(3), 2ll);
}
PROGRAM(variadic) {
  Array<double> out(32);
  run<<<1, 32>>>(out);
  const auto got = out.host();
  for (int t = 0; t < 32; ++t)
    if (got[t] != t + t / 2 + t * 0.5 + 5) return false;
  return true;
}
}  // namespace variadic

/// A small class of matrices with operators, passed and returned by value.
namespace operators {
struct Two {
  float a, b, c, d;
  __host__ __device__ Two operator*(const Two& o) const {
    return {a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d};
  }
  __host__ __device__ bool operator==(const Two& o) const { return a == o.a && b == o.b && c == o.c && d == o.d; }
};
__host__ __device__ Two power(Two base, int exponent) {
  Two result{1, 0, 0, 1};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2) result = result * base;
    base = base * base;
  }
  return result;
}
__global__ void fibonacci(Two* out) { out[threadIdx.x] = power({1, 1, 1, 0}, threadIdx.x); }
PROGRAM(operators) {
  Array<Two> out(30);
  fibonacci<<<1, 30>>>(out);
  const auto got = out.host();
  for (int i = 0; i < 30; ++i)
    if (!(got[i] == power({1, 1, 1, 0}, i))) return false;
  return true;
}
}  // namespace operators

/// A view that knows its shape, and checks it by assert.
namespace views {
template <class T>
struct View {
  T* data;
  int rows, columns;
  __device__ T& operator()(int r, int c) const {
    assert(r >= 0 && r < rows && c >= 0 && c < columns);
    return data[r * columns + c];
  }
};
__global__ void fill(View<int> m, View<const int> by) {
  for (int r = threadIdx.y; r < m.rows; r += blockDim.y)
    for (int c = threadIdx.x; c < m.columns; c += blockDim.x) m(r, c) = by(0, c) * 100 + r;
}
PROGRAM(views) {
  Array<int> m(7 * 20), by(numbers(20, 50));
  fill<<<1, dim3(8, 4)>>>(View<int>{m, 7, 20}, View<const int>{by, 1, 20});
  const auto got = m.host(), factors = by.host();
  for (int i = 0; i < 140; ++i)
    if (got[i] != factors[i % 20] * 100 + i / 20) return false;
  return true;
}
}  // namespace views

/// A switch that falls through, goto out of two loops, labels that lanes reach at different times.
namespace jumps {
__global__ void interpret(const char* program, int* out, int n) {
  int stack[8], top = 0, at = 0;
  const int x = threadIdx.x;
next:
  if (at >= n) goto done;
  switch (program[at++]) {
    case 'x': stack[top++] = x; goto next;
    case '2': stack[top++] = 2; goto next;
    case '+': --top; stack[top - 1] += stack[top]; goto next;
    case '*': --top; stack[top - 1] *= stack[top]; goto next;
    case '?':
      if (stack[top - 1] % 2) goto next;
      // even: half of it, and then as below
      stack[top - 1] /= 2;
    case '-': stack[top - 1] = -stack[top - 1]; goto next;
  }
done:
  out[threadIdx.x] = stack[0];
}
PROGRAM(jumps) {
  const char* text = "xx*2+?-";
  Array<char> program(std::vector<char>(text, text + 7));
  Array<int> out(40);
  interpret<<<1, 40>>>(program, out, 7);
  const auto got = out.host();
  for (int x = 0; x < 40; ++x) {
    const int v = x * x + 2;
    if (got[x] != (v % 2 ? -v : v / 2)) return false;
  }
  return true;
}
}  // namespace jumps

/// Halves in pairs, and as atomics.
namespace halves {
__global__ void axpy(const __half2* x, __half2* y, __half2 a, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) y[i] = __hfma2(a, x[i], y[i]);
}
__global__ void sum(const __half* x, __half* out, int n) {
  const int i = threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}
PROGRAM(halves) {
  std::vector<__half> x, y;
  for (int i = 0; i < 64; ++i) {
    x.push_back(__float2half(i % 8));
    y.push_back(__float2half(1));
  }
  Array<__half> dx(x), dy(y), out(1);
  const auto pairs = [](Array<__half>& a) { return reinterpret_cast<__half2*>(static_cast<__half*>(a)); };
  axpy<<<1, 64>>>(pairs(dx), pairs(dy), __float2half2_rn(2), 32);
  sum<<<1, 64>>>(dy, out.zero(), 64);
  return __half2float(out.host()[0]) == 2 * 28 * 8 + 64;
}
}  // namespace halves

namespace brain_floats {
__global__ void scale(const __nv_bfloat16* in, __nv_bfloat16* out, float* wide) {
  const int i = threadIdx.x;
  out[i] = __hmul(in[i], __float2bfloat16(0.5f));
  wide[i] = __bfloat162float(in[i]) + 1;
}
PROGRAM(brain_floats) {
  std::vector<__nv_bfloat16> in;
  for (int i = 0; i < 32; ++i) in.push_back(__float2bfloat16(i));
  Array<__nv_bfloat16> a(in), out(32);
  Array<float> wide(32);
  scale<<<1, 32>>>(a, out, wide);
  const auto got = out.host();
  const auto w = wide.host();
  for (int i = 0; i < 32; ++i)
    if (__bfloat162float(got[i]) != i * 0.5f || w[i] != i + 1) return false;
  return true;
}
}  // namespace brain_floats

/// Vectors of all widths, loaded whole and stored in parts.
namespace vectors {
__global__ void mix(const short4* a, const double2* b, const uchar2* c, float3* out) {
  const int i = threadIdx.x;
  const short4 s = a[i];
  const double2 d = b[i];
  const uchar2 u = c[i];
  out[i] = make_float3(s.x + s.w, static_cast<float>(d.x * d.y), u.x - u.y);
}
PROGRAM(vectors) {
  std::vector<short4> a;
  std::vector<double2> b;
  std::vector<uchar2> c;
  for (int i = 0; i < 40; ++i) {
    a.push_back(make_short4(i, 1, 2, -3 * i));
    b.push_back(make_double2(i, 0.25));
    c.push_back(make_uchar2(5 * i, i));
  }
  Array<short4> da(a);
  Array<double2> db(b);
  Array<uchar2> dc(c);
  Array<float3> out(40);
  mix<<<1, 40>>>(da, db, dc, out);
  const auto got = out.host();
  for (int i = 0; i < 40; ++i)
    if (got[i].x != -2 * i || got[i].y != i * 0.25f || got[i].z != 4 * i) return false;
  return true;
}
}  // namespace vectors

/// Whole numbers of 64 and 128 bits.
namespace wide_integers {
__global__ void multiply(const unsigned long long* a, const unsigned long long* b, ulonglong2* out) {
  const int i = threadIdx.x;
  out[i].x = a[i] * b[i];
  out[i].y = __umul64hi(a[i], b[i]);
}
__global__ void digits(const unsigned long long* a, int* out) {
  int sum = 0;
  for (unsigned long long v = a[threadIdx.x]; v > 0; v /= 10) sum += v % 10;
  out[threadIdx.x] = sum;
}
PROGRAM(wide_integers) {
  std::vector<unsigned long long> a, b;
  for (int i = 1; i <= 32; ++i) {
    a.push_back(0x9e3779b97f4a7c15ull * i);
    b.push_back(0xc2b2ae3d27d4eb4full ^ a.back() << 3);
  }
  Array<unsigned long long> da(a), db(b);
  Array<ulonglong2> out(32);
  Array<int> sums(32);
  multiply<<<1, 32>>>(da, db, out);
  digits<<<1, 32>>>(da, sums);
  const auto got = out.host();
  const auto s = sums.host();
  for (int i = 0; i < 32; ++i) {
    const unsigned __int128 product = static_cast<unsigned __int128>(a[i]) * b[i];
    int sum = 0;
    for (unsigned long long v = a[i]; v > 0; v /= 10) sum += v % 10;
    if (got[i].x != static_cast<unsigned long long>(product) || got[i].y != static_cast<unsigned long long>(product >> 64) || s[i] != sum)
      return false;
  }
  return true;
}
}  // namespace wide_integers

/// Printed by the card; only one thread does, so that its order is known.
namespace printed {
__global__ void say(const int* in) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  atomicMax(&most, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0 && most > 1000) printf("%d is too much\n", most);
}
PROGRAM(printed) {
  Array<int> in(numbers(64, 1000));
  say<<<1, 64>>>(in);
  return true;
}
}  // namespace printed

/// Indices of blocks and threads in three dimensions.
namespace three_dimensions {
__global__ void number(int* out, dim3 extent) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
                 z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= extent.x || y >= extent.y || z >= extent.z) return;
  out[(z * extent.y + y) * extent.x + x] = x + 100 * y + 10000 * z;
}
PROGRAM(three_dimensions) {
  Array<int> out(11 * 7 * 5);
  number<<<dim3(3, 4, 2), dim3(4, 2, 3)>>>(out, dim3(11, 7, 5));
  const auto got = out.host();
  for (int i = 0; i < 385; ++i)
    if (got[i] != i % 11 + 100 * (i / 11 % 7) + 10000 * (i / 77)) return false;
  return true;
}
}  // namespace three_dimensions

/// Assembly beside C++.
namespace assembly {
__global__ void run(const unsigned* in, unsigned* out) {
  const unsigned v = in[threadIdx.x];
  unsigned reversed, lane, sum;
  asm("brev.b32 %0, %1;" : "=r"(reversed) : "r"(v));
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("{\n\t.reg .u32 t;\n\tmul.lo.u32 t, %1, 3;\n\tadd.u32 %0, t, %2;\n\t}" : "=r"(sum) : "r"(v), "r"(lane));
  out[threadIdx.x] = reversed ^ sum;
}
PROGRAM(assembly) {
  const auto in = numbers<unsigned>(64, 1 << 20);
  Array<unsigned> a(in), out(64);
  run<<<1, 64>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i) {
    unsigned reversed = 0;
    for (int b = 0; b < 32; ++b) reversed |= (in[i] >> b & 1) << (31 - b);
    if (got[i] != (reversed ^ (in[i] * 3 + i % 32))) return false;
  }
  return true;
}
}  // namespace assembly
