// The CPU, one thread: one element after the other.

#include "reduction.cuh"

struct Rung {
  static constexpr const char* name = "cpu";
  template <class T>
  static T run(const T* data, int n) {
    T sum = 0;
    for (int i = 0; i < n; ++i) sum += data[i];
    return sum;
  }
};

LADDER_MAIN(ladder::sum_on_cpu<Rung>)
