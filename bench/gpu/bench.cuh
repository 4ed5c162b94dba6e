#pragma once
// What the comparisons share: the clock, the inputs, the checks and the table.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace bench {

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory that is freed with its owner.
template <class T>
class Array {
 public:
  explicit Array(size_t count) : count_(count) { check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc"); }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* data() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }
  T at(size_t index) const {
    T value;
    check(cudaMemcpy(&value, data_ + index, sizeof(T), cudaMemcpyDeviceToHost), "reading a result");
    return value;
  }
  void poison() const { check(cudaMemset(data_, 0xFF, bytes()), "poisoning"); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

/// A value in [-1, 1) that depends on the index and the seed alone.
__device__ inline double noise(size_t index, uint64_t seed) {
  uint64_t x = (index + 1) * 0x9E3779B97F4A7C15ull + seed * 0xD1B54A32D192ED03ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-52 - 1.0;
}

template <class T>
__global__ void fill_kernel(T* data, size_t count, uint64_t seed) {
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    data[i] = static_cast<T>(noise(i, seed));
  }
}
template <class T>
void fill(T* data, size_t count, uint64_t seed) {
  fill_kernel<<<1056, 256>>>(data, count, seed);
  check(cudaGetLastError(), "filling");
}

static __global__ void read_kernel(const int4* data, size_t count, int* never) {
  int joint = 0;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const int4 value = data[i];
    joint |= value.x | value.y | value.z | value.w;
  }
  if (joint == 42) *never = joint;
}

/// One of those that are compared: `run` starts the work on the default stream.
struct Contender {
  std::string name;
  std::function<void()> run;
};

/// Times work between two events on L2-cold data. Before each, a buffer of several times the L2's size is
/// read: that drops the inputs from the cache, writes back what is dirty in it, and keeps the device busy
/// while the host starts the work.
class Stopwatch {
 public:
  Stopwatch() : flush_(size_t{512} << 20), never_(1) {
    check(cudaMemset(flush_.data(), 0, flush_.bytes()), "cudaMemset");
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  double microseconds(const std::function<void()>& run) {
    read_kernel<<<1056, 256>>>(reinterpret_cast<const int4*>(flush_.data()), flush_.bytes() / 16,
                               never_.data());
    check(cudaEventRecord(start_), "cudaEventRecord");
    run();
    check(cudaEventRecord(stop_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "the timed work");
    check(cudaGetLastError(), "the timed work");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return ms * 1e3;
  }

  /// The median of each contender, taken in turns: A B A B.
  std::vector<double> medians(const std::vector<Contender>& contenders, double seconds_each = 0.25) {
    double longest = 1;
    for (const Contender& contender : contenders) {
      microseconds(contender.run);  // the first call may load code
      longest = std::max(longest, microseconds(contender.run));
    }
    const int turns = std::clamp(static_cast<int>(seconds_each * 1e6 / (longest + 150)), 7, 201) | 1;
    std::vector<std::vector<double>> samples(contenders.size());
    for (int turn = 0; turn < turns; ++turn) {
      for (size_t i = 0; i < contenders.size(); ++i) samples[i].push_back(microseconds(contenders[i].run));
    }
    std::vector<double> result;
    for (std::vector<double>& of_one : samples) {
      std::nth_element(of_one.begin(), of_one.begin() + turns / 2, of_one.end());
      result.push_back(of_one[static_cast<size_t>(turns / 2)]);
    }
    return result;
  }

 private:
  Array<char> flush_;
  Array<int> never_;
  cudaEvent_t start_, stop_;
};

/// The card, and the first two lines of the table.
inline void print_head(const char* what) {
  cudaDeviceProp card;
  int driver = 0;
  check(cudaGetDeviceProperties(&card, 0), "cudaGetDeviceProperties");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  std::printf(
      "%s, driver for CUDA %d.%d, toolkit %d.%d\n\n| %s | ours | | others | | ours is "
      "|\n|---|---|---|---|---|---|\n",
      card.name, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, what);
}

/// A row for each of the others beside ours, the first contender. `work` over microseconds is in `unit`.
inline void print_row(const std::string& title, const std::vector<Contender>& contenders,
                      const std::vector<double>& medians, double work, const char* unit) {
  const auto rate = [&](double microseconds) {
    char text[32];
    std::snprintf(text, sizeof text, work / microseconds < 1000 ? "%.1f" : "%.0f", work / microseconds);
    return std::string(text) + " " + unit;
  };
  for (size_t i = 1; i < contenders.size(); ++i) {
    std::printf("| %s | %.2f us | %s | %s %.2f us | %s | %.3f x |\n", title.c_str(), medians[0],
                rate(medians[0]).c_str(), contenders[i].name.c_str(), medians[i], rate(medians[i]).c_str(),
                medians[i] / medians[0]);
  }
  std::fflush(stdout);
}

}  // namespace bench
