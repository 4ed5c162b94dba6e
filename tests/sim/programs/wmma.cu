// nvcuda::wmma: every shape and type, rows or columns first, from global and shared memory, element-wise use.
#include <mma.h>

#include "matrix.cuh"

using namespace nvcuda;
using tf32 = wmma::precision::tf32;

/// d = 2 (a b + c): the factor is applied to the fragment's elements. In shared memory rows are padded.
template <class E, class S, class C, int M, int N, int K, class LA, class LB>
__global__ void product(const S* a, int lda, const S* b, int ldb, const C* c, C* d, int ldc, wmma::layout_t order, bool shared) {
  __shared__ __align__(32) S sa[40 * 40], sb[40 * 40];
  __shared__ __align__(32) C sc[40 * 40];
  wmma::fragment<wmma::matrix_a, M, N, K, E, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, E, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  if (shared) {
    for (int i = threadIdx.x; i < 40 * 40; i += 32) sa[i] = a[i], sb[i] = b[i], sc[i] = c[i];
    __syncwarp();
    wmma::load_matrix_sync(fa, sa, lda);
    wmma::load_matrix_sync(fb, sb, ldb);
    wmma::load_matrix_sync(fc, sc, ldc, order);
  } else {
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, ldc, order);
  }
  if constexpr (std::is_same_v<E, tf32>) {
    for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
    for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  }
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] + fc.x[i];
  if (shared) {
    wmma::store_matrix_sync(sc, fc, ldc, order);
    __syncwarp();
    for (int i = threadIdx.x; i < 40 * 40; i += 32) d[i] = sc[i];
  } else {
    wmma::store_matrix_sync(d, fc, ldc, order);
  }
}

template <class E, class S, class C, int M, int N, int K, class LA, class LB>
void check_layout(const char* name, bool rows_a, bool rows_b, double tolerance) {
  const bool exact = tolerance == 0;
  const auto a = exact ? whole_numbers<S>(1600, 1) : fractions<S>(1600, 1);
  const auto b = exact ? whole_numbers<S>(1600, 2) : fractions<S>(1600, 2);
  const auto c = exact ? whole_numbers<C>(1600, 3) : fractions<C>(1600, 3);
  Buffer<S> da(a), db(b);
  Buffer<C> dc(c), dd(1600);
  for (const bool rows_c : {true, false}) {
    for (const bool shared : {true, false}) {
      const int stride = 16 / sizeof(S) > 8 ? 32 : 40;  // a multiple of 16 bytes
      product<E, S, C, M, N, K, LA, LB><<<1, 32>>>(da, stride, db, stride, dc, dd, 40, rows_c ? wmma::mem_row_major : wmma::mem_col_major, shared);
      CUDA(cudaGetLastError());
      auto d = dd.host();
      const Order order{rows_c, 40};
      for (int i = 0; i < M; ++i) {
        for (int j = 0; j < N; ++j) d[order.at(i, j)] = make<C>(number(d[order.at(i, j)]) / 2);
      }
      expect_product(name, M, N, K, a, {rows_a, stride}, b, {rows_b, stride}, c, order, d, order, tolerance);
    }
  }
}
template <class E, class S, class C, int M, int N, int K>
void check_shape(const char* name, double tolerance = 0) {
  using R = wmma::row_major;
  using L = wmma::col_major;
  check_layout<E, S, C, M, N, K, R, R>(name, true, true, tolerance);
  check_layout<E, S, C, M, N, K, R, L>(name, true, false, tolerance);
  check_layout<E, S, C, M, N, K, L, R>(name, false, true, tolerance);
  check_layout<E, S, C, M, N, K, L, L>(name, false, false, tolerance);
}

template <int M, int N>
void check_16(const char* name) {
  check_shape<half, half, float, M, N, 16>(name);
  check_shape<half, half, half, M, N, 16>(name);
  check_shape<bf16, bf16, float, M, N, 16>(name);
  check_shape<signed char, signed char, int, M, N, 16>(name);
  check_shape<unsigned char, unsigned char, int, M, N, 16>(name);
}

/// The tiled product of the programming guide's kind: a warp for each 16 x 16 tile of a 64 x 64 product.
__global__ void tiles(const half* a, const half* b, float* c, int n) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, row = warp / (n / 16) * 16, column = warp % (n / 16) * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + column, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/// Elements of fragments of A and B may be changed too.
__global__ void scaled(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(fc, 0.0f);
  for (int i = 0; i < fa.num_elements; ++i) fa.x[i] = __hmul(fa.x[i], __float2half(2.0f));
  for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = __hneg(fb.x[i]);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

/// Sums beyond 32 bits wrap, or stay at the end of the range.
__global__ void saturated(const signed char* a, int* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc, fd;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::fill_fragment(fc, 2147483647);
  wmma::mma_sync(fd, fa, fb, fc, false);
  wmma::store_matrix_sync(out, fd, 16, wmma::mem_row_major);
  wmma::mma_sync(fd, fa, fb, fc, true);
  wmma::store_matrix_sync(out + 256, fd, 16, wmma::mem_row_major);
}

int main() {
  check_16<16, 16>("16x16x16");
  check_16<32, 8>("32x8x16");
  check_16<8, 32>("8x32x16");
  check_shape<tf32, float, float, 16, 16, 8>("16x16x8 tf32");
  check_shape<double, double, double, 8, 8, 4>("8x8x4 double");
  check_shape<half, half, float, 16, 16, 16>("fractions, half", 2e-7);
  check_shape<half, half, half, 16, 16, 16>("fractions, half sums", 1e-3);
  check_shape<bf16, bf16, float, 8, 32, 16>("fractions, bf16", 2e-7);
  check_shape<tf32, float, float, 16, 16, 8>("fractions, tf32", 1e-3);
  check_shape<double, double, double, 8, 8, 4>("fractions, double", 2e-16);
  {
    const auto a = fractions<half>(64 * 64, 5), b = fractions<half>(64 * 64, 6);
    Buffer<half> da(a), db(b);
    Buffer<float> dc(64 * 64);
    tiles<<<4, 128>>>(da, db, dc, 64);
    const std::vector<float> zero(64 * 64);
    expect_product("tiles", 64, 64, 64, a, {true, 64}, b, {true, 64}, zero, {true, 64}, dc.host(), {true, 64}, 1e-6);
  }
  {
    auto a = whole_numbers<half>(256, 7);
    const auto b = whole_numbers<half>(256, 8);
    Buffer<half> da(a), db(b);
    Buffer<float> dc(256);
    scaled<<<1, 32>>>(da, db, dc);
    for (half& v : a) v = make<half>(-2 * number(v));
    expect_product("scaled", 16, 16, 16, a, {true, 16}, b, {false, 16}, std::vector<float>(256), {true, 16}, dc.host(), {true, 16}, 0);
  }
  {
    const std::vector<signed char> ones(256, 1);
    Buffer<signed char> da(ones);
    Buffer<int> out(512);
    saturated<<<1, 32>>>(da, out);
    const auto got = out.host();
    EXPECT(got[0] == static_cast<int>(2147483647u + 16) && got[255] == got[0]);
    EXPECT(got[256] == 2147483647 && got[511] == 2147483647);
  }
  return finish();
}
