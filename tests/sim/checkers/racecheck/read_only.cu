// What is read through the cache for what nobody writes, in a launch that writes it: in order, but perhaps old.
__global__ void own_words(float* data) {
  const int i = threadIdx.x;
  data[i] = i;
  data[i] = __ldg(&data[i]) + 1;
}

__global__ void behind_a_barrier(float* data) {
  const int i = threadIdx.x;
  data[i] = i;
  __syncthreads();
  data[64 + i] = __ldg(&data[63 - i]);
}

int main() {
  float* data;
  cudaMalloc(&data, 128 * sizeof(float));
  own_words<<<1, 64>>>(data);
  behind_a_barrier<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}
