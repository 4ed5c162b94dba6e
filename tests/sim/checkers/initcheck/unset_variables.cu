// Variables of a thread that nothing has set.
#include <cstdio>

__device__ void add(float& to, float value) {
  to += value;
}

__global__ void accumulator(const float* x, float* out, int n) {
  float sum;
  for (int i = 0; i < n; ++i) sum += x[i];
  out[threadIdx.x] = sum;
}

__global__ void set_by_some(const float* x, float* out, int n) {
  float value;
  if (threadIdx.x < n) value = x[0];
  out[threadIdx.x] = value;
}

__global__ void array_of_bins(const float* x, const int* bin, float* out, int n) {
  float acc[4];
  for (int i = 0; i < n; ++i) acc[bin[i] & 3] += x[i];
  for (int k = 0; k < 4; ++k) out[k] = acc[k];
}

__global__ void array_partly_set(const float* x, const int* bin, float* out, int n) {
  float part[8];
  for (int i = 0; i < n; ++i) part[bin[i] & 7] = x[i];
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += part[i];
  out[threadIdx.x] = sum;
}

__global__ void carried_to_the_next_round(const float* x, float* out, int n) {
  float previous;
  for (int i = 0; i < n; ++i) {
    out[i] = previous;
    previous = x[i];
  }
}

__global__ void through_a_reference(const float* x, float* out, int n) {
  float total;
  for (int i = 0; i < n; ++i) add(total, x[i]);
  out[threadIdx.x] = total;
}

__global__ void decides(const float* x, int* out, int n) {
  int largest;
  for (int i = 0; i < n; ++i)
    if (x[i] > largest) largest = i;
  out[threadIdx.x] = largest;
}

int main() {
  float *x, *out;
  int* bin;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaMalloc(&bin, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(x, 0, 32 * sizeof(float));
  cudaMemset(bin, 0, 32 * sizeof(int));
  accumulator<<<1, 32>>>(x, out, 7);
  set_by_some<<<1, 32>>>(x, out, 7);
  array_of_bins<<<1, 1>>>(x, bin, out, 7);
  array_partly_set<<<1, 32>>>(x, bin, out, 7);
  carried_to_the_next_round<<<1, 1>>>(x, out, 7);
  through_a_reference<<<1, 32>>>(x, out, 7);
  decides<<<1, 32>>>(x, (int*)out, 7);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(bin);
  cudaFree(out);
}
