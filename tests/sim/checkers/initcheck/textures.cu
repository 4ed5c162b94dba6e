// A filter reads the third row of an array, which nobody has filled.
#include <cstdlib>

__global__ void fill(cudaSurfaceObject_t surface) { surf2Dwrite(1.0f, surface, int(threadIdx.x) * 4, 1); }
__global__ void filtered(cudaTextureObject_t texture, float* out) { out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.25f, 2.0f); }

int main() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &desc, 16, 4, cudaArraySurfaceLoadStore);
  const float row[16] = {};
  cudaMemcpy2DToArray(resource.res.array.array, 0, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice);
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  fill<<<1, 16>>>(surface);
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  float* out;
  cudaMalloc(&out, 16 * sizeof(float));
  filtered<<<1, 16>>>(texture, out);
  float result[16];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  return result[3] != 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
