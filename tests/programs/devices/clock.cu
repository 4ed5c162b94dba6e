// What the host's clock shows of two devices' work (--clock estimated): they work side by side, and each is waited for
// by itself.
#include <chrono>
#include <cstdio>

__global__ void spin(float* data) {
  float x = data[threadIdx.x];
  for (int i = 0; i < 2'000'000; ++i) x = x * 0.5f + 1;
  data[threadIdx.x] = x;
}

static double milliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main() {
  float* data[2];
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&data[device], 32 * sizeof(float));
    cudaMemset(data[device], 0, 32 * sizeof(float));
  }
  cudaSetDevice(0);
  const double begin = milliseconds();
  spin<<<1, 32>>>(data[0]);
  cudaDeviceSynchronize();
  const double one = milliseconds() - begin;
  const double again = milliseconds();
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    spin<<<1, 32>>>(data[device]);
  }
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
  }
  const double both = milliseconds() - again;
  cudaSetDevice(1);
  const double idle = milliseconds();
  cudaSetDevice(0);
  spin<<<1, 32>>>(data[0]);
  cudaSetDevice(1);
  cudaDeviceSynchronize();  // which has nothing to do
  const bool waited = milliseconds() - idle > one / 2;
  if (one > 2 && both > 0.9 * one && both < 1.6 * one && !waited)
    std::printf("side by side\n");
  else
    std::printf("one %.2f ms, both %.2f ms, %s\n", one, both, waited ? "waited" : "did not wait");
}
