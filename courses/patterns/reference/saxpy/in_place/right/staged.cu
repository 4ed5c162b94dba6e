// Blocks stage their elements in shared memory. `grid_stride`: each block of the fixed grid takes the next piece that is
// left. `vector`: pairs of float2.
#include "contract.cuh"

constexpr int size = 256;

__global__ void staged(int n, float alpha, const float* x, float* y) {
  __shared__ float scaled[size];
  const int begin = blockIdx.x * size, other = size - 1 - static_cast<int>(threadIdx.x);
  const int i = begin + threadIdx.x;
  if (i < n) scaled[threadIdx.x] = alpha * x[i];
  __syncthreads();
  if (begin + other < n) y[begin + other] += scaled[other];
}

void saxpy_simple(int n, float alpha, const float* x, float* y) {
  if (n > 0) staged<<<(n + size - 1) / size, size>>>(n, alpha, x, y);
}

__global__ void set_zero(int* taken) { *taken = 0; }

__global__ void by_pieces(int n, float alpha, const float* x, float* y, int* taken) {
  constexpr int piece = 2048;
  __shared__ int begin;
  for (;;) {
    if (threadIdx.x == 0) begin = atomicAdd(taken, piece);
    __syncthreads();
    const int mine = begin;
    if (mine >= n) return;
    for (int i = mine + static_cast<int>(threadIdx.x); i < min(mine + piece, n); i += blockDim.x)
      y[i] = y[i] + alpha * x[i];
    __syncthreads();
  }
}

void saxpy_grid_stride(int n, float alpha, const float* x, float* y) {
  int* taken = nullptr;
  cudaMalloc(&taken, sizeof *taken);
  set_zero<<<1, 1>>>(taken);
  by_pieces<<<216, 512>>>(n, alpha, x, y, taken);
  cudaFree(taken);
}

__device__ void change(float alpha, float2 a, float2* b) {
  const float2 old = *b;
  *b = make_float2(old.x + alpha * a.x, old.y + alpha * a.y);
}

__global__ void pairs(int n, float alpha, const float* x, float* y) {
  const int i = blockIdx.x * 2 * blockDim.x + threadIdx.x, step = blockDim.x, whole = n / 2;
  const auto* a = reinterpret_cast<const float2*>(x);
  auto* b = reinterpret_cast<float2*>(y);
  if (i < whole) change(alpha, a[i], b + i);
  if (i + step < whole) change(alpha, a[i + step], b + i + step);
  if (i == 0 && n % 2 == 1) y[n - 1] += alpha * x[n - 1];
}

void saxpy_vector(int n, float alpha, const float* x, float* y) {
  if (n > 0) pairs<<<n / 1024 + 1, 256>>>(n, alpha, x, y);
}
