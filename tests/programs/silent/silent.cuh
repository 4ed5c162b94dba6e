#pragma once
// What the programs of this folder share. A program is a function that computes something on the card and says
// whether it is right; main() runs those that are named on the command line, or all. They are right by CUDA's
// rules, so no checker has anything to say of them (tests/e2e/silent_test.cpp), and print the same on a card:
// nvcc -arch=sm_80 reductions.cu && ./a.out

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

inline void check(cudaError_t status, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::printf("%s:%d: %s\n", file, line, cudaGetErrorString(status));
  std::exit(1);
}
#define CUDA(call) check(call, __FILE__, __LINE__)

/// Memory of the card.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) { CUDA(cudaMalloc(&data_, count * sizeof(T))); }
  Array(const std::vector<T>& values) : Array(values.size()) {
    CUDA(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator T*() const { return data_; }
  Array& zero() {
    CUDA(cudaMemset(data_, 0, count_ * sizeof(T)));
    return *this;
  }
  std::vector<T> host() const { return host(count_); }
  std::vector<T> host(std::size_t count) const {
    std::vector<T> values(count);
    CUDA(cudaMemcpy(values.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// `count` numbers from 0 to `limit` - 1, always the same.
template <class T = int>
std::vector<T> numbers(int count, int limit, unsigned seed = 1) {
  std::vector<T> values(count);
  for (T& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<T>((seed >> 8) % limit);
  }
  return values;
}

template <class T>
bool near(const std::vector<T>& a, const std::vector<T>& b, double tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(double(a[i]) - double(b[i])) <= tolerance * (1 + std::fabs(double(b[i]))))) return false;
  }
  return true;
}

constexpr int blocks_for(int count, int threads) { return (count + threads - 1) / threads; }

struct Program {
  const char* name;
  bool (*run)();
};
inline std::vector<Program>& programs() {
  static std::vector<Program> all;
  return all;
}
struct Listed {
  Listed(const char* name, bool (*run)()) { programs().push_back({name, run}); }
};
#define PROGRAM(name)                                   \
  static bool run_##name();                             \
  static const Listed listed_##name{#name, run_##name}; \
  static bool run_##name()

int main(int count, char** words) {
  int wrong = 0;
  for (const Program& program : programs()) {
    bool asked = count == 1;
    for (int i = 1; i < count; ++i) asked = asked || std::strcmp(words[i], program.name) == 0;
    if (!asked) continue;
    const bool right = program.run();
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    std::printf("%s %s\n", program.name, right ? "ok" : "wrong");
    wrong += right ? 0 : 1;
  }
  return wrong == 0 ? 0 : 3;
}
