// Shuffles and votes without a mask, as on Kepler: the lanes that are active take part.
#include <cstdio>

__global__ void sums(const int* in, int* out) {
  int lane = threadIdx.x % 32, value = in[threadIdx.x];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down(value, step);
  if (lane == 0) out[threadIdx.x / 32] = value;
  int before = __shfl_up(in[threadIdx.x], 1u), opposite = __shfl_xor(in[threadIdx.x], 31);
  if (lane < 8) out[2] = __ballot(in[lane] % 2);  // 8 lanes
  if (threadIdx.x == 5) out[3] = before * 1000 + opposite + __shfl(before, 5) * 100000;
  out[4] = __any(threadIdx.x == 40) + 2 * __all(threadIdx.x < 64);
}

int main() {
  int host[64], *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc((void**)&in, sizeof host);
  cudaMalloc((void**)&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %x %d %d\n", host[0], host[2], host[3], host[4]);
}
