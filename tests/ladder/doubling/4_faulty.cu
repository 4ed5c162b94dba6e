#include "doubling.cuh"

template <class T>
__global__ void one_too_many(const T* in, T* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i + 1] = 2 * in[i];
}

struct Rung {
  static constexpr const char* name = "faulty";
  template <class T>
  static void run(const T* in, T* out, int n) {
    one_too_many<<<n / 256, 256>>>(in, out, n);
  }
};

LADDER_MAIN(doubling<Rung>)
