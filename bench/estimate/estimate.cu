// Measures every case on a GPU, or has the simulator estimate it (README.md). Prints one comma-separated line
// for each case.
// Usage: estimate measure|estimate [FAMILY...]

#include <algorithm>
#include <cstring>

#include "cases.cuh"
#include "kernels/arithmetic.cuh"
#include "kernels/atomics.cuh"
#include "kernels/fresh.cuh"
#include "kernels/hand_over.cuh"
#include "kernels/latencies.cuh"
#include "kernels/matrices.cuh"
#include "kernels/patterns.cuh"
#include "kernels/single_steps.cuh"
#include "kernels/streams.cuh"

__global__ void fill_floats(float* to, int n, float by) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = (i % 1024) * by;
}
__global__ void fill_index(int* to, int n, int mask) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned x = i * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    to[i] = static_cast<int>(x & mask);
  }
}
__global__ void fill_chain(int* to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = (i + 33) % n;
}
/// Writes (fill) or reads (sweep) more than the L2 cache holds, so that the next kernel finds none of its own
/// data there. The grader writes, and then the dirty lines must be written back.
__global__ void fill(float* to, long long n) {
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) to[i] = 1;
}
__global__ void sweep(float* from, long long n) {
  float sum = 0;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += static_cast<long long>(gridDim.x) * blockDim.x) sum += from[i];
  if (sum == 0.5f) from[0] = sum;
}
/// Keeps the GPU busy while the host enqueues the measured work.
__global__ void delay(long long clocks) {
  const long long begin = clock64();
  while (clock64() - begin < clocks) {
  }
}
__global__ void clocks_and_time(long long* out) {
  long long at, end;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(at));
  const long long begin = clock64();
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
  while (end - at < 2000000);
  out[0] = clock64() - begin;
  out[1] = end - at;
}

struct Times {
  float median = 0, low = 0, high = 0;
};
Times of(std::vector<float> us) {
  std::sort(us.begin(), us.end());
  return {us[us.size() / 2], us[us.size() / 4], us[us.size() * 3 / 4]};
}

enum class Cache { Filled, Swept, Warm };
Times measure(const Case& c, Cache cache, float* rest, int rounds) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (begin == nullptr) {
    CHECKED(cudaEventCreate(&begin));
    CHECKED(cudaEventCreate(&end));
  }
  std::vector<float> us;
  for (int round = 0; round < rounds; ++round) {
    if (cache == Cache::Warm) c.launch();
    if (cache == Cache::Filled) fill<<<1056, 1024>>>(rest, 1 << 26);
    if (cache == Cache::Swept) sweep<<<1056, 1024>>>(rest, 1 << 26);
    delay<<<1, 1>>>(40000);
    CHECKED(cudaEventRecord(begin));
    c.launch();
    CHECKED(cudaEventRecord(end));
    CHECKED(cudaDeviceSynchronize());
    float ms = 0;
    CHECKED(cudaEventElapsedTime(&ms, begin, end));
    us.push_back(ms * 1e3f);
  }
  return of(us);
}

int main(int argc, char** argv) {
  if (argc < 2 || (std::strcmp(argv[1], "measure") != 0 && std::strcmp(argv[1], "estimate") != 0)) {
    std::fprintf(stderr, "usage: estimate measure|estimate [FAMILY...]\n");
    return 2;
  }
  const bool card = std::strcmp(argv[1], "measure") == 0;
  Pool pool;
  for (float** array : {&pool.a, &pool.b, &pool.c}) CHECKED(cudaMalloc(array, Pool::kFloats * sizeof(float)));
  CHECKED(cudaMalloc(&pool.index, Pool::kFloats * sizeof(int)));
  CHECKED(cudaMalloc(&pool.chain, (1 << 20) * sizeof(int)));
  CHECKED(cudaMalloc(&pool.counters, (1 << 20) * sizeof(int)));
  CHECKED(cudaMalloc(&pool.flags, (1 << 16) * sizeof(int)));
  const int filled = card ? Pool::kFloats : 1 << 21;
  fill_floats<<<1024, 256>>>(pool.a, filled, 0.001f);
  fill_floats<<<1024, 256>>>(pool.b, filled, 0.002f);
  fill_index<<<1024, 256>>>(pool.index, card ? Pool::kFloats : 1 << 22, Pool::kFloats - 1);
  fill_chain<<<1024, 256>>>(pool.chain, 1 << 20);
  CHECKED(cudaMemset(pool.counters, 0, (1 << 20) * sizeof(int)));
  CHECKED(cudaMemset(pool.flags, 0, (1 << 16) * sizeof(int)));
  CHECKED(cudaDeviceSynchronize());

  Cases cases(pool);
  streams(cases);
  latencies(cases);
  arithmetic(cases);
  atomics(cases);
  matrices(cases);
  patterns(cases);
  fresh(cases);
  hand_over(cases);
  single_steps(cases);

  float* rest = nullptr;
  if (card) {
    CHECKED(cudaMalloc(&rest, sizeof(float) << 26));
    cudaDeviceProp properties;
    CHECKED(cudaGetDeviceProperties(&properties, 0));
    int driver = 0;
    CHECKED(cudaDriverGetVersion(&driver));
    long long* clocks = nullptr;
    CHECKED(cudaMallocManaged(&clocks, 16));
    clocks_and_time<<<1, 1>>>(clocks);
    CHECKED(cudaDeviceSynchronize());
    std::printf("# %s, CUDA %d.%d, %.3f GHz\n", properties.name, driver / 1000, driver % 1000 / 10,
                static_cast<double>(clocks[0]) / static_cast<double>(clocks[1]));
    std::printf("family,name,grid,block,filled_us,filled_low,filled_high,swept_us,swept_low,swept_high,warm_us,warm_low,"
                "warm_high\n");
  } else {
    std::printf("family,name,grid,block,estimated_us\n");
  }
  cudaEvent_t begin, end;
  CHECKED(cudaEventCreate(&begin));
  CHECKED(cudaEventCreate(&end));
  for (const Case& c : cases.list) {
    if (argc > 2 && std::find_if(argv + 2, argv + argc, [&](const char* f) { return c.family == f; }) == argv + argc) continue;
    const unsigned grid = c.grid.x * c.grid.y * c.grid.z, block = c.block.x * c.block.y * c.block.z;
    if (card) {
      c.launch();
      CHECKED(cudaDeviceSynchronize());
      std::printf("%s,%s,%u,%u", c.family.c_str(), c.name.c_str(), grid, block);
      for (const Cache cache : {Cache::Filled, Cache::Swept, Cache::Warm}) {
        const Times times = measure(c, cache, rest, 31);
        std::printf(",%.3f,%.3f,%.3f", times.median, times.low, times.high);
      }
      std::printf("\n");
    } else {
      CHECKED(cudaEventRecord(begin));
      c.launch();
      CHECKED(cudaEventRecord(end));
      CHECKED(cudaDeviceSynchronize());
      float ms = 0;
      CHECKED(cudaEventElapsedTime(&ms, begin, end));
      std::printf("%s,%s,%u,%u,%.3f\n", c.family.c_str(), c.name.c_str(), grid, block, ms * 1e3f);
    }
    std::fflush(stdout);
  }
  return 0;
}
