// Kernels that launch kernels.
// options: -rdc=true
// nvcc alone: clang has no such launches
#include "silent.cuh"

/// A parent writes, its child reads; the host sees both behind the wait.
namespace child_reads {
__global__ void child(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
__global__ void parent(int* data, int* out) {
  data[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  if (threadIdx.x == 0) child<<<1, 64>>>(data, out);
}
PROGRAM(child_reads) {
  Array<int> data(64), out(64);
  parent<<<1, 64>>>(data, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i)
    if (got[i] != 2 * i + 1) return false;
  return true;
}
}  // namespace child_reads

/// Blocks launch as much as they have work for.
namespace as_much_as_needed {
__global__ void rows(const int* offsets, int row, int* out) {
  const int i = offsets[row] + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < offsets[row + 1]) out[i] = row;
}
__global__ void all(const int* offsets, int* out) {
  const int many = offsets[blockIdx.x + 1] - offsets[blockIdx.x];
  if (threadIdx.x == 0 && many > 0) rows<<<(many + 31) / 32, 32>>>(offsets, blockIdx.x, out);
}
PROGRAM(as_much_as_needed) {
  Array<int> offsets(std::vector<int>{0, 3, 3, 80, 100}), out(100);
  all<<<4, 32>>>(offsets, out);
  const auto got = out.host();
  for (int i = 0; i < 100; ++i)
    if (got[i] != (i < 3 ? 0 : i < 80 ? 2 : 3)) return false;
  return true;
}
}  // namespace as_much_as_needed

/// Halves of an array sort themselves: each launch has its own part.
namespace halves_of_halves {
__global__ void sort(int* x, int low, int high) {
  if (high - low < 8) {
    for (int i = low + 1; i <= high; ++i)
      for (int j = i; j > low && x[j - 1] > x[j]; --j) {
        const int held = x[j];
        x[j] = x[j - 1];
        x[j - 1] = held;
      }
    return;
  }
  const int pivot = x[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (x[i] < pivot) ++i;
    while (x[j] > pivot) --j;
    if (i > j) break;
    const int held = x[i];
    x[i++] = x[j];
    x[j--] = held;
  }
  if (low < j) sort<<<1, 1>>>(x, low, j);
  if (i < high) sort<<<1, 1>>>(x, i, high);
}
PROGRAM(halves_of_halves) {
  auto in = numbers(120, 1000);
  Array<int> x(in);
  sort<<<1, 1>>>(x, 0, 119);
  std::sort(in.begin(), in.end());
  return x.host() == in;
}
}  // namespace halves_of_halves

/// What comes when a grid and all it has launched is done.
namespace at_the_tail {
__global__ void sum(const int* in, int* out, int n) {
  int all = 0;
  for (int i = 0; i < n; ++i) all += in[i];
  *out = all;
}
__global__ void square(int* x) { x[threadIdx.x] *= x[threadIdx.x]; }
__global__ void parent(int* x, int* out) {
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  sum<<<1, 1, 0, cudaStreamTailLaunch>>>(x, out, 32);
  square<<<1, 32>>>(x);
}
PROGRAM(at_the_tail) {
  Array<int> x(32), out(1);
  parent<<<1, 32>>>(x, out);
  return out.host()[0] == 31 * 32 * 63 / 6;
}
}  // namespace at_the_tail
