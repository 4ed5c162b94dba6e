// x and y are rows of 32 numbers each, whose beginnings are `pitch` bytes apart.
void saxpy(int rows, std::size_t pitch, float alpha, const float* x, float* y);

#ifdef __CUDACC__
void scale_global(int n, float alpha, const float* x, float* y) {
  constexpr std::size_t width = 32 * sizeof(float);
  const int rows = n / 32;
  if (n == 0) return;
  float *pitched_x = nullptr, *pitched_y = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&pitched_x, &pitch, width, static_cast<std::size_t>(rows));
  cudaMallocPitch(&pitched_y, &pitch, width, static_cast<std::size_t>(rows));
  cudaMemcpy2D(pitched_x, pitch, x, width, width, static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(pitched_y, pitch, y, width, width, static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice);
  saxpy(rows, pitch, alpha, pitched_x, pitched_y);
  cudaMemcpy2D(y, width, pitched_y, pitch, width, static_cast<std::size_t>(rows), cudaMemcpyDeviceToDevice);
  cudaFree(pitched_x);
  cudaFree(pitched_y);
}
#else
void scale_global(int n, float alpha, const float* x, float* y);
#endif
