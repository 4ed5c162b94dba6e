// The seven kernels of a lecture on reductions, over doubles: the 512 threads of a block make a partial sum.
// Arguments: the number of elements (a multiple of 4 Mi for the lecture's grids).

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr unsigned kThreads = 512;

__device__ double element(const double* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0; }

/// As the lectures had it: no barrier is needed, as long as the threads of a warp go in step.
__device__ void add_last_warp(volatile double* data, unsigned tid) {
  data[tid] += data[tid + 32];
  data[tid] += data[tid + 16];
  data[tid] += data[tid + 8];
  data[tid] += data[tid + 4];
  data[tid] += data[tid + 2];
  data[tid] += data[tid + 1];
}

__device__ void add_neighbours(const double* in, double* out, unsigned n) {
  __shared__ double data[kThreads];
  const unsigned tid = threadIdx.x;
  data[tid] = element(in, blockIdx.x * blockDim.x + tid, n);
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void kernel01(const double* in, double* out, unsigned n) { add_neighbours(in, out, n); }
__global__ void kernel02(const double* in, double* out, unsigned n) { add_neighbours(in, out, n); }

__global__ void kernel03(const double* in, double* out, unsigned n) {
  __shared__ double data[kThreads];
  const unsigned tid = threadIdx.x;
  data[tid] = element(in, blockIdx.x * blockDim.x + tid, n);
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned at = 2 * s * tid;
    if (at < blockDim.x) data[at] += data[at + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void kernel04(const double* in, double* out, unsigned n) {
  __shared__ double data[kThreads];
  const unsigned tid = threadIdx.x;
  data[tid] = element(in, blockIdx.x * blockDim.x + tid, n);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void kernel05(const double* in, double* out, unsigned n) {
  __shared__ double data[kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  data[tid] = element(in, i, n) + element(in, i + blockDim.x, n);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void kernel06(const double* in, double* out, unsigned n) {
  __shared__ double data[kThreads];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  data[tid] = element(in, i, n) + element(in, i + blockDim.x, n);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (tid < s) data[tid] += data[tid + s];
    __syncthreads();
  }
  if (tid < 32) add_last_warp(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

__global__ void kernel07(const double* in, double* out, unsigned n) {
  __shared__ double data[kThreads];
  const unsigned tid = threadIdx.x;
  double sum = 0;
  for (unsigned i = blockIdx.x * kThreads * 2 + tid; i < n; i += kThreads * 2 * gridDim.x)
    sum += in[i] + element(in, i + kThreads, n);
  data[tid] = sum;
  __syncthreads();
  if (tid < 256) data[tid] += data[tid + 256];
  __syncthreads();
  if (tid < 128) data[tid] += data[tid + 128];
  __syncthreads();
  if (tid < 64) data[tid] += data[tid + 64];
  __syncthreads();
  if (tid < 32) add_last_warp(data, tid);
  if (tid == 0) out[blockIdx.x] = data[0];
}

using Kernel = void (*)(const double*, double*, unsigned);
struct Rung {
  Kernel kernel;
  unsigned elements;    ///< of a block
  bool again;           ///< the kernel also adds the partial sums, as far as it gets in one launch
  unsigned most = ~0u;  ///< blocks
};

int main(int argc, char** argv) {
  const unsigned n = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1u << 18;
  const Rung rungs[] = {{kernel01, kThreads, false},          {kernel02, kThreads, true},
                        {kernel03, kThreads, true},           {kernel04, kThreads, true},
                        {kernel05, 2 * kThreads, true},       {kernel06, 2 * kThreads, true},
                        {kernel07, 2 * kThreads, false, 4096}};
  std::vector<double> values(n);
  double expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += values[i] = i % 17;
  double *in = nullptr, *partial = nullptr;
  if (cudaMalloc(&in, n * sizeof(double)) != cudaSuccess) return 1;
  if (cudaMalloc(&partial, n / 256 * sizeof(double) + 4096) != cudaSuccess) return 1;
  if (cudaMemcpy(in, values.data(), n * sizeof(double), cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  bool right = true;
  for (const Rung& rung : rungs) {
    unsigned blocks = (n + rung.elements - 1) / rung.elements;
    if (blocks > rung.most) blocks = rung.most;
    double* sums = partial;
    rung.kernel<<<blocks, kThreads>>>(in, sums, n);
    if (rung.again) {
      const unsigned left = blocks;
      blocks = (left + rung.elements - 1) / rung.elements;
      rung.kernel<<<blocks, kThreads>>>(sums, sums + left, left);
      sums += left;
    }
    std::vector<double> rest(blocks);
    if (cudaMemcpy(rest.data(), sums, blocks * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess)
      return 1;
    double sum = 0;
    for (const double x : rest) sum += x;
    right &= sum == expected;
  }
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
