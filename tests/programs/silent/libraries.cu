// Thrust, CUB and cuRAND's device functions.
// nvcc alone: they are parts of the toolkit
// by hand: they take long to compile
#include <cub/cub.cuh>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include "silent.cuh"

/// Sums, scans and transforms of a vector of the card.
namespace thrust_vectors {
struct Square {
  __host__ __device__ int operator()(int v) const { return v * v; }
};
PROGRAM(thrust_vectors) {
  const auto in = numbers(1000, 30);
  thrust::device_vector<int> x(in.begin(), in.end()), y(1000);
  thrust::transform(x.begin(), x.end(), y.begin(), Square());
  int wanted = 0;
  for (int v : in) wanted += v * v;
  const int sum = thrust::reduce(y.begin(), y.end());
  thrust::inclusive_scan(y.begin(), y.end(), y.begin());
  return sum == wanted && y.back() == wanted;
}
}  // namespace thrust_vectors

/// Sorted, and what is there more than once taken out.
namespace thrust_sorted {
PROGRAM(thrust_sorted) {
  auto in = numbers(700, 300);
  thrust::device_vector<int> x(in.begin(), in.end());
  thrust::sort(x.begin(), x.end());
  x.erase(thrust::unique(x.begin(), x.end()), x.end());
  std::sort(in.begin(), in.end());
  in.erase(std::unique(in.begin(), in.end()), in.end());
  std::vector<int> got(x.size());
  thrust::copy(x.begin(), x.end(), got.begin());
  return got == in;
}
}  // namespace thrust_sorted

/// Collective functions of a block and a warp, whose memory is used for one after the other.
namespace cub_blocks {
__global__ void run(const int* in, int* out, int* totals) {
  using Scan = cub::BlockScan<int, 128>;
  using Sum = cub::BlockReduce<int, 128>;
  __shared__ union {
    Scan::TempStorage scan;
    Sum::TempStorage sum;
  } room;
  const int i = blockIdx.x * 128 + threadIdx.x;
  int before;
  Scan(room.scan).ExclusiveSum(in[i], before);
  __syncthreads();
  const int sum = Sum(room.sum).Sum(in[i]);
  out[i] = before;
  if (threadIdx.x == 0) totals[blockIdx.x] = sum;
}
PROGRAM(cub_blocks) {
  const auto in = numbers(512, 100);
  Array<int> x(in), out(512), totals(4);
  run<<<4, 128>>>(x, out, totals);
  const auto got = out.host(), t = totals.host();
  for (int b = 0; b < 4; ++b) {
    int sum = 0;
    for (int i = b * 128; i < b * 128 + 128; ++i) {
      if (got[i] != sum) return false;
      sum += in[i];
    }
    if (t[b] != sum) return false;
  }
  return true;
}
}  // namespace cub_blocks

/// A scan and a sort of the whole card.
namespace cub_devices {
PROGRAM(cub_devices) {
  const auto in = numbers(5000, 1000);
  Array<int> x(in), scanned(5000), sorted(5000);
  size_t bytes = 0, more = 0;
  CUDA(cub::DeviceScan::InclusiveSum(nullptr, bytes, static_cast<int*>(x), static_cast<int*>(scanned), 5000));
  CUDA(cub::DeviceRadixSort::SortKeys(nullptr, more, static_cast<int*>(x), static_cast<int*>(sorted), 5000));
  Array<char> room(std::max(bytes, more));
  CUDA(cub::DeviceScan::InclusiveSum(static_cast<char*>(room), bytes, static_cast<int*>(x), static_cast<int*>(scanned), 5000));
  CUDA(cub::DeviceRadixSort::SortKeys(static_cast<char*>(room), more, static_cast<int*>(x), static_cast<int*>(sorted), 5000));
  auto sums = in, order = in;
  for (int i = 1; i < 5000; ++i) sums[i] += sums[i - 1];
  std::sort(order.begin(), order.end());
  return scanned.host() == sums && sorted.host() == order;
}
}  // namespace cub_devices

/// States are made in one launch and used in the next.
namespace random_states {
__global__ void make(curandState* states) { curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void draw(curandState* states, float* means) {
  curandState state = states[threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 100; ++k) sum += curand_uniform(&state);
  states[threadIdx.x] = state;
  means[threadIdx.x] = sum / 100;
}
PROGRAM(random_states) {
  Array<curandState> states(64);
  Array<float> means(64);
  make<<<1, 64>>>(states);
  draw<<<1, 64>>>(states, means);
  const auto first = means.host();
  draw<<<1, 64>>>(states, means);
  const auto second = means.host();
  float all = 0;
  for (int t = 0; t < 64; ++t) all += first[t] + second[t];
  return first != second && std::fabs(all / 128 - 0.5f) < 0.02f;
}
}  // namespace random_states
