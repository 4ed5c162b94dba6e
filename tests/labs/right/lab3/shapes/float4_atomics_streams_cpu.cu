// float4 where it is aligned, with cooperative groups; several streams with atomics on the bits; the last step on the CPU.
// loses: shared structure.uses_shared_memory
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
#include <cmath>
#include <cstddef>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void quads(const float* a, float* out, int rows, int cols) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const size_t row = blockIdx.x;
  const float* begin = a + row * cols;
  float v = kStart;
  const bool aligned = cols % 4 == 0;
  const int quads = aligned ? cols / 4 : 0;
  for (int q = static_cast<int>(warp.thread_rank()); q < quads; q += 32) {
    const float4 f = reinterpret_cast<const float4*>(begin)[q];
    v = join(join(v, join(of(f.x), of(f.y))), join(of(f.z), of(f.w)));
  }
  for (int c = quads * 4 + static_cast<int>(warp.thread_rank()); c < cols; c += 32) v = join(v, of(begin[c]));
  for (int d = 16; d > 0; d /= 2) v = join(v, warp.shfl_xor(v, d));
  if (warp.thread_rank() == 0) out[row] = finish(v, cols);
}

ROW(global) {
  if (rows > 0) quads<<<rows, 32>>>(a, out, rows, cols);
}

__global__ void set(float* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = kStart;
}

__device__ void join_into(float* place, float v) {
  int* bits = reinterpret_cast<int*>(place);
  for (int old = *bits;;) {
    const int seen = atomicCAS(bits, old, __float_as_int(join(__int_as_float(old), v)));
    if (seen == old) return;
    old = seen;
  }
}

__global__ void atomics(const float* a, float* out, int rows, int cols) {
  const int row = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x) % 32;
  float v = kStart;
  for (int c = static_cast<int>(threadIdx.x); c < cols; c += 64) v = join(v, of(a[static_cast<size_t>(row) * cols + c]));
  for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffff, v, d));
  if (lane == 0) join_into(out + row, v);
}

__global__ void finish_all(float* out, int count, int cols) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = finish(out[i], cols);
}

ROW(shared) {
  cudaStream_t streams[3];
  for (auto& s : streams) cudaStreamCreate(&s);
  for (int k = 0; k < 3; ++k) {
    const int first = rows / 3 * k, count = k == 2 ? rows - first : rows / 3;
    if (count == 0) continue;
    const float* band = a + static_cast<size_t>(first) * cols;
    set<<<(count - 1) / 128 + 1, 128, 0, streams[k]>>>(out + first, count);
    atomics<<<count, 64, 0, streams[k]>>>(band, out + first, count, cols);
    finish_all<<<(count - 1) / 128 + 1, 128, 0, streams[k]>>>(out + first, count, cols);
  }
  for (auto& s : streams) cudaStreamSynchronize(s), cudaStreamDestroy(s);
}

__global__ void halves(const float* a, float* parts, int rows, int cols) {
  const int row = static_cast<int>(blockIdx.x), part = static_cast<int>(threadIdx.x) / 32;
  float v = kStart;
  for (int c = static_cast<int>(threadIdx.x); c < cols; c += 64) v = join(v, of(a[static_cast<size_t>(row) * cols + c]));
  for (int d = 16; d > 0; d /= 2) v = join(v, __shfl_xor_sync(0xffffffff, v, d));
  if (threadIdx.x % 32 == 0) parts[row * 2 + part] = v;
}

ROW(padded) {
  if (rows == 0) return;
  float* parts = nullptr;
  const size_t bytes = static_cast<size_t>(rows) * 2 * sizeof *parts;
  if (cudaMalloc(&parts, bytes) != cudaSuccess) return;
  halves<<<rows, 64>>>(a, parts, rows, cols);
  std::vector<float> host(static_cast<size_t>(rows) * 2), result(static_cast<size_t>(rows));
  cudaMemcpy(host.data(), parts, bytes, cudaMemcpyDeviceToHost);
  for (size_t r = 0; r < result.size(); ++r) result[r] = finish(join(host[2 * r], host[2 * r + 1]), cols);
  cudaMemcpy(out, result.data(), result.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(parts);
}
