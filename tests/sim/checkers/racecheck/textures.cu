// A surface is written and read as a texture in one launch: what the texture's cache holds may be old. By the surface it may be read.
__global__ void both(cudaSurfaceObject_t surface, cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.x;
  surf1Dwrite(float(i), surface, i * 4);
  __syncthreads();
  out[i] = surf1Dread<float>(surface, (63 - i) * 4);
  out[i] += tex1D<float>(texture, 63.5f - i);
}

// And without a barrier, by others.
__global__ void at_once(cudaSurfaceObject_t surface, float* out) {
  const int i = threadIdx.x;
  surf1Dwrite(float(i), surface, i * 4);
  out[i] = surf1Dread<float>(surface, (63 - i) * 4);
}

int main() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &desc, 64, 0, cudaArraySurfaceLoadStore);
  cudaTextureDesc how{};
  cudaSurfaceObject_t surface;
  cudaTextureObject_t texture;
  cudaCreateSurfaceObject(&surface, &resource);
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  both<<<1, 64>>>(surface, texture, out);
  at_once<<<1, 64>>>(surface, out);
  return cudaDeviceSynchronize();
}
