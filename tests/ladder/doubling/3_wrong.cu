#include "doubling.cuh"

template <class T>
__global__ void all_but_one(const T* in, T* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n - 1) out[i] = 2 * in[i];
}

struct Rung {
  static constexpr const char* name = "wrong";
  template <class T>
  static void run(const T* in, T* out, int n) {
    all_but_one<<<n / 256, 256>>>(in, out, n);
  }
};

LADDER_MAIN(doubling<Rung>)
