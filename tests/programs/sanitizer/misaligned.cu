// Two floats at once from an odd one.
__global__ void sum(const float* in, float* out, int offset) {
  const float2 two = *reinterpret_cast<const float2*>(in + offset);  // <-- fault
  out[threadIdx.x] = two.x + two.y;
}

int main() {
#ifdef RIGHT
  const int offset = 2;
#else
  const int offset = 1;
#endif
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  sum<<<1, 32>>>(in, out, offset);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
