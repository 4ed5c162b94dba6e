// Structures that functions take by value and that stay calls: clang gives such a parameter a register for a name, and
// where an index chooses the element, its address is computed.
#include <cooperative_groups.h>

#include "check.cuh"

namespace cg = cooperative_groups;

struct Matrix {
  float at[9];
  int rows;
};
struct Vector {
  float x, y, z;
};

__device__ __noinline__ float element(Matrix m, int i, int j) { return m.at[i * 3 + j] + m.rows; }
/// A condition chooses the address.
__device__ __noinline__ float chosen(Matrix a, Matrix b, int i) {
  const Matrix& m = i % 2 == 0 ? a : b;
  return m.at[i] - m.rows;
}
__device__ __noinline__ Vector scaled(Vector v, float by) {
  v.x *= by;
  v.y *= by;
  v.z *= by;
  return v;
}
__device__ __noinline__ float changed(Matrix m, int i) {
  m.at[i] = 50;
  float sum = 0;
  for (int k = 0; k < m.rows * 3; ++k) sum += m.at[(k + i) % 9];
  return sum;
}
__device__ float sum_of(const float* p, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i];
  return sum;
}
__device__ __noinline__ float first(Matrix m, int n) { return sum_of(m.at, n); }

/// As the introductions to cooperative groups have it: the loop with barriers is not inlined.
__device__ int sum_of_group(cg::thread_group group, int* scratch, int value) {
  const int lane = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

__global__ void structures(Matrix m, Matrix other, float* out) {
  const int t = threadIdx.x;
  const Vector v = scaled({1, 2, static_cast<float>(t)}, 2);
  out[t] = element(m, t % 3, 1) + v.x + v.y + v.z + changed(m, t % 9) * 100 + first(m, t % 9) * 10000 +
           chosen(m, other, t % 9) / 8;
}
__global__ void groups(const int* in, int* out) {
  extern __shared__ int scratch[];
  const auto block = cg::this_thread_block();
  const int all = sum_of_group(block, scratch, in[block.thread_rank()]);
  if (block.thread_rank() == 0) out[0] = all;
  const auto tile = cg::tiled_partition<16>(block);
  const int part = sum_of_group(tile, scratch + block.thread_rank() / 16 * 16, in[block.thread_rank()]);
  if (tile.thread_rank() == 0) out[1 + block.thread_rank() / 16] = part;
}

int main() {
  Matrix m{{0, 1, 2, 3, 4, 5, 6, 7, 8}, 3};
  Buffer<float> sums(64);
  const Matrix other{{8, 7, 6, 5, 4, 3, 2, 1, 0}, 1};
  structures<<<1, 64>>>(m, other, sums);
  const auto got = sums.host();
  for (int t = 0; t < 64; ++t) {
    const float prefix = (t % 9) * (t % 9 - 1) / 2;
    const float chosen = t % 9 % 2 == 0 ? t % 9 - 3 : 8 - t % 9 - 1;
    EXPECT(got[t] == t % 3 * 3 + 1 + 3 + 2 + 4 + 2 * t + (36 - t % 9 + 50) * 100 + prefix * 10000 + chosen / 8);
  }
  std::vector<int> values(128);
  for (int i = 0; i < 128; ++i) values[i] = i * i % 37;
  Buffer<int> in(values), out(9);
  groups<<<1, 128, 128 * sizeof(int)>>>(in, out);
  const auto group_sums = out.host();
  int all = 0;
  for (int tile = 0; tile < 8; ++tile) {
    int part = 0;
    for (int i = 0; i < 16; ++i) part += values[tile * 16 + i];
    EXPECT(group_sums[1 + tile] == part);
    all += part;
  }
  EXPECT(group_sums[0] == all);
  return finish();
}
