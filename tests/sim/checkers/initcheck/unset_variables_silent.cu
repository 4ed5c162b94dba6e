// Variables that are set later than they are declared, or left out where they are not set.
#include <cstdio>

struct Pair {
  float value;
  int index;
};

__global__ void only_used_if_found(const float* x, float* out, int n) {
  float last;
  bool found = false;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0) {
      last = x[i] + 1;
      found = true;
    }
  }
  if (found) out[threadIdx.x] = last * 2;
}

__global__ void condition_behind_another(const float* x, float* out, int n) {
  int place;
  bool found = false;
  for (int i = 0; i < n && !found; ++i)
    if (x[i] > 0) place = i, found = true;
  out[threadIdx.x] = found && place > 3 ? 1.f : 2.f;
}

__global__ void array_set_by_index(const float* x, const int* bin, float* out, int n) {
  float parts[8];
  for (int i = 0; i < 8; ++i) parts[i] = 0;
  for (int i = 0; i < n; ++i) parts[bin[i] & 7] += x[i];
  out[threadIdx.x] = parts[threadIdx.x & 7];
}

__global__ void stack(const float* x, float* out, int n) {
  float kept[16];
  int height = 0;
  for (int i = 0; i < n; ++i) kept[height++] = x[i];
  float sum = 0;
  while (height > 0) sum += kept[--height];
  out[threadIdx.x] = sum;
}

__device__ __noinline__ void fill(float* to, float value) {
  for (int i = 0; i < 4; ++i) to[i] = value + i;
}

__global__ void filled_by_a_call(const float* x, float* out) {
  float four[4];
  fill(four, x[0]);
  out[threadIdx.x] = four[threadIdx.x & 3];
}

__global__ void structures_in_an_array(const float* x, Pair* out, int n) {
  Pair best[4];
  for (int i = 0; i < 4; ++i) best[i].index = -1;
  for (int i = 0; i < n; ++i) best[i & 3] = {x[i], i};
  Pair chosen = best[threadIdx.x & 3];
  if (chosen.index >= 0) out[threadIdx.x] = chosen;
}

__global__ void switched(float* out, int n) {
  float value;
  switch (threadIdx.x & 3) {
    case 0: value = 1; break;
    case 1: value = n; break;
    default: value = 2.f * n;
  }
  if (n < 0) printf("%g %d\n", value, n);
  out[threadIdx.x] = value;
}

int main() {
  float *x, *out;
  int* bin;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaMalloc(&bin, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(Pair));
  cudaMemset(x, 0, 32 * sizeof(float));
  cudaMemset(bin, 0, 32 * sizeof(int));
  only_used_if_found<<<1, 32>>>(x, out, 7);
  condition_behind_another<<<1, 32>>>(x, out, 7);
  array_set_by_index<<<1, 32>>>(x, bin, out, 7);
  stack<<<1, 32>>>(x, out, 7);
  filled_by_a_call<<<1, 32>>>(x, out);
  structures_in_an_array<<<1, 32>>>(x, (Pair*)out, 3);
  switched<<<1, 32>>>(out, 7);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(bin);
  cudaFree(out);
}
