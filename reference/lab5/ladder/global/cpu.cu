// The CPU, one thread, recursively: the upper half is added to the lower, then the same with half as many
// elements.

#include "in_place.cuh"

template <class T>
T sum_recursively(T* data, int n) {
  if (n == 1) return data[0];
  const int half = (n + 1) / 2;
  for (int i = 0; i < n / 2; ++i) data[i] += data[i + half];
  return sum_recursively(data, half);
}

struct Rung {
  static constexpr const char* name = "cpu";
  template <class T>
  static T run(T* data, int n) {
    return sum_recursively(data, n);
  }
};

LADDER_MAIN(ladder::sum_on_cpu<Rung>)
