// The course's tiled product (32x32 tiles in shared memory), for timing simulators: prints the seconds that
// the launch took on the host's clock and a checksum. Argument: N, a multiple of 32.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void tile_product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][32], bs[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    as[ty][tx] = a[(size_t)row * n + t + tx];
    bs[ty][tx] = b[(size_t)(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[(size_t)row * n + col] = sum;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 256;
  std::vector<float> a(size_t(n) * n), b(a.size()), c(a.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 7) - 3, b[i] = float(i % 5) - 2;
  float *da, *db, *dc;
  const size_t bytes = a.size() * sizeof(float);
  cudaMalloc(&da, bytes), cudaMalloc(&db, bytes), cudaMalloc(&dc, bytes);
  cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
  const auto begin = std::chrono::steady_clock::now();
  tile_product<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(da, db, dc, n);
  const cudaError_t status = cudaDeviceSynchronize();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da), cudaFree(db), cudaFree(dc);
  double sum = 0;
  for (float v : c) sum += v;
  std::printf("n %d: %.4f s, checksum %.0f, %s\n", n, seconds, sum, cudaGetErrorString(status));
}
