// Headers that programs include beside the runtime's, and how they ask who compiles them.
#include <library_types.h>
#include <nvtx3/nvToolsExt.h>
#include <cuda/std/cstdlib>
#include <nv/target>
#include <vector_functions.hpp>

#include "check.cuh"

#ifdef __NVCC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

BOTH int side() { NV_IF_TARGET(NV_IS_DEVICE, (return 1;), (return 2;)) }
BOTH int most() {
  NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (return 90;), NV_PROVIDES_SM_80, (return 80;), NV_IS_HOST,
                     (return 0;))
}
BOTH int several() {
  int n = 3;
  NV_IF_TARGET(NV_IS_HOST, (n = 4; n += 1;))
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, (n += 10;), (n += 20;))
  return n;
}

__global__ void on_device(int* out) {
  out[0] = side();
  out[1] = most();
  out[2] = several();
  out[3] = make_int2(1, 2).y;
}

int main() {
  Buffer<int> out(std::vector<int>(4, 0));
  nvtxRangePush("on the device");
  on_device<<<1, 1>>>(out);
  nvtxRangePop();
  EXPECT(out.host()[0] == 1 && out.host()[1] == 80 && out.host()[2] == 13 && out.host()[3] == 2);
  EXPECT(side() == 2 && most() == 0 && several() == 25);
  EXPECT(CUDA_R_32F == 0 && CUDA_R_16BF == 14);
  return finish();
}
