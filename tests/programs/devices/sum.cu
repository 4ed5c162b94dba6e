// A sum by all devices, a thread of the host for each (by OpenMP, where it is asked for): its own part, stream and
// memory.
#include <cstdio>
#include <thread>
#include <vector>

__global__ void add_up(const int* values, int count, unsigned long long* total) {
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) mine += values[i];
  atomicAdd(total, mine);
}

struct Part {
  unsigned long long sum = 0;
  int wrong = 0;
};

static Part sum_of(const int* values, int count, int device) {
  Part result;
  int current = -1, of_stream = -1;
  cudaSetDevice(device);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamGetDevice(stream, &of_stream);
  int* part;
  unsigned long long* total;
  cudaMalloc(&part, count * sizeof(int));
  cudaMalloc(&total, sizeof *total);
  cudaMemcpyAsync(part, values, count * sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaMemsetAsync(total, 0, sizeof *total, stream);
  add_up<<<8, 128, 0, stream>>>(part, count, total);
  cudaMemcpyAsync(&result.sum, total, sizeof *total, cudaMemcpyDeviceToHost, stream);
  result.wrong += cudaStreamSynchronize(stream) != cudaSuccess;
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, part);
  cudaGetDevice(&current);
  result.wrong += current != device || of_stream != device || attributes.device != device;
  cudaFree(part);
  cudaFree(total);
  cudaStreamDestroy(stream);
  return result;
}

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  const int count = 100'003;
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i;
  std::vector<Part> parts(devices);
  cudaSetDevice(devices - 1);  // of this thread: others begin with device 0
  std::vector<int> first(devices);
  const auto work = [&](int device) {
    const auto begin = static_cast<long long>(count) * device / devices;
    const auto end = static_cast<long long>(count) * (device + 1) / devices;
    cudaGetDevice(&first[device]);
    parts[device] = sum_of(values.data() + begin, static_cast<int>(end - begin), device);
  };
#ifdef _OPENMP
#pragma omp parallel for num_threads(devices) schedule(static, 1)
  for (int device = 0; device < devices; ++device) work(device);
  first[0] = 0;  // OpenMP's first thread is this one
#else
  std::vector<std::thread> threads;
  for (int device = 0; device < devices; ++device) threads.emplace_back(work, device);
  for (std::thread& thread : threads) thread.join();
#endif
  unsigned long long sum = 0;
  int wrong = 0;
  for (int device = 0; device < devices; ++device) {
    sum += parts[device].sum;
    wrong += parts[device].wrong + (first[device] != 0);
  }
  std::printf("%d devices: %llu, %d wrong\n", devices, sum, wrong);
}
