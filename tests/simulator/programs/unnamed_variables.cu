// Variables of an unnamed namespace that the host sets and reads by their symbols.
#include "check.cuh"

namespace {
struct Pair {
  float a, b;
};
__constant__ float factors[4];
__constant__ Pair pair{1, 2};
__device__ int offset;
namespace inner {
__device__ float kept = 3;
}
}  // namespace

__global__ void uses_all(float* out) {
  out[threadIdx.x] = factors[threadIdx.x] * 10 + offset + pair.a + pair.b + inner::kept;
}

int main() {
  const float set[4] = {1, 2, 3, 4}, kept = 5;
  const int one = 1;
  CUDA(cudaMemcpyToSymbol(factors, set, sizeof set));
  CUDA(cudaMemcpyToSymbol(offset, &one, sizeof one));
  void* address = nullptr;
  CUDA(cudaGetSymbolAddress(&address, inner::kept));
  CUDA(cudaMemcpy(address, &kept, sizeof kept, cudaMemcpyHostToDevice));
  float* out = nullptr;
  CUDA(cudaMalloc(&out, 4 * sizeof(float)));
  uses_all<<<1, 4>>>(out);
  float got[4];
  CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i)
    EXPECT(got[i] == set[i] * 10 + 9);
  return finish();
}
