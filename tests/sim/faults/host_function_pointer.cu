#include "faults.cuh"
using Function = float (*)(float);
__device__ float twice(float x) { return 2 * x; }
__global__ void apply(Function f, float* out) { *out = f(1); }
int main() {
  float* out;
  cudaMalloc(&out, 4);
  apply<<<1, 1>>>(reinterpret_cast<Function>(0x1234560), out);  // taken on the host, it would be such an address
  return told();
}
// expect: cudaErrorInvalidPc
// stderr: grader: @/host_function_pointer.cu:4: a function pointer does not point to a __device__ function; kernel apply(float (*)(float), float*), block (0, 0, 0), thread (0, 0, 0)
// stderr:   hint: Take function pointers in device code (or copy them from a __device__ variable), not on the host.
