// Memory: local arrays, constants, device variables, vectors, structures, kernel parameters, pointers of every space.
#include <numeric>

#include "check.cuh"

__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ int table[4][3];
struct Settings { int n; float scale; const float* weights; char name[6]; };
__constant__ Settings settings;
__device__ int counter = 41;
__device__ double matrix[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
__device__ float* pointer_to_first = reinterpret_cast<float*>(0);
__device__ int numbers[5] = {10, 20, 30, 40, 50};
// clang 14 and 15 cannot start a pointer with the address of a variable of the device.
#if defined(__clang__) && __clang_major__ < 16
#define STARTS_LATER 1
__device__ int* middle;
__device__ const char* greeting;
__device__ char morning[] = "good morning";
#else
__device__ int* middle = &numbers[2];
__device__ const char* greeting = "good morning";
#endif
__device__ unsigned char bytes[7] = {1, 2, 3, 255, 254, 0, 9};
static __device__ long long hidden = -5;
__managed__ int shared_with_host = 3;
__device__ __managed__ float managed_row[4] = {1, 2, 3, 4};
static __managed__ struct { int first; double second; } managed_pair = {7, 0.5};

__global__ void constants(double* out) {
  const int t = threadIdx.x;
  double sum = coefficients[t % 8] + coefficients[3] + table[t % 4][t % 3] + settings.n * settings.scale + settings.name[t % 6];
  sum += settings.weights[t];
  sum += matrix[t % 3][(t / 3) % 3] + middle[t % 3] + greeting[t % 12] + bytes[t % 7] + hidden + counter;
  out[t] = sum;
  if (t == 0) matrix[1][1] = -1;
  if (t == 0) shared_with_host += 10;
}
__global__ void local_arrays(const int* order, int* out) {
  int a[16];
  short b[9];
  char text[5] = "abcd";
  double d[4] = {0.5, 1.5, 2.5, 3.5};
  const int t = threadIdx.x;
  for (int i = 0; i < 16; ++i) a[order[i]] = i * (t + 1);
  for (int i = 0; i < 9; ++i) b[(i * 4 + t) % 9] = static_cast<short>(i - t);
  text[t % 4] += 2;
  d[order[t % 16] % 4] += t;
  int* p = t % 2 ? &a[t % 16] : &a[15 - t % 16];
  *p += 5;
  out[t] = a[order[(t + 3) % 16]] + 100 * b[t % 9] + text[(t + 1) % 4] + static_cast<int>(d[t % 4] * 2) + *p;
}
// Generic pointers: lanes of one warp into four spaces at once.
__device__ __noinline__ int sum_of(const int* p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += p[i];
  return s;
}
__global__ void generic(const int* global, int* out) {
  __shared__ int shared[4];
  int local[4];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) local[i] = t * 10 + i;
  if (t < 4) shared[t] = 1000 + t;
  __syncthreads();
  const int* p = t % 3 == 0 ? global + t : t % 3 == 1 ? shared : local;
  out[t] = sum_of(p, 4) + (__isGlobal(p) ? 1 : 0) + (__isShared(p) ? 2 : 0) + (__isLocal(p) ? 4 : 0);
  __syncthreads();
  int* q = t % 2 ? &shared[t % 4] : &local[t % 4];
  atomicAdd(q, 1);
  __syncthreads();
  out[t] += *q;
}
__global__ void vectors(const float4* a, const double2* b, const uchar4* c, const short2* d, const longlong2* e, float3* f, float4* out) {
  const int t = threadIdx.x;
  const float4 v = a[t];
  const double2 w = b[t];
  const uchar4 x = c[t];
  const short2 y = d[t];
  const longlong2 z = __ldg(&e[t]);
  f[t] = make_float3(v.x, v.y + 1, v.z + 2);
  out[t] = make_float4(v.x + v.y * v.z - v.w, static_cast<float>(w.x * w.y), static_cast<float>(x.x + x.y * 2 + x.z * 3 + x.w * 4),
                       static_cast<float>(y.x * y.y) + static_cast<float>(z.x - z.y));
}
__global__ void small_stores(uchar4* a, uchar2* b, ushort4* c, char3* d, float2* e) {  // constants in vectors, neighbours untouched
  const int t = threadIdx.x;
  a[t] = make_uchar4(1, 2, 3, 4);
  b[t] = make_uchar2(5, 6);
  c[t] = make_ushort4(7, 8, 9, 65535);
  d[t] = make_char3(-1, -2, -3);
  e[t] = make_float2(0.5f, -0.5f);
}
#pragma pack(push, 1)
struct Packed { char a; int b; double c; short d; };
#pragma pack(pop)
struct alignas(16) Wide { float v[8]; u64 tag; };
__global__ void copies(const Packed* in, Packed* out, const Wide* wide, Wide* wide_out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  Packed p = in[n - 1 - t];
  p.b += t;
  p.c *= 2;
  out[t] = p;
  Wide w = wide[t];
  w.v[t % 8] = -1;
  wide_out[t] = w;
  memcpy(&wide_out[t].tag, &p.c, 8);
}
struct Parameters { float v[20]; int n; const int* p; char c; double d; };
__global__ void by_value(Parameters p, int i, float* out) { out[threadIdx.x] = p.v[(threadIdx.x + i) % 20] * p.n + p.p[2] + p.c + static_cast<float>(p.d); }
__global__ void constant_parameter(const __grid_constant__ Parameters p, int i, float* out) {
  const float* v = p.v;
  asm volatile("" : "+l"(v));  // the address is really taken
  out[threadIdx.x] = v[(threadIdx.x + i) % 20] + p.n;
}
__global__ void changed_parameter(Parameters p, float* out) {
  for (int i = 0; i < 20; ++i) p.v[(i * 3 + threadIdx.x) % 20] += i;
  out[threadIdx.x] = p.v[threadIdx.x % 20];
}
__global__ void scalars(bool b, char c, short s, long long l, float f, double d, unsigned char u, double* out) { *out = b + c + s + l + f + d + u; }
__global__ void managed_variables(float* row) {
  managed_row[0] += 1;
  row[1] += managed_row[2] * managed_pair.first;
  managed_pair.second *= 2;
}
__global__ void volatile_and_hints(volatile int* v, const float* in, float* out) {
  const int t = threadIdx.x;
  v[t] = t;
  v[t] = v[t] + 1;
  float a, b, c;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(a) : "l"(in + t));
  b = __ldcs(in + t + 1);
  c = __ldlu(in + t);
  __stwt(out + t, a + b + c);
  u64 x, y;
  asm volatile("ld.global.v2.b64 {%0, %1}, [%2];" : "=l"(x), "=l"(y) : "l"(in + 4 * t % 60));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  out[64 + t] = __uint_as_float(static_cast<u32>(x ^ (y >> 32)));
}

int main() {
  EXPECT(shared_with_host == 3 && managed_row[3] == 4 && managed_pair.first == 7);
  managed_row[2] = 10;
  managed_pair.first = 2;
  managed_variables<<<1, 1>>>(managed_row);
  CUDA(cudaDeviceSynchronize());
  EXPECT(managed_row[0] == 2 && managed_row[1] == 22 && managed_row[2] == 10 && managed_pair.second == 1);
  managed_variables<<<1, 1>>>(managed_row + 2);
  CUDA(cudaDeviceSynchronize());
  EXPECT(managed_row[0] == 3 && managed_row[3] == 24 && managed_pair.second == 2);
  const std::vector<float> weights_host{1, 4, 9, 16, 25, 36, 49, 64};
  Buffer<float> weights(weights_host);
  int table_host[4][3];
  std::iota(&table_host[0][0], &table_host[0][0] + 12, 100);
  CUDA(cudaMemcpyToSymbol(table, table_host, sizeof table_host));
#ifdef STARTS_LATER
  void *first_number, *first_letter;
  CUDA(cudaGetSymbolAddress(&first_number, numbers));
  CUDA(cudaGetSymbolAddress(&first_letter, morning));
  const int* third_number = static_cast<int*>(first_number) + 2;
  CUDA(cudaMemcpyToSymbol(middle, &third_number, sizeof third_number));
  CUDA(cudaMemcpyToSymbol(greeting, &first_letter, sizeof first_letter));
#endif
  const Settings s{3, 2.5f, weights.data, "hello"};
  CUDA(cudaMemcpyToSymbol(settings, &s, sizeof s));
  const int new_counter = 42;
  CUDA(cudaMemcpyToSymbol(counter, &new_counter, sizeof new_counter));
  Buffer<double> doubles(8);
  constants<<<1, 8>>>(doubles);
  CUDA(cudaDeviceSynchronize());
  const auto c = doubles.host();
  const int numbers_host[5] = {10, 20, 30, 40, 50}, bytes_host[7] = {1, 2, 3, 255, 254, 0, 9};
  for (int t = 0; t < 8; ++t) {
    double sum = (t % 8 + 1) + 4 + table_host[t % 4][t % 3] + 7.5 + s.name[t % 6] + weights_host[t];
    sum += (t % 3) * 3 + (t / 3) % 3 + 1 + numbers_host[2 + t % 3] + "good morning"[t % 12] + bytes_host[t % 7] - 5 + 42;
    compare("constants", c[t], sum, 0, shown(t).c_str());
  }
  double middle_of_matrix;
  CUDA(cudaMemcpyFromSymbol(&middle_of_matrix, matrix, sizeof(double), 4 * sizeof(double)));
  EXPECT(middle_of_matrix == -1);
  EXPECT(shared_with_host == 13);
  void* address = nullptr;
  CUDA(cudaGetSymbolAddress(&address, numbers));
  int third;
  CUDA(cudaMemcpy(&third, static_cast<int*>(address) + 2, sizeof third, cudaMemcpyDeviceToHost));
  EXPECT(third == 30);

  std::vector<int> order(16);
  for (int i = 0; i < 16; ++i) order[i] = i * 5 % 16;
  Buffer<int> device_order(order), out(64);
  local_arrays<<<1, 64>>>(device_order, out);
  auto got = out.host();
  for (int t = 0; t < 64; ++t) {
    int a[16];
    short b[9];
    char text[5] = "abcd";
    double d[4] = {0.5, 1.5, 2.5, 3.5};
    for (int i = 0; i < 16; ++i) a[order[i]] = i * (t + 1);
    for (int i = 0; i < 9; ++i) b[(i * 4 + t) % 9] = static_cast<short>(i - t);
    text[t % 4] += 2;
    d[order[t % 16] % 4] += t;
    int* p = t % 2 ? &a[t % 16] : &a[15 - t % 16];
    *p += 5;
    compare("local_arrays", got[t], a[order[(t + 3) % 16]] + 100 * b[t % 9] + text[(t + 1) % 4] + static_cast<int>(d[t % 4] * 2) + *p, 0, shown(t).c_str());
  }
  std::vector<int> many(68);
  std::iota(many.begin(), many.end(), 5);
  Buffer<int> global(many);
  generic<<<1, 64>>>(global, out);
  got = out.host();
  for (int t = 0; t < 64; ++t) {
    int want = t % 3 == 0 ? 4 * (t + 5) + 6 + 1 : t % 3 == 1 ? 4006 + 2 : 40 * t + 6 + 4;
    want += t % 2 ? 1000 + t % 4 + 16 : t * 10 + t % 4 + 1;
    compare("generic", got[t], want, 0, shown(t).c_str());
  }
  {
    std::vector<float4> a(32);
    std::vector<double2> b(32);
    std::vector<uchar4> x(32);
    std::vector<short2> d(32);
    std::vector<longlong2> e(32);
    for (int i = 0; i < 32; ++i) {
      a[i] = {i + 0.5f, i * 2.0f, 3.0f - i, i * 0.25f};
      b[i] = {i * 1.5, i - 7.0};
      x[i] = {static_cast<u8>(i), static_cast<u8>(255 - i), static_cast<u8>(i * 9), 7};
      d[i] = {static_cast<short>(i - 16), static_cast<short>(i * 3)};
      e[i] = {i * 10000000000LL, i * 10000000000LL - i};
    }
    Buffer<float4> da(a), dout(32);
    Buffer<double2> db(b);
    Buffer<uchar4> dx(x);
    Buffer<short2> dd(d);
    Buffer<longlong2> de(e);
    Buffer<float3> df(32);
    vectors<<<1, 32>>>(da, db, dx, dd, de, df, dout);
    const auto o = dout.host();
    const auto f = df.host();
    for (int i = 0; i < 32; ++i) {
      EXPECT(o[i].x == std::fma(a[i].y, a[i].z, a[i].x) - a[i].w);
      EXPECT(o[i].y == static_cast<float>(b[i].x * b[i].y));
      EXPECT(o[i].z == static_cast<float>(x[i].x + x[i].y * 2 + x[i].z * 3 + x[i].w * 4));
      EXPECT(o[i].w == static_cast<float>(d[i].x * d[i].y) + static_cast<float>(i));
      EXPECT(f[i].x == a[i].x && f[i].y == a[i].y + 1 && f[i].z == a[i].z + 2);
    }
  }
  {
    Buffer<u8> raw(std::vector<u8>(4096, 0xEE));
    // Five arrays of 5 elements, each followed by untouched bytes.
    u8* base = raw.data;
    small_stores<<<1, 5>>>(reinterpret_cast<uchar4*>(base), reinterpret_cast<uchar2*>(base + 512), reinterpret_cast<ushort4*>(base + 1024),
                           reinterpret_cast<char3*>(base + 1536), reinterpret_cast<float2*>(base + 2048));
    const auto o = raw.host();
    for (int i = 0; i < 5; ++i) {
      EXPECT(o[4 * i] == 1 && o[4 * i + 1] == 2 && o[4 * i + 2] == 3 && o[4 * i + 3] == 4);
      EXPECT(o[512 + 2 * i] == 5 && o[512 + 2 * i + 1] == 6);
      EXPECT(o[1024 + 8 * i] == 7 && o[1024 + 8 * i + 2] == 8 && o[1024 + 8 * i + 7] == 255);
      EXPECT(o[1536 + 3 * i] == 255 && o[1536 + 3 * i + 2] == 253);
    }
    EXPECT(o[20] == 0xEE && o[522] == 0xEE && o[1064] == 0xEE && o[1551] == 0xEE && o[2088] == 0xEE);
  }
  {
    std::vector<Packed> p(10);
    std::vector<Wide> w(10);
    for (int i = 0; i < 10; ++i) {
      p[i] = {static_cast<char>('a' + i), i * 1000, i * 0.5, static_cast<short>(-i)};
      for (int k = 0; k < 8; ++k) w[i].v[k] = static_cast<float>(i * 8 + k);
    }
    // Unaligned members compile into byte accesses.
    Buffer<Packed> dp(p), dq(10);
    Buffer<Wide> dw(w), dv(10);
    copies<<<1, 32>>>(dp, dq, dw, dv, 10);
    const auto q = dq.host();
    const auto v = dv.host();
    for (int i = 0; i < 10; ++i) {
      const Packed& from = p[9 - i];
      double tag;
      std::memcpy(&tag, &v[i].tag, 8);
      EXPECT(q[i].a == from.a && q[i].b == from.b + i && q[i].c == from.c * 2 && q[i].d == from.d && tag == from.c * 2);
      for (int k = 0; k < 8; ++k) EXPECT(v[i].v[k] == (k == i % 8 ? -1.0f : i * 8 + k));
    }
  }
  {
    Parameters p{{}, 3, global.data, 'x', 0.5};
    for (int i = 0; i < 20; ++i) p.v[i] = static_cast<float>(i * i);
    Buffer<float> o(64);
    by_value<<<1, 64>>>(p, 5, o);
    auto f = o.host();
    for (int t = 0; t < 64; ++t) compare("by_value", f[t], p.v[(t + 5) % 20] * 3 + 7 + 'x' + 0.5f, 0, shown(t).c_str());
    constant_parameter<<<1, 64>>>(p, 7, o);
    f = o.host();
    for (int t = 0; t < 64; ++t) compare("constant_parameter", f[t], p.v[(t + 7) % 20] + 3, 0, shown(t).c_str());
    changed_parameter<<<1, 64>>>(p, o);
    f = o.host();
    for (int t = 0; t < 64; ++t) {
      Parameters q = p;
      for (int i = 0; i < 20; ++i) q.v[(i * 3 + t) % 20] += i;
      compare("changed_parameter", f[t], q.v[t % 20], 0, shown(t).c_str());
    }
    scalars<<<1, 1>>>(true, -3, 1000, 1LL << 40, 0.5f, 0.25, 200, doubles);
    EXPECT(doubles.host()[0] == static_cast<float>((1LL << 40) + 998) + 0.5f + 0.25 + 200);
    std::vector<float> in(128);
    std::iota(in.begin(), in.end(), 1.0f);
    Buffer<float> di(in), result(128);
    volatile_and_hints<<<1, 64>>>(out, di, result);
    const auto v = out.host();
    const auto r = result.host();
    for (int t = 0; t < 64; ++t) {
      EXPECT(v[t] == t + 1);
      EXPECT(r[t] == 2 * in[t] + in[t + 1]);
    }
  }
  return finish();
}
