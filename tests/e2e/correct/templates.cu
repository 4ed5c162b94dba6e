// The block size is a template parameter, and the operation a functor.
#include "good.cuh"

struct Max {
  __device__ float operator()(float x, float y) const { return x > y ? x : y; }
};
template <int Threads, class Operation>
__global__ void reduce_rows(const float* a, float* out, int cols, float start, Operation operation) {
  __shared__ float partial[Threads];
  float best = start;
  for (int col = threadIdx.x; col < cols; col += Threads) best = operation(best, a[static_cast<size_t>(blockIdx.x) * cols + col]);
  partial[threadIdx.x] = best;
  __syncthreads();
#pragma unroll
  for (int step = Threads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] = operation(partial[threadIdx.x], partial[threadIdx.x + step]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
template <int Threads>
void run(const float* a, float* out, int rows, int cols) {
  reduce_rows<Threads><<<rows, Threads>>>(a, out, cols, -INFINITY, Max{});
}
ENTRY(shared) {
  if (rows == 0) return;
  if (cols >= 256) run<256>(a, out, rows, cols);
  else if (cols >= 64) run<64>(a, out, rows, cols);
  else run<32>(a, out, rows, cols);
}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
