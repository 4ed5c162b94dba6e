// Near misses of reads through the cache for what nobody writes.

/// Each thread reads its element before it writes it.
__global__ void in_place(float* data) {
  const int i = threadIdx.x;
  data[i] = __ldg(&data[i]) + 1;
}

/// Other words of the same array.
__global__ void halves(float* data) {
  const int i = threadIdx.x;
  data[i] = i;
  __syncthreads();
  data[i] += __ldg(&data[64 + i]);
}

/// The launch before has written it.
__global__ void next_launch(const float* __restrict__ data, float* out) { out[threadIdx.x] = data[threadIdx.x]; }

int main() {
  float *data, *out;
  cudaMalloc(&data, 128 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(data, 0, 128 * sizeof(float));
  in_place<<<1, 64>>>(data);
  halves<<<1, 64>>>(data);
  next_launch<<<1, 64>>>(data, out);
  return cudaDeviceSynchronize();
}
