// Sparse matrices in their formats, and what is computed with them.
#include "silent.cuh"

struct Csr {
  int rows, columns;
  std::vector<int> offsets, columns_of;
  std::vector<float> values;
};

/// Rows of very different length, one of them empty.
static Csr sparse(int rows, int columns) {
  Csr m{rows, columns, {0}, {}, {}};
  unsigned seed = 3;
  for (int r = 0; r < rows; ++r) {
    const int skip = r % 7 == 3 ? columns : 1 + r % 9;
    for (int c = r % 5; c < columns; c += skip) {
      seed = seed * 1664525u + 1013904223u;
      m.columns_of.push_back(c);
      m.values.push_back(1 + (seed >> 20) % 9);
    }
    if (r % 7 == 3) m.columns_of.resize(m.offsets.back()), m.values.resize(m.offsets.back());
    m.offsets.push_back(m.values.size());
  }
  return m;
}
static const Csr kMatrix = sparse(60, 50);
static const std::vector<float> kVector = numbers<float>(50, 10);
static std::vector<float> times(const Csr& m, const std::vector<float>& x) {
  std::vector<float> y(m.rows);
  for (int r = 0; r < m.rows; ++r)
    for (int e = m.offsets[r]; e < m.offsets[r + 1]; ++e) y[r] += m.values[e] * x[m.columns_of[e]];
  return y;
}

namespace csr_by_thread {
__global__ void multiply(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int e = offsets[r]; e < offsets[r + 1]; ++e) sum += values[e] * x[columns[e]];
  y[r] = sum;
}
PROGRAM(csr_by_thread) {
  Array<int> offsets(kMatrix.offsets), columns(kMatrix.columns_of);
  Array<float> values(kMatrix.values), x(kVector), y(60);
  multiply<<<2, 32>>>(offsets, columns, values, x, y, 60);
  return y.host() == times(kMatrix, kVector);
}
}  // namespace csr_by_thread

/// Eight lanes a row; rows end at different times, so the mask of a sum is that of its lanes alone.
namespace csr_by_lanes {
__global__ void multiply(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, r = thread / 8, lane = thread % 8;
  if (r >= rows) return;
  const unsigned mask = 0xffu << threadIdx.x % 32 / 8 * 8;
  float sum = 0;
  for (int e = offsets[r] + lane; e < offsets[r + 1]; e += 8) sum += values[e] * x[columns[e]];
  for (int step = 4; step > 0; step /= 2) sum += __shfl_down_sync(mask, sum, step, 8);
  if (lane == 0) y[r] = sum;
}
PROGRAM(csr_by_lanes) {
  Array<int> offsets(kMatrix.offsets), columns(kMatrix.columns_of);
  Array<float> values(kMatrix.values), x(kVector), y(60);
  multiply<<<4, 128>>>(offsets, columns, values, x, y, 60);
  return y.host() == times(kMatrix, kVector);
}
}  // namespace csr_by_lanes

/// Columns of equal length; a row's rest is marked by -1, and the values there are never written.
namespace ell {
__global__ void build(const int* offsets, const int* columns, const float* values, int* ell_columns, float* ell_values,
                      int rows, int width) {
  const int r = threadIdx.x;
  if (r >= rows) return;
  const int first = offsets[r], many = offsets[r + 1] - first;
  for (int k = 0; k < width; ++k) {
    ell_columns[k * rows + r] = k < many ? columns[first + k] : -1;
    if (k < many) ell_values[k * rows + r] = values[first + k];
  }
}
__global__ void multiply(const int* columns, const float* values, const float* x, float* y, int rows, int width) {
  const int r = threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const int c = columns[k * rows + r];
    if (c >= 0) sum += values[k * rows + r] * x[c];
  }
  y[r] = sum;
}
PROGRAM(ell) {
  Array<int> offsets(kMatrix.offsets), columns(kMatrix.columns_of), ell_columns(50 * 60);
  Array<float> values(kMatrix.values), ell_values(50 * 60), x(kVector), y(60);
  build<<<1, 64>>>(offsets, columns, values, ell_columns, ell_values, 60, 50);
  multiply<<<1, 64>>>(ell_columns, ell_values, x, y, 60, 50);
  return y.host() == times(kMatrix, kVector);
}
}  // namespace ell

/// Triples in any order: a thread finds its row by search, and adds by atomics.
namespace coo {
__global__ void multiply(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows,
                         int entries) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= entries) return;
  int low = 0, high = rows;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (offsets[middle] <= e ? low : high) = middle;
  }
  atomicAdd(&y[low], values[e] * x[columns[e]]);
}
PROGRAM(coo) {
  Array<int> offsets(kMatrix.offsets), columns(kMatrix.columns_of);
  Array<float> values(kMatrix.values), x(kVector), y(60);
  const int entries = kMatrix.values.size();
  multiply<<<blocks_for(entries, 128), 128>>>(offsets, columns, values, x, y.zero(), 60, entries);
  return y.host() == times(kMatrix, kVector);
}
}  // namespace coo

/// Sorted triples: a warp adds up what is of one row by a segmented scan, the last lane of a row writes on.
namespace coo_by_warps {
__global__ void multiply(const int* rows, const int* columns, const float* values, const float* x, float* y, int entries) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const int row = e < entries ? rows[e] : -1;
  float sum = e < entries ? values[e] * x[columns[e]] : 0;
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(~0u, row, step);
    const float more = __shfl_up_sync(~0u, sum, step);
    if (lane >= step && other == row) sum += more;
  }
  const int next = __shfl_down_sync(~0u, row, 1);
  if (row >= 0 && (lane == 31 || next != row)) atomicAdd(&y[row], sum);
}
PROGRAM(coo_by_warps) {
  std::vector<int> row_of;
  for (int r = 0; r < 60; ++r) row_of.resize(kMatrix.offsets[r + 1], r);
  Array<int> rows(row_of), columns(kMatrix.columns_of);
  Array<float> values(kMatrix.values), x(kVector), y(60);
  const int entries = kMatrix.values.size();
  multiply<<<blocks_for(entries, 128), 128>>>(rows, columns, values, x, y.zero(), entries);
  return y.host() == times(kMatrix, kVector);
}
}  // namespace coo_by_warps

/// Diagonals; what sticks out of the matrix is not there.
namespace diagonals {
__constant__ int offsets[3];
__global__ void multiply(const float* bands, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int d = 0; d < 3; ++d) {
    const int j = i + offsets[d];
    if (j >= 0 && j < n) sum += bands[d * n + i] * x[j];
  }
  y[i] = sum;
}
PROGRAM(diagonals) {
  const int where[] = {-2, 0, 5};
  const auto bands = numbers<float>(300, 9), x = numbers<float>(100, 9, 4);
  std::vector<float> wanted(100);
  for (int i = 0; i < 100; ++i)
    for (int d = 0; d < 3; ++d)
      if (i + where[d] >= 0 && i + where[d] < 100) wanted[i] += bands[d * 100 + i] * x[i + where[d]];
  CUDA(cudaMemcpyToSymbol(offsets, where, sizeof where));
  Array<float> b(bands), dx(x), y(100);
  multiply<<<4, 32>>>(b, dx, y, 100);
  return y.host() == wanted;
}
}  // namespace diagonals

/// The transposed matrix: counts, offsets, and places by atomics, so a column's entries come in any order.
namespace transposed {
__global__ void count(const int* columns, int* counts, int entries) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < entries) atomicAdd(&counts[columns[e] + 1], 1);
}
__global__ void offsets_of(int* counts, int* next, int n) {
  for (int c = 0; c < n; ++c) {
    counts[c + 1] += counts[c];
    next[c] = counts[c];
  }
}
__global__ void place(const int* offsets, const int* columns, const float* values, int* next, int* rows_of, float* out) {
  const int r = blockIdx.x;
  for (int e = offsets[r] + threadIdx.x; e < offsets[r + 1]; e += blockDim.x) {
    const int at = atomicAdd(&next[columns[e]], 1);
    rows_of[at] = r;
    out[at] = values[e];
  }
}
PROGRAM(transposed) {
  const int entries = kMatrix.values.size();
  Array<int> offsets(kMatrix.offsets), columns(kMatrix.columns_of), counts(51), next(50), rows_of(entries);
  Array<float> values(kMatrix.values), out(entries);
  count<<<blocks_for(entries, 64), 64>>>(columns, counts.zero(), entries);
  offsets_of<<<1, 1>>>(counts, next, 50);
  place<<<60, 32>>>(offsets, columns, values, next, rows_of, out);
  const auto x = numbers<float>(60, 9, 8);
  const Csr got{50, 60, counts.host(), rows_of.host(), out.host()};
  std::vector<float> wanted(50);
  for (int r = 0; r < 60; ++r)
    for (int e = kMatrix.offsets[r]; e < kMatrix.offsets[r + 1]; ++e) wanted[kMatrix.columns_of[e]] += kMatrix.values[e] * x[r];
  return times(got, x) == wanted;
}
}  // namespace transposed

/// A dense matrix becomes a sparse one: lengths, a scan, entries in order.
namespace from_dense {
__global__ void lengths(const float* a, int* offsets, int columns) {
  int many = 0;
  for (int c = 0; c < columns; ++c) many += a[threadIdx.x * columns + c] != 0;
  __shared__ int s[32];
  s[threadIdx.x] = many;
  __syncwarp();
  int sum = 0;
  for (int r = 0; r <= threadIdx.x; ++r) sum += s[r];
  offsets[threadIdx.x + 1] = sum;
  if (threadIdx.x == 0) offsets[0] = 0;
}
__global__ void entries(const float* a, const int* offsets, int* columns_of, float* values, int columns) {
  const int row = blockIdx.x, lane = threadIdx.x;
  int at = offsets[row];
  for (int first = 0; first < columns; first += 32) {
    const int c = first + lane;
    const float v = c < columns ? a[row * columns + c] : 0;
    const unsigned there = __ballot_sync(~0u, v != 0);
    if (v != 0) {
      const int to = at + __popc(there & ((1u << lane) - 1));
      columns_of[to] = c;
      values[to] = v;
    }
    at += __popc(there);
  }
}
PROGRAM(from_dense) {
  auto a = numbers<float>(32 * 45, 4);
  Array<float> in(a), values(32 * 45);
  Array<int> offsets(33), columns_of(32 * 45);
  lengths<<<1, 32>>>(in, offsets, 45);
  entries<<<32, 32>>>(in, offsets, columns_of, values, 45);
  const auto o = offsets.host(), c = columns_of.host(o[32]);
  const auto v = values.host(o[32]);
  for (int r = 0; r < 32; ++r)
    for (int e = o[r]; e < o[r + 1]; ++e) a[r * 45 + c[e]] -= v[e];
  return a == std::vector<float>(32 * 45);
}
}  // namespace from_dense

/// Conjugate gradients by one block: dots, updates and a product a round.
namespace conjugate_gradients {
__device__ float dot(const float* a, const float* b, int n, float* partial) {
  const int t = threadIdx.x;
  __syncthreads();
  partial[t] = t < n ? a[t] * b[t] : 0;
  for (int half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) partial[t] += partial[t + half];
  }
  __syncthreads();
  return partial[0];
}
__global__ void solve(const float* b, float* out, int n) {
  __shared__ float x[64], r[64], p[64], q[64], partial[64];
  const int t = threadIdx.x;
  if (t < n) {
    x[t] = 0;
    p[t] = r[t] = b[t];
  }
  float rr = dot(r, r, n, partial);
  for (int round = 0; round < 2 * n && rr > 1e-8f; ++round) {
    if (t < n) q[t] = 4 * p[t] - (t > 0 ? p[t - 1] : 0) - (t + 1 < n ? p[t + 1] : 0);
    const float alpha = rr / dot(p, q, n, partial);
    if (t < n) {
      x[t] += alpha * p[t];
      r[t] -= alpha * q[t];
    }
    const float next = dot(r, r, n, partial);
    if (t < n) p[t] = r[t] + next / rr * p[t];
    rr = next;
    __syncthreads();
  }
  if (t < n) out[t] = x[t];
}
PROGRAM(conjugate_gradients) {
  const auto wanted = numbers<float>(50, 10);
  std::vector<float> b(50);
  for (int i = 0; i < 50; ++i) b[i] = 4 * wanted[i] - (i > 0 ? wanted[i - 1] : 0) - (i < 49 ? wanted[i + 1] : 0);
  Array<float> in(b), x(50);
  solve<<<1, 64>>>(in, x, 50);
  return near(x.host(), wanted, 1e-3);
}
}  // namespace conjugate_gradients

/// Blocks of 4 x 4, a block of threads each; only blocks that are there are stored.
namespace blocked {
__global__ void multiply(const int* offsets, const int* columns, const float* values, const float* x, float* y) {
  __shared__ float s[4][5];
  const int i = threadIdx.y, j = threadIdx.x;
  float sum = 0;
  for (int e = offsets[blockIdx.x]; e < offsets[blockIdx.x + 1]; ++e)
    sum += values[e * 16 + i * 4 + j] * x[columns[e] * 4 + j];
  s[i][j] = sum;
  __syncwarp(0xffff);
  if (j == 0) y[blockIdx.x * 4 + i] = s[i][0] + s[i][1] + s[i][2] + s[i][3];
}
PROGRAM(blocked) {
  const std::vector<int> offsets{0, 2, 2, 5}, columns{0, 3, 1, 2, 3};
  const auto values = numbers<float>(5 * 16, 9), x = numbers<float>(16, 9, 4);
  std::vector<float> wanted(12);
  for (int b = 0; b < 3; ++b)
    for (int e = offsets[b]; e < offsets[b + 1]; ++e)
      for (int k = 0; k < 16; ++k) wanted[b * 4 + k / 4] += values[e * 16 + k] * x[columns[e] * 4 + k % 4];
  Array<int> o(offsets), c(columns);
  Array<float> v(values), dx(x), y(12);
  multiply<<<3, dim3(4, 4)>>>(o, c, v, dx, y);
  return y.host() == wanted;
}
}  // namespace blocked

/// Sparse by dense: rows of the result in parallel along the columns.
namespace by_dense {
__global__ void multiply(const int* offsets, const int* columns, const float* values, const float* b, float* c, int n) {
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    float sum = 0;
    for (int e = offsets[blockIdx.x]; e < offsets[blockIdx.x + 1]; ++e) sum += values[e] * __ldg(&b[columns[e] * n + j]);
    c[blockIdx.x * n + j] = sum;
  }
}
PROGRAM(by_dense) {
  const auto b = numbers<float>(50 * 20, 9);
  std::vector<float> wanted(60 * 20);
  for (int r = 0; r < 60; ++r)
    for (int e = kMatrix.offsets[r]; e < kMatrix.offsets[r + 1]; ++e)
      for (int j = 0; j < 20; ++j) wanted[r * 20 + j] += kMatrix.values[e] * b[kMatrix.columns_of[e] * 20 + j];
  Array<int> offsets(kMatrix.offsets), columns(kMatrix.columns_of);
  Array<float> values(kMatrix.values), db(b), c(60 * 20);
  multiply<<<60, 16>>>(offsets, columns, values, db, c, 20);
  return c.host() == wanted;
}
}  // namespace by_dense

/// A triangular system by rows that wait for the unknowns they need: each in a warp of its own block.
namespace waits_for_unknowns {
__global__ void solve(const int* offsets, const int* columns, const float* values, const float* b, float* x,
                      volatile int* ready) {
  const int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int e = offsets[row] + lane; e < offsets[row + 1] - 1; e += 32) {
    while (ready[columns[e]] == 0) {
    }
    __threadfence();
    sum += values[e] * x[columns[e]];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane != 0) return;
  x[row] = (b[row] - sum) / values[offsets[row + 1] - 1];
  __threadfence();
  ready[row] = 1;
}
PROGRAM(waits_for_unknowns) {
  Csr l{40, 40, {0}, {}, {}};
  for (int r = 0; r < 40; ++r) {
    for (int c = r % 3; c < r; c += 3 + r % 4) l.columns_of.push_back(c), l.values.push_back(1);
    l.columns_of.push_back(r), l.values.push_back(2);
    l.offsets.push_back(l.values.size());
  }
  const auto wanted = numbers<float>(40, 10);
  Array<int> offsets(l.offsets), columns(l.columns_of), ready(40);
  Array<float> values(l.values), b(times(l, wanted)), x(40);
  solve<<<40, 32>>>(offsets, columns, values, b, x, ready.zero());
  return near(x.host(), wanted, 1e-4);
}
}  // namespace waits_for_unknowns
