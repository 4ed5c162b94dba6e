#include "doubling.cuh"

template <class T>
__global__ void through_neighbours(const T* in, T* out) {
  __shared__ T part[256];
  const int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
  part[tid ^ 1] = in[i ^ 1];
  if constexpr (ladder::kCorrected) __syncwarp();
  out[i] = 2 * part[tid];
}

struct Rung {
  static constexpr const char* name = "racy";
  template <class T>
  static void run(const T* in, T* out, int n) {
    through_neighbours<<<n / 256, 256>>>(in, out);
  }
};

LADDER_MAIN(doubling<Rung>)
