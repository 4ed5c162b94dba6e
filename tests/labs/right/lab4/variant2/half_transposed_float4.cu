// Only the lower half, mirrored; a transpose made first; a warp an element with float4.
// loses: shared structure.uses_shared_memory
// loses: padded structure.uses_shared_memory
// loses: padded structure.bank_conflict_free
// loses: padded structure.coalesced (wide loads of what is read more than once count against it)
#include "contract.cuh"

#include <cstddef>

__global__ void half(const float* a, float* c, int n, int k) {
  const int i = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || j > i) return;
  float sum = 0;
  for (int q = 0; q < k; ++q) sum += a[static_cast<size_t>(i) * k + q] * a[static_cast<size_t>(j) * k + q];
  c[static_cast<size_t>(i) * n + j] = sum;
  c[static_cast<size_t>(j) * n + i] = sum;
}

void aat_global(const float* a, float* c, int n, int k) {
  if (n > 0) half<<<dim3((n - 1) / 16 + 1, (n - 1) / 16 + 1), dim3(16, 16)>>>(a, c, n, k);
}

__global__ void turn(const float* a, float* t, int n, int k) {
  const long long e = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e < static_cast<long long>(n) * k) t[e % k * n + e / k] = a[e];
}

__global__ void product(const float* a, const float* t, float* c, int n, int k) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), i = static_cast<int>(blockIdx.y);
  if (j >= n) return;
  float sum = 0;
  for (int q = 0; q < k; ++q) sum = fmaf(a[static_cast<size_t>(i) * k + q], t[static_cast<size_t>(q) * n + j], sum);
  c[static_cast<size_t>(i) * n + j] = sum;
}

void aat_shared(const float* a, float* c, int n, int k) {
  if (n == 0) return;
  float* t = nullptr;
  if (cudaMalloc(&t, static_cast<size_t>(n) * k * sizeof *t) != cudaSuccess) return;
  turn<<<static_cast<unsigned>((static_cast<long long>(n) * k - 1) / 256 + 1), 256>>>(a, t, n, k);
  product<<<dim3((n - 1) / 128 + 1, n), 128>>>(a, t, c, n, k);
  cudaFree(t);
}

__global__ void warp_an_element(const float* a, float* c, int n, int k) {
  const int lane = static_cast<int>(threadIdx.x), i = static_cast<int>(blockIdx.x) / n, j = static_cast<int>(blockIdx.x) % n;
  const float *left = a + static_cast<size_t>(i) * k, *right = a + static_cast<size_t>(j) * k;
  const int quads = k % 4 == 0 ? k / 4 : 0;
  float sum = 0;
  for (int q = lane; q < quads; q += 32) {
    const float4 l = reinterpret_cast<const float4*>(left)[q], r = reinterpret_cast<const float4*>(right)[q];
    sum += l.x * r.x + l.y * r.y + l.z * r.z + l.w * r.w;
  }
  for (int q = quads * 4 + lane; q < k; q += 32) sum += left[q] * right[q];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (lane == 0) c[static_cast<size_t>(i) * n + j] = sum;
}

void aat_padded(const float* a, float* c, int n, int k) {
  if (n > 0) warp_an_element<<<n * n, 32>>>(a, c, n, k);
}
