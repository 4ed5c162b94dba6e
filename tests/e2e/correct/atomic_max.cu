// atomicMax on integers that are ordered like the floats whose bits they hold.
#include "good.cuh"

__device__ int ordered(float value) {
  const int bits = __float_as_int(value);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__global__ void clear(int* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[row] = static_cast<int>(0x80000000);
}
__global__ void maximum(const float* a, int* out, int cols, size_t count) {
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += gridDim.x * static_cast<size_t>(blockDim.x))
    atomicMax(&out[i / cols], ordered(a[i]));
}
__global__ void decode(int* out, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) out[row] = out[row] >= 0 ? out[row] : out[row] ^ 0x7fffffff;
}
ENTRY(global) {
  if (rows == 0) return;
  int* bits = reinterpret_cast<int*>(out);
  clear<<<(rows + 127) / 128, 128>>>(bits, rows);
  maximum<<<64, 256>>>(a, bits, cols, static_cast<size_t>(rows) * cols);
  decode<<<(rows + 127) / 128, 128>>>(bits, rows);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
