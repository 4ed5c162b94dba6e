// Every byte that is read was written by somebody: the host, a memset, an earlier kernel, the kernel itself.
#include <vector>

__constant__ int table[4];
__device__ int counter;

__global__ void fill(float4* x) { x[threadIdx.x] = make_float4(1, 2, 3, 4); }

__global__ void use(const float* in, const int* host, float* out) {
  __shared__ float tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x] + host[threadIdx.x] + table[threadIdx.x % 4];
  if (threadIdx.x == 0) counter += 1;  // variables start as zeros
}

__global__ void partly(float* out, int n) {
  __shared__ float tile[64];
  if (threadIdx.x < n) tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += tile[i];
  if (threadIdx.x < n) out[threadIdx.x] = sum;
}

__global__ void take(int* slot, int* out) { *out = atomicExch(slot, 1) == 1; }

/// Of each element the last part is never written, and never used: one load brings all four.
__global__ void coordinates(float4* points) {
  points[threadIdx.x].x = points[threadIdx.x].y = points[threadIdx.x].z = threadIdx.x;
}
__global__ void lengths(const float4* points, float* out) {
  __shared__ float4 here[64];
  here[threadIdx.x].x = here[threadIdx.x].y = here[threadIdx.x].z = 1;
  __syncthreads();
  const float4 p = points[threadIdx.x], q = here[63 - threadIdx.x];
  out[threadIdx.x] = p.x * q.x + p.y * q.y + p.z * q.z;
}

int main() {
  float *x = nullptr, *out = nullptr;
  int* host = nullptr;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMalloc(&host, 128 * sizeof(int));
  const std::vector<int> values(128, 3);
  cudaMemcpy(host, values.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(table, values.data(), sizeof table);
  fill<<<1, 32>>>(reinterpret_cast<float4*>(x));
  use<<<1, 128>>>(x, host, out);
  partly<<<1, 64>>>(out, 40);
  float* again = nullptr;
  cudaMalloc(&again, 128 * sizeof(float));
  cudaMemcpy(again, out, 128 * sizeof(float), cudaMemcpyDeviceToDevice);
  use<<<1, 128>>>(again, host, x);
  take<<<1, 1>>>(host, host + 1);
  float4* points = nullptr;
  cudaMalloc(&points, 64 * sizeof(float4));
  coordinates<<<1, 64>>>(points);
  lengths<<<1, 64>>>(points, x);
  return cudaDeviceSynchronize();
}
