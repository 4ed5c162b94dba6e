// texture references as of 2012: linear memory, an array with linear filtering, a pitched image, a surface
#include <cstdio>
#include <cstdlib>
texture<float, 1, cudaReadModeElementType> line;
texture<float, 2, cudaReadModeElementType> image;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> grey;
texture<float4, 1> vectors;
surface<void, cudaSurfaceType2D> canvas;
#define CHECK(call)                                        \
  do {                                                     \
    cudaError_t e = (call);                                \
    if (e != cudaSuccess) {                                \
      printf("%d: %s\n", __LINE__, cudaGetErrorString(e)); \
      exit(1);                                             \
    }                                                      \
  } while (0)
__global__ void read(float* out, int n) {
  int i = threadIdx.x;
  if (i < n)
    out[i] = tex1Dfetch(line, i) + tex2D(image, i + 1.0f, 0.5f) * 10 + tex1Dfetch(vectors, i / 4).w * 1000 +
             (tex2D(grey, i, 0) > 0.99f);
}
__global__ void paint() { surf2Dwrite(float(threadIdx.x * 2), canvas, threadIdx.x * sizeof(float), 0); }
int main() {
  const int n = 8;
  float host[n], *a, *out;
  for (int i = 0; i < n; ++i) host[i] = i;
  CHECK(cudaMalloc((void**)&a, sizeof host));
  CHECK(cudaMalloc((void**)&out, sizeof host));
  CHECK(cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture(0, line, a, sizeof host));
  CHECK(cudaBindTexture(NULL, vectors, a));
  cudaArray* array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &desc, n, 1, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
  image.addressMode[0] = cudaAddressModeClamp;
  image.filterMode = cudaFilterModeLinear;
  image.normalized = false;
  CHECK(cudaBindTextureToArray(image, array, desc));
  unsigned char bytes[8] = {255, 0, 255, 0, 255, 0, 255, 0}, *pixels;
  size_t pitch;
  CHECK(cudaMallocPitch((void**)&pixels, &pitch, 8, 1));
  CHECK(cudaMemcpy2D(pixels, pitch, bytes, 8, 8, 1, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(0, grey, pixels, 8, 1, pitch));
  read<<<1, 32>>>(out, n);
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) printf("%g ", host[i]);
  CHECK(cudaUnbindTexture(image));
  CHECK(cudaBindSurfaceToArray(canvas, array));
  paint<<<1, n>>>();
  CHECK(cudaMemcpyFromArray(host, array, 0, 0, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) printf("%g ", host[i]);
  printf("\n");
}
