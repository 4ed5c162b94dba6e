// Dense matrices: transposition, products, factorisations, solvers. Elements are small whole numbers where
// sums are compared exactly.
#include <mma.h>

#include "silent.cuh"

using Matrix = std::vector<float>;

static Matrix product(const Matrix& a, const Matrix& b, int m, int k, int n) {
  Matrix c(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l) c[i * n + j] += a[i * k + l] * b[l * n + j];
  return c;
}
static Matrix transposed(const Matrix& a, int rows, int columns) {
  Matrix out(a.size());
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) out[j * rows + i] = a[i * columns + j];
  return out;
}
/// Symmetric, and its diagonal outweighs the rest.
static Matrix dominant(int n) {
  Matrix a = numbers<float>(n * n, 5);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) a[j * n + i] = a[i * n + j] += i == j ? 6.0f * n : 0;
  return a;
}

namespace transpose_tile {
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
PROGRAM(transpose_tile) {
  const auto a = numbers<float>(37 * 50, 1000);
  Array<float> in(a), out(37 * 50);
  transpose<<<dim3(4, 3), dim3(16, 16)>>>(in, out, 37, 50);
  return out.host() == transposed(a, 37, 50);
}
}  // namespace transpose_tile

/// In place, tiles above the diagonal changed for those below; on it a block has one.
namespace transpose_in_place {
__global__ void transpose(float* a, int n) {
  __shared__ float here[8][9], there[8][9];
  if (blockIdx.x < blockIdx.y) return;
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8, row = blockIdx.y * 8;
  here[y][x] = a[(row + y) * n + column + x];
  there[y][x] = a[(column + y) * n + row + x];
  __syncthreads();
  a[(column + y) * n + row + x] = here[x][y];
  if (column != row) a[(row + y) * n + column + x] = there[x][y];
}
PROGRAM(transpose_in_place) {
  const auto in = numbers<float>(24 * 24, 1000);
  Array<float> a(in);
  transpose<<<dim3(3, 3), dim3(8, 8)>>>(a, 24);
  return a.host() == transposed(in, 24, 24);
}
}  // namespace transpose_in_place

/// Four squares of 8 x 8 in a warp's registers, whose halves, quarters and eighths lanes exchange.
namespace transpose_registers {
__global__ void transpose(const float* in, float* out) {
  const int column = threadIdx.x % 8, square = threadIdx.x / 8 * 64;
  float v[8];
  for (int r = 0; r < 8; ++r) v[r] = in[square + r * 8 + column];
#pragma unroll
  for (int step = 4; step > 0; step /= 2) {
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      if (r & step) continue;
      const bool right = column & step;
      const float got = __shfl_xor_sync(~0u, right ? v[r] : v[r | step], step);
      (right ? v[r] : v[r | step]) = got;
    }
  }
  for (int r = 0; r < 8; ++r) out[square + r * 8 + column] = v[r];
}
PROGRAM(transpose_registers) {
  const auto a = numbers<float>(256, 1000);
  Matrix wanted;
  for (int m = 0; m < 4; ++m) {
    const Matrix one = transposed(Matrix(a.begin() + 64 * m, a.begin() + 64 * m + 64), 8, 8);
    wanted.insert(wanted.end(), one.begin(), one.end());
  }
  Array<float> in(a), out(256);
  transpose<<<1, 32>>>(in, out);
  return out.host() == wanted;
}
}  // namespace transpose_registers

namespace product_tiles {
__global__ void multiply(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float s[16][16], t[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int first = 0; first < k; first += 16) {
    s[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    t[y][x] = column < n && first + y < k ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int l = 0; l < 16; ++l) sum += s[y][l] * t[l][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
PROGRAM(product_tiles) {
  const auto a = numbers<float>(20 * 35, 10), b = numbers<float>(35 * 27, 10, 3);
  Array<float> da(a), db(b), c(20 * 27);
  multiply<<<dim3(2, 2), dim3(16, 16)>>>(da, db, c, 20, 35, 27);
  return c.host() == product(a, b, 20, 35, 27);
}
}  // namespace product_tiles

/// Two tiles by turns: while one is multiplied, the next is loaded; one barrier a step is enough.
namespace product_double_buffer {
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float s[2][8][8], t[2][8][8];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
  float sum = 0;
  s[0][y][x] = a[row * n + x];
  t[0][y][x] = b[y * n + column];
  for (int step = 0; step < n / 8; ++step) {
    const int now = step % 2;
    __syncthreads();
    if (step + 1 < n / 8) {
      s[now ^ 1][y][x] = a[row * n + (step + 1) * 8 + x];
      t[now ^ 1][y][x] = b[((step + 1) * 8 + y) * n + column];
    }
    for (int l = 0; l < 8; ++l) sum += s[now][y][l] * t[now][l][x];
  }
  c[row * n + column] = sum;
}
PROGRAM(product_double_buffer) {
  const auto a = numbers<float>(32 * 32, 10), b = numbers<float>(32 * 32, 10, 3);
  Array<float> da(a), db(b), c(32 * 32);
  multiply<<<dim3(4, 4), dim3(8, 8)>>>(da, db, c, 32);
  return c.host() == product(a, b, 32, 32, 32);
}
}  // namespace product_double_buffer

/// Four by four results a thread in registers.
namespace product_registers {
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float s[8][33], t[8][32];
  const int tid = threadIdx.y * 8 + threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
  float sums[4][4] = {};
  for (int first = 0; first < n; first += 8) {
    for (int i = tid; i < 256; i += 64) {
      s[i % 8][i / 8] = a[(row + i / 8) * n + first + i % 8];
      t[i / 32][i % 32] = b[(first + i / 32) * n + column + i % 32];
    }
    __syncthreads();
    for (int l = 0; l < 8; ++l)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sums[i][j] += s[l][threadIdx.y * 4 + i] * t[l][threadIdx.x + 8 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(row + threadIdx.y * 4 + i) * n + column + threadIdx.x + 8 * j] = sums[i][j];
}
PROGRAM(product_registers) {
  const auto a = numbers<float>(64 * 64, 10), b = numbers<float>(64 * 64, 10, 3);
  Array<float> da(a), db(b), c(64 * 64);
  multiply<<<dim3(2, 2), dim3(8, 8)>>>(da, db, c, 64);
  return c.host() == product(a, b, 64, 64, 64);
}
}  // namespace product_registers

/// Parts of the sum in different blocks, joined by atomics.
namespace product_split {
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int i = threadIdx.y, j = threadIdx.x;
  float sum = 0;
  for (int l = blockIdx.x; l < n; l += gridDim.x) sum += a[i * n + l] * b[l * n + j];
  atomicAdd(&c[i * n + j], sum);
}
PROGRAM(product_split) {
  const auto a = numbers<float>(256, 10), b = numbers<float>(256, 10, 3);
  Array<float> da(a), db(b), c(256);
  multiply<<<3, dim3(16, 16)>>>(da, db, c.zero(), 16);
  return c.host() == product(a, b, 16, 16, 16);
}
}  // namespace product_split

namespace product_tensor_cores {
using namespace nvcuda::wmma;
__global__ void multiply(const half* a, const half* b, float* c) {
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, row_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  for (int k = 0; k < 32; k += 16) {
    load_matrix_sync(fa, a + k, 32);
    load_matrix_sync(fb, b + k * 16, 16);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c, fc, 16, mem_row_major);
}
PROGRAM(product_tensor_cores) {
  const auto a = numbers<float>(16 * 32, 10), b = numbers<float>(32 * 16, 10, 3);
  std::vector<half> ha, hb;
  for (float v : a) ha.push_back(__float2half(v));
  for (float v : b) hb.push_back(__float2half(v));
  Array<half> da(ha), db(hb);
  Array<float> c(256);
  multiply<<<1, 32>>>(da, db, c);
  return c.host() == product(a, b, 16, 32, 16);
}
}  // namespace product_tensor_cores

/// The vector lies in shared memory, as much of it as fits.
namespace times_vector {
__global__ void multiply(const float* a, const float* x, float* y, int rows, int columns) {
  __shared__ float part[32];
  const int row = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < columns; first += 32) {
    const int many = min(32, columns - first);
    if (threadIdx.x < many) part[threadIdx.x] = x[first + threadIdx.x];
    __syncwarp();
    if (row < rows)
      for (int k = 0; k < many; ++k) sum += a[row * columns + first + k] * part[k];
    __syncwarp();
  }
  if (row < rows) y[row] = sum;
}
PROGRAM(times_vector) {
  const auto a = numbers<float>(50 * 70, 10), x = numbers<float>(70, 10, 3);
  Array<float> da(a), dx(x), y(50);
  multiply<<<2, 32>>>(da, dx, y, 50, 70);
  return y.host() == product(a, x, 50, 70, 1);
}
}  // namespace times_vector

/// Only the lower triangle is computed and read; the upper one stays unwritten.
namespace lower_triangle {
__global__ void gram(const float* a, float* c, int n, int k) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j > i) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[i * k + l] * a[j * k + l];
  c[i * n + j] = sum;
}
__global__ void trace_of_square(const float* c, float* out, int n) {
  float sum = 0;
  for (int j = 0; j <= threadIdx.x; ++j) sum += c[threadIdx.x * n + j] * c[threadIdx.x * n + j] * (j < threadIdx.x ? 2 : 1);
  atomicAdd(out, sum);
}
PROGRAM(lower_triangle) {
  const auto a = numbers<float>(20 * 12, 5);
  Array<float> in(a), c(400), out(1);
  gram<<<dim3(3, 3), dim3(8, 8)>>>(in, c, 20, 12);
  trace_of_square<<<1, 20>>>(c, out.zero(), 20);
  float wanted = 0;
  for (float v : product(a, transposed(a, 20, 12), 20, 12, 20)) wanted += v * v;
  return near(out.host(), {wanted}, 1e-6);
}
}  // namespace lower_triangle

/// Gauss's elimination by one block, row after row.
namespace gauss {
__global__ void solve(float* a, float* x, int n) {
  extern __shared__ float s[];  // n rows of n + 1
  const int t = threadIdx.x, width = n + 1;
  for (int i = t; i < n * width; i += blockDim.x) s[i] = a[i];
  __syncthreads();
  for (int pivot = 0; pivot < n; ++pivot) {
    const float own = t < n && t != pivot ? s[t * width + pivot] / s[pivot * width + pivot] : 0;
    __syncthreads();
    if (t < n && t != pivot)
      for (int j = pivot; j < width; ++j) s[t * width + j] -= own * s[pivot * width + j];
    __syncthreads();
  }
  if (t < n) x[t] = s[t * width + n] / s[t * width + t];
}
PROGRAM(gauss) {
  constexpr int n = 20;
  const Matrix a = dominant(n), wanted = numbers<float>(n, 10), b = product(a, wanted, n, n, 1);
  Matrix both;
  for (int i = 0; i < n; ++i) {
    both.insert(both.end(), a.begin() + i * n, a.begin() + i * n + n);
    both.push_back(b[i]);
  }
  Array<float> system(both), x(n);
  solve<<<1, 32, n*(n + 1) * sizeof(float)>>>(system, x, n);
  return near(x.host(), wanted, 1e-3);
}
}  // namespace gauss

/// L and U in place, two launches a column.
namespace lu {
__global__ void divide(float* a, int k, int n) {
  const int i = k + 1 + threadIdx.x;
  if (i < n) a[i * n + k] /= a[k * n + k];
}
__global__ void update(float* a, int k, int n) {
  const int i = k + 1 + threadIdx.y, j = k + 1 + threadIdx.x;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
PROGRAM(lu) {
  constexpr int n = 16;
  const Matrix in = dominant(n);
  Array<float> a(in);
  for (int k = 0; k + 1 < n; ++k) {
    divide<<<1, n>>>(a, k, n);
    update<<<1, dim3(n, n)>>>(a, k, n);
  }
  const Matrix both = a.host();
  Matrix l(n * n), u(n * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) (j < i ? l : u)[i * n + j] = both[i * n + j];
  for (int i = 0; i < n; ++i) l[i * n + i] = 1;
  return near(product(l, u, n, n, n), in, 1e-3);
}
}  // namespace lu

/// Cholesky within a block: columns are made one after the other, all threads on the rest.
namespace cholesky {
__global__ void factor(float* a, int n) {
  __shared__ float s[16][17];
  const int i = threadIdx.y, j = threadIdx.x;
  if (j <= i) s[i][j] = a[i * n + j];
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    if (i == k && j == k) s[k][k] = sqrtf(s[k][k]);
    __syncthreads();
    if (j == k && i > k) s[i][k] /= s[k][k];
    __syncthreads();
    if (j > k && j <= i) s[i][j] -= s[i][k] * s[j][k];
  }
  a[i * n + j] = j <= i ? s[i][j] : 0;
}
PROGRAM(cholesky) {
  constexpr int n = 16;
  const Matrix in = dominant(n);
  Array<float> a(in);
  factor<<<1, dim3(n, n)>>>(a, n);
  const Matrix l = a.host();
  return near(product(l, transposed(l, n, n), n, n, n), in, 1e-3);
}
}  // namespace cholesky

/// Forward substitution by a warp: each unknown is handed to all by a shuffle.
namespace triangular {
__global__ void solve(const float* l, const float* b, float* x) {
  const int lane = threadIdx.x;
  float rest = b[lane], mine = 0;
  for (int k = 0; k < 32; ++k) {
    float known = 0;
    if (lane == k) known = mine = rest / l[k * 32 + k];
    known = __shfl_sync(~0u, known, k);
    if (lane > k) rest -= l[lane * 32 + k] * known;
  }
  x[lane] = mine;
}
PROGRAM(triangular) {
  Matrix l = dominant(32);
  for (int i = 0; i < 32; ++i)
    for (int j = i + 1; j < 32; ++j) l[i * 32 + j] = 0;
  const auto wanted = numbers<float>(32, 10);
  Array<float> a(l), b(product(l, wanted, 32, 32, 1)), x(32);
  solve<<<1, 32>>>(a, b, x);
  return near(x.host(), wanted, 1e-3);
}
}  // namespace triangular

/// Jacobi's iteration; the host looks at the change and changes the buffers over.
namespace jacobi {
__global__ void step(const float* a, const float* b, const float* x, float* next, float* change, int n) {
  const int i = threadIdx.x;
  float sum = b[i];
  for (int j = 0; j < n; ++j)
    if (j != i) sum -= a[i * n + j] * x[j];
  next[i] = sum / a[i * n + i];
  atomicMax(reinterpret_cast<int*>(change), __float_as_int(fabsf(next[i] - x[i])));
}
PROGRAM(jacobi) {
  constexpr int n = 24;
  const Matrix a = dominant(n), wanted = numbers<float>(n, 10);
  Array<float> da(a), b(product(a, wanted, n, n, 1)), x(n), y(n), change(1);
  float *from = x.zero(), *to = y, moved = 1;
  for (int round = 0; round < 100 && moved > 1e-5f; ++round, std::swap(from, to)) {
    step<<<1, n>>>(da, b, from, to, change.zero(), n);
    moved = change.host()[0];
  }
  Matrix got(n);
  CUDA(cudaMemcpy(got.data(), from, n * sizeof(float), cudaMemcpyDeviceToHost));
  return near(got, wanted, 1e-3);
}
}  // namespace jacobi

/// Power iteration: product, norm and division in one block.
namespace power_iteration {
__global__ void iterate(const float* a, float* value, int rounds) {
  __shared__ float x[32], squares;
  const int i = threadIdx.x;
  x[i] = 1;
  for (int round = 0; round < rounds; ++round) {
    if (i == 0) squares = 0;
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 32; ++j) sum += a[i * 32 + j] * x[j];
    atomicAdd(&squares, sum * sum);
    __syncthreads();
    x[i] = sum * rsqrtf(squares);
    if (i == 0) *value = sqrtf(squares);
    __syncthreads();
  }
}
PROGRAM(power_iteration) {
  Matrix a(1024);
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) a[i * 32 + j] = i == j ? 3.0f : 1.0f;  // its largest eigenvalue: 34
  Array<float> in(a), value(1);
  iterate<<<1, 32>>>(in, value, 20);
  return near(value.host(), {34}, 1e-4);
}
}  // namespace power_iteration

/// Many small matrices, one a thread, through its local memory.
namespace small_inverses {
__global__ void invert(const float* in, float* out, int count) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  float a[3][3];
  for (int k = 0; k < 9; ++k) a[k / 3][k % 3] = in[m * 9 + k];
  float determinant = 0;
  for (int j = 0; j < 3; ++j)
    determinant += a[0][j] * (a[1][(j + 1) % 3] * a[2][(j + 2) % 3] - a[1][(j + 2) % 3] * a[2][(j + 1) % 3]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[m * 9 + j * 3 + i] =
          (a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] - a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3]) /
          determinant;
}
PROGRAM(small_inverses) {
  Matrix in;
  for (int m = 0; m < 40; ++m) {
    Matrix one = numbers<float>(9, 4, m + 1);
    for (int i = 0; i < 3; ++i) one[i * 4] += 12;
    in.insert(in.end(), one.begin(), one.end());
  }
  Array<float> a(in), out(360);
  invert<<<2, 32>>>(a, out, 40);
  const Matrix got = out.host();
  for (int m = 0; m < 40; ++m) {
    const Matrix one(in.begin() + 9 * m, in.begin() + 9 * m + 9), inverse(got.begin() + 9 * m, got.begin() + 9 * m + 9);
    if (!near(product(one, inverse, 3, 3, 3), {1, 0, 0, 0, 1, 0, 0, 0, 1}, 1e-4)) return false;
  }
  return true;
}
}  // namespace small_inverses
