// mma.sync, ldmatrix and movmatrix in PTX: fragments filled by hand as the PTX ISA lays them out.
#include "matrix.cuh"

/// Elements a0, a1, ... of a lane: their row and column as the tables of the PTX ISA give them. g = lane / 4, t = lane % 4.
struct Half16 {  // m16n8k16, 16-bit elements
  static constexpr int m = 16, k = 16, na = 8, nb = 4;
  __device__ static int row_a(int g, int t, int i) { return i < 2 || (i >= 4 && i < 6) ? g : g + 8; }
  __device__ static int column_a(int g, int t, int i) { return i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8; }
  __device__ static int row_b(int g, int t, int i) { return i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8; }
};
struct Half8 {  // m16n8k8, 16-bit elements
  static constexpr int m = 16, k = 8, na = 4, nb = 2;
  __device__ static int row_a(int g, int t, int i) { return i < 2 ? g : g + 8; }
  __device__ static int column_a(int g, int t, int i) { return t * 2 + (i & 1); }
  __device__ static int row_b(int g, int t, int i) { return t * 2 + i; }
};
struct Single4 {  // m16n8k4, tf32
  static constexpr int m = 16, k = 4, na = 2, nb = 1;
  __device__ static int row_a(int g, int t, int i) { return i == 0 ? g : g + 8; }
  __device__ static int column_a(int g, int t, int i) { return t; }
  __device__ static int row_b(int g, int t, int i) { return t; }
};
struct Single8 {  // m16n8k8, tf32
  static constexpr int m = 16, k = 8, na = 4, nb = 2;
  __device__ static int row_a(int g, int t, int i) { return i == 0 || i == 2 ? g : g + 8; }
  __device__ static int column_a(int g, int t, int i) { return i < 2 ? t : t + 4; }
  __device__ static int row_b(int g, int t, int i) { return i == 0 ? t : t + 4; }
};
struct Double4 {  // m8n8k4
  static constexpr int m = 8, k = 4, na = 1, nb = 1;
  __device__ static int row_a(int g, int t, int i) { return g; }
  __device__ static int column_a(int g, int t, int i) { return t; }
  __device__ static int row_b(int g, int t, int i) { return t; }
};
struct Byte16 {  // m16n8k16, 8-bit elements
  static constexpr int m = 16, k = 16, na = 8, nb = 4;
  __device__ static int row_a(int g, int t, int i) { return i < 4 ? g : g + 8; }
  __device__ static int column_a(int g, int t, int i) { return t * 4 + (i & 3); }
  __device__ static int row_b(int g, int t, int i) { return t * 4 + i; }
};
struct Byte32 {  // m16n8k32, 8-bit elements
  static constexpr int m = 16, k = 32, na = 16, nb = 8;
  __device__ static int row_a(int g, int t, int i) { return i < 4 || (i >= 8 && i < 12) ? g : g + 8; }
  __device__ static int column_a(int g, int t, int i) { return i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16; }
  __device__ static int row_b(int g, int t, int i) { return i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16; }
};
struct Byte8 {  // m8n8k16, 8-bit elements
  static constexpr int m = 8, k = 16, na = 4, nb = 4;
  __device__ static int row_a(int g, int t, int i) { return g; }
  __device__ static int column_a(int g, int t, int i) { return t * 4 + i; }
  __device__ static int row_b(int g, int t, int i) { return t * 4 + i; }
};

#define D4 "{%0, %1, %2, %3}"
#define SUMS4 "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define MMA4(name, L, E, C, text, a_text, ...)                                                             \
  struct name {                                                                                            \
    using Layout = L; using Element = E; using Sum = C;                                                    \
    static constexpr const char* label = #name;                                                            \
    __device__ static void run(C* d, const u32* a, const u32* b) {                                         \
      asm("mma.sync.aligned." text " " D4 ", " a_text ", " D4 ";" : __VA_ARGS__);                          \
    }                                                                                                      \
  };
MMA4(F32F16K16, Half16, half, float, "m16n8k16.row.col.f32.f16.f16.f32", "{%4, %5, %6, %7}, {%8, %9}", SUMS4 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
MMA4(F32F16K8, Half8, half, float, "m16n8k8.row.col.f32.f16.f16.f32", "{%4, %5}, {%6}", SUMS4 : "r"(a[0]), "r"(a[1]), "r"(b[0]))
MMA4(F32BF16K16, Half16, bf16, float, "m16n8k16.row.col.f32.bf16.bf16.f32", "{%4, %5, %6, %7}, {%8, %9}", SUMS4 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
MMA4(F32BF16K8, Half8, bf16, float, "m16n8k8.row.col.f32.bf16.bf16.f32", "{%4, %5}, {%6}", SUMS4 : "r"(a[0]), "r"(a[1]), "r"(b[0]))
MMA4(F32TF32K8, Single8, float, float, "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4, %5, %6, %7}, {%8, %9}", SUMS4 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
MMA4(F32TF32K4, Single4, float, float, "m16n8k4.row.col.f32.tf32.tf32.f32", "{%4, %5}, {%6}", SUMS4 : "r"(a[0]), "r"(a[1]), "r"(b[0]))
#define ISUMS "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
MMA4(S32S8K16, Byte16, s8, int, "m16n8k16.row.col.s32.s8.s8.s32", "{%4, %5}, {%6}", ISUMS : "r"(a[0]), "r"(a[1]), "r"(b[0]))
MMA4(S32U8K16, Byte16, u8, int, "m16n8k16.row.col.s32.u8.u8.s32", "{%4, %5}, {%6}", ISUMS : "r"(a[0]), "r"(a[1]), "r"(b[0]))
MMA4(S32S8K32, Byte32, s8, int, "m16n8k32.row.col.s32.s8.s8.s32", "{%4, %5, %6, %7}, {%8, %9}", ISUMS : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
struct S32S8M8 {
  using Layout = Byte8; using Element = s8; using Sum = int;
  static constexpr const char* label = "S32S8M8";
  __device__ static void run(int* d, const u32* a, const u32* b) {
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b[0]));
  }
};
struct F64K4 {
  using Layout = Double4; using Element = double; using Sum = double;
  static constexpr const char* label = "F64K4";
  __device__ static void run(double* d, const double* a, const double* b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a[0]), "d"(b[0]));
  }
};
/// Half sums: two elements a register.
struct F16F16K16 {
  using Layout = Half16; using Element = half; using Sum = half;
  static constexpr const char* label = "F16F16K16";
  __device__ static void run(half* d, const u32* a, const u32* b) {
    u32* const s = reinterpret_cast<u32*>(d);
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" : "+r"(s[0]), "+r"(s[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

/// d = a b + c, all row after row.
template <class P>
__global__ void by_hand(const typename P::Element* a, const typename P::Element* b, const typename P::Sum* c, typename P::Sum* d) {
  using L = typename P::Layout;
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  alignas(16) typename P::Element ra[L::na], rb[L::nb];
  alignas(16) typename P::Sum sums[L::m / 4];
  for (int i = 0; i < L::na; ++i) ra[i] = a[L::row_a(g, t, i) * L::k + L::column_a(g, t, i)];
  for (int i = 0; i < L::nb; ++i) rb[i] = b[L::row_b(g, t, i) * 8 + g];
  for (int i = 0; i < L::m / 4; ++i) sums[i] = c[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)];
  using R = std::conditional_t<std::is_same_v<typename P::Element, double>, double, u32>;
  P::run(sums, reinterpret_cast<const R*>(ra), reinterpret_cast<const R*>(rb));
  for (int i = 0; i < L::m / 4; ++i) d[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = sums[i];
}
template <class P>
void check_mma(double tolerance) {
  using L = typename P::Layout;
  for (const bool exact : {true, false}) {
    if (!exact && tolerance == 0) continue;
    const auto a = exact ? whole_numbers<typename P::Element>(L::m * L::k, 1) : fractions<typename P::Element>(L::m * L::k, 1);
    const auto b = exact ? whole_numbers<typename P::Element>(8 * L::k, 2) : fractions<typename P::Element>(8 * L::k, 2);
    const auto c = exact ? whole_numbers<typename P::Sum>(L::m * 8, 3) : fractions<typename P::Sum>(L::m * 8, 3);
    Buffer<typename P::Element> da(a), db(b);
    Buffer<typename P::Sum> dc(c), dd(c.size());
    by_hand<P><<<1, 32>>>(da.data, db.data, dc.data, dd.data);
    CUDA(cudaGetLastError());
    expect_product(P::label, L::m, 8, L::k, a, {true, L::k}, b, {true, 8}, c, {true, 8}, dd.host(), {true, 8}, exact ? 0 : tolerance);
  }
}

/// Each matrix of x1, x2 and x4, straight and transposed, and movmatrix. tile: 32 rows of 8 numbers, 16 bytes each; the
/// rows lie 48 bytes apart. out: registers 0 to 13 of every lane.
__global__ void rows(const u16* tile, u32* out) {
  __shared__ __align__(16) u16 s[32 * 24];
  for (int i = threadIdx.x; i < 32 * 8; i += 32) s[i / 8 * 24 + i % 8] = tile[i];
  __syncwarp();
  const u32 row = static_cast<u32>(__cvta_generic_to_shared(s + threadIdx.x * 24));
  u32 r[16];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "r"(row));
  // The addresses of lanes that give no row do not matter.
  const u32 first16 = threadIdx.x < 16 ? row + 16 * 48 : 0xFFFFFFFFu, first8 = threadIdx.x < 8 ? row + 8 * 48 : 3u;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(r[8]), "=r"(r[9]) : "r"(first16));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[10]) : "r"(first8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%0, %1}, [%2];" : "=r"(r[11]), "=r"(r[12]) : "l"(s + threadIdx.x % 16 * 24));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[13]) : "r"(r[2]));
  for (int i = 0; i < 14; ++i) out[i * 32 + threadIdx.x] = r[i];
}
void check_rows() {
  std::vector<u16> tile;
  for (int i = 0; i < 256; ++i) tile.push_back(static_cast<u16>(i * 257 + 7));
  Buffer<u16> in(tile);
  Buffer<u32> out(14 * 32);
  rows<<<1, 32>>>(in, out);
  const auto got = out.host();
  const int matrices[14] = {0, 1, 2, 3, 0, 1, 2, 3, 2, 3, 1, 0, 1, 2};
  const bool turned[14] = {false, false, false, false, true, true, true, true, false, false, true, true, true, true};
  for (int i = 0; i < 14; ++i) {
    for (int lane = 0; lane < 32; ++lane) {
      const auto element = [&](int r, int c) -> u32 { return tile[matrices[i] * 64 + (turned[i] ? c * 8 + r : r * 8 + c)]; };
      const u32 want = element(lane / 4, lane % 4 * 2) | element(lane / 4, lane % 4 * 2 + 1) << 16;
      if (got[i * 32 + lane] != want && ++mismatches <= 20) std::printf("register %d of lane %d: %x, not %x\n", i, lane, got[i * 32 + lane], want);
    }
  }
}

/// The way it is used: tiles by ldmatrix, B transposed on the way, a product of 16 x 8 x 16.
__global__ void with_tiles(const half* a, const half* b, float* d) {
  __shared__ __align__(16) half sa[16 * 16], sb[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) sa[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  u32 ra[4], rb[2];
  float sums[4] = {};
  const u32 from_a = static_cast<u32>(__cvta_generic_to_shared(sa + threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8));
  const u32 from_b = static_cast<u32>(__cvta_generic_to_shared(sb + threadIdx.x % 16 * 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(from_a));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(from_b));
  F32F16K16::run(sums, ra, rb);
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  for (int i = 0; i < 4; ++i) d[(i < 2 ? g : g + 8) * 8 + t * 2 + (i & 1)] = sums[i];
}

int main() {
  check_mma<F32F16K16>(2e-7);
  check_mma<F32F16K8>(2e-7);
  check_mma<F32BF16K16>(2e-7);
  check_mma<F32BF16K8>(2e-7);
  check_mma<F32TF32K8>(1e-3);
  check_mma<F32TF32K4>(1e-3);
  check_mma<F16F16K16>(1e-3);
  check_mma<F64K4>(3e-16);
  check_mma<S32S8K16>(0);
  check_mma<S32U8K16>(0);
  check_mma<S32S8K32>(0);
  check_mma<S32S8M8>(0);
  check_rows();
  const auto a = whole_numbers<half>(256, 4), b = whole_numbers<half>(128, 5);
  Buffer<half> da(a), db(b);
  Buffer<float> d(128);
  with_tiles<<<1, 32>>>(da, db, d);
  expect_product("ldmatrix", 16, 8, 16, a, {true, 16}, b, {true, 8}, std::vector<float>(128), {true, 8}, d.host(), {true, 8}, 0);
  return finish();
}
