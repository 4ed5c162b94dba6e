// Bandwidth between all pairs of devices, with and without peer access, as p2pBandwidthLatencyTest measures it; and
// how two devices' times add up.
#include <cstdio>
#include <vector>

__global__ void spin(float* data, int times) {
  float x = data[threadIdx.x];
  for (int i = 0; i < times; ++i) x = x * 1.0001f + 0.5f;
  data[threadIdx.x] = x;
}

static float measured(int from, int to, int* source, int* target, size_t bytes, int times) {
  cudaSetDevice(from);
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int i = 0; i < times; ++i) cudaMemcpyPeerAsync(target, to, source, from, bytes);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  return ms;
}

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  constexpr size_t kBytes = 64 << 20;
  std::vector<int*> source(devices), target(devices);
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&source[device], kBytes);
    cudaMalloc(&target[device], kBytes);
  }
  for (const bool enabled : {false, true}) {
    std::printf("peer access %s, GB/s\n", enabled ? "enabled" : "disabled");
    for (int from = 0; from < devices; ++from) {
      cudaSetDevice(from);
      for (int to = 0; to < devices; ++to) {
        if (enabled && to != from) cudaDeviceEnablePeerAccess(to, 0);
      }
      for (int to = 0; to < devices; ++to)
        std::printf(" %7.1f", 5 * kBytes / 1e6 / measured(from, to, source[from], target[to], kBytes, 5));
      std::printf("\n");
    }
    std::printf("latency %.1f us\n", measured(0, 1, source[0], target[1], 4, 10) / 10 * 1e3);
  }

  // The same kernel on two devices takes as long as on one; one after the other, as long as both.
  cudaEvent_t start, stop, other;
  cudaStream_t stream;
  cudaSetDevice(1);
  cudaStreamCreate(&stream);
  cudaEventCreateWithFlags(&other, cudaEventDisableTiming);
  cudaSetDevice(0);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float one = 0, beside = 0, behind = 0;
  const auto run = [&](bool on_other, bool ordered, float& ms) {
    for (int device = 0; device < devices; ++device) {
      cudaSetDevice(device);
      cudaDeviceSynchronize();
    }
    cudaSetDevice(0);
    cudaEventRecord(start);
    if (on_other) {
      cudaSetDevice(1);
      if (ordered) cudaStreamWaitEvent(stream, start);
      spin<<<1, 32, 0, stream>>>(reinterpret_cast<float*>(source[1]), 100'000);
      cudaEventRecord(other, stream);
      cudaSetDevice(0);
      if (ordered) cudaStreamWaitEvent(0, other);
    }
    spin<<<1, 32>>>(reinterpret_cast<float*>(source[0]), 100'000);
    if (on_other) cudaStreamWaitEvent(0, other);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
  };
  run(false, false, one);
  run(true, false, beside);
  run(true, true, behind);
  std::printf("beside %.2f, one behind the other %.2f\n", beside / one, behind / one);
}
