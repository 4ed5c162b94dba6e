// Variables of an unnamed namespace, or of a struct without a name, that the host sets and reads by their symbols.
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
__constant__ struct {
  float a;
  int n[2];
} of_no_name;

__global__ void uses_all(float* out) {
  out[threadIdx.x] = factors[threadIdx.x] * 10 + offset + pair.a + pair.b + inner::kept + of_no_name.a * of_no_name.n[1];
}

int main() {
  const float set[4] = {1, 2, 3, 4}, kept = 5;
  const int one = 1;
  const struct {
    float a;
    int n[2];
  } of_host{2, {7, 8}};
  CUDA(cudaMemcpyToSymbol(of_no_name, &of_host, sizeof of_host));
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
    EXPECT(got[i] == set[i] * 10 + 9 + 16);
  return finish();
}
