// Arrays, textures and surfaces.
#include "silent.cuh"

/// An array with its texture object.
struct Picture {
  Picture(const std::vector<float>& values, int w, int h, cudaTextureFilterMode filter, cudaTextureAddressMode address,
          bool normalized = false) {
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CUDA(cudaMallocArray(&array, &floats, w, h));
    CUDA(cudaMemcpy2DToArray(array, 0, 0, values.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = address;
    how.filterMode = filter;
    how.normalizedCoords = normalized;
    CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  }
  ~Picture() {
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
  cudaArray_t array;
  cudaTextureObject_t texture;
};

/// Points of an array, past whose edges the last one is repeated.
namespace clamped_points {
__global__ void blur(cudaTextureObject_t in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(in, x + dx + 0.5f, y + dy + 0.5f);
  out[y * w + x] = sum;
}
PROGRAM(clamped_points) {
  const auto in = numbers<float>(40 * 20, 100);
  Picture picture(in, 40, 20, cudaFilterModePoint, cudaAddressModeClamp);
  Array<float> out(40 * 20);
  blur<<<dim3(2, 20), 32>>>(picture.texture, out, 40, 20);
  std::vector<float> wanted(800);
  for (int i = 0; i < 800; ++i)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        wanted[i] += in[std::clamp(i / 40 + dy, 0, 19) * 40 + std::clamp(i % 40 + dx, 0, 39)];
  return out.host() == wanted;
}
}  // namespace clamped_points

/// Enlarged twice by linear filtering, at places where its weights are exact.
namespace enlarged {
__global__ void enlarge(cudaTextureObject_t in, float* out, int w, int h) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < w) out[y * w + x] = tex2D<float>(in, (x + 0.5f) / 2, (y + 0.5f) / 2);
}
PROGRAM(enlarged) {
  const auto in = numbers<float>(16 * 8, 256);
  Picture picture(in, 16, 8, cudaFilterModeLinear, cudaAddressModeClamp);
  Array<float> out(32 * 16);
  enlarge<<<16, 32>>>(picture.texture, out, 32, 16);
  std::vector<float> wanted(32 * 16);
  for (int i = 0; i < 512; ++i) {
    const float x = (i % 32 + 0.5f) / 2 - 0.5f, y = (i / 32 + 0.5f) / 2 - 0.5f;
    const int x0 = std::floor(x), y0 = std::floor(y);
    const float fx = x - x0, fy = y - y0;
    const auto at = [&](int a, int b) { return in[std::clamp(b, 0, 7) * 16 + std::clamp(a, 0, 15)]; };
    wanted[i] = (1 - fy) * ((1 - fx) * at(x0, y0) + fx * at(x0 + 1, y0)) + fy * ((1 - fx) * at(x0, y0 + 1) + fx * at(x0 + 1, y0 + 1));
  }
  return near(out.host(), wanted, 1e-5);
}
}  // namespace enlarged

/// A picture repeated, by coordinates from 0 to 1.
namespace repeated {
__global__ void tile(cudaTextureObject_t in, float* out) {
  out[blockIdx.x * 32 + threadIdx.x] = tex2D<float>(in, (threadIdx.x + 0.5f) / 8, (blockIdx.x + 0.5f) / 8);
}
PROGRAM(repeated) {
  const auto in = numbers<float>(64, 256);
  Picture picture(in, 8, 8, cudaFilterModePoint, cudaAddressModeWrap, true);
  Array<float> out(32 * 16);
  tile<<<16, 32>>>(picture.texture, out);
  const auto got = out.host();
  for (int i = 0; i < 512; ++i)
    if (got[i] != in[i / 32 % 8 * 8 + i % 8]) return false;
  return true;
}
}  // namespace repeated

/// Linear memory as a texture, which an earlier launch has written.
namespace of_linear_memory {
__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }
__global__ void gather(cudaTextureObject_t in, const int* where, int* out) {
  out[threadIdx.x] = tex1Dfetch<int>(in, where[threadIdx.x]);
}
PROGRAM(of_linear_memory) {
  const auto order = numbers(64, 128);
  Array<int> x(128), where(order), out(64);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = x;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 512;
  cudaTextureDesc how{};
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  fill<<<1, 128>>>(x);
  gather<<<1, 64>>>(texture, where, out);
  CUDA(cudaDestroyTextureObject(texture));
  const auto got = out.host();
  for (int i = 0; i < 64; ++i)
    if (got[i] != order[i] * order[i]) return false;
  return true;
}
}  // namespace of_linear_memory

/// A surface that is written and, in the next launch, read.
namespace surfaces {
__global__ void draw(cudaSurfaceObject_t surface, int w) {
  if (threadIdx.x < w) surf2Dwrite(static_cast<int>(threadIdx.x * 100 + blockIdx.x), surface, threadIdx.x * 4, blockIdx.x);
}
__global__ void invert(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w) {
  if (threadIdx.x < w) surf2Dwrite(-surf2Dread<int>(in, threadIdx.x * 4, blockIdx.x), out, (w - 1 - threadIdx.x) * 4, blockIdx.x);
}
PROGRAM(surfaces) {
  cudaArray_t arrays[2];
  cudaSurfaceObject_t surface[2];
  const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
  for (int k = 0; k < 2; ++k) {
    CUDA(cudaMallocArray(&arrays[k], &ints, 20, 10, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrays[k];
    CUDA(cudaCreateSurfaceObject(&surface[k], &resource));
  }
  draw<<<10, 32>>>(surface[0], 20);
  invert<<<10, 32>>>(surface[0], surface[1], 20);
  std::vector<int> out(200);
  CUDA(cudaMemcpy2DFromArray(out.data(), 80, arrays[1], 0, 0, 80, 10, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 2; ++k) {
    CUDA(cudaDestroySurfaceObject(surface[k]));
    CUDA(cudaFreeArray(arrays[k]));
  }
  for (int i = 0; i < 200; ++i)
    if (out[i] != -((19 - i % 20) * 100 + i / 20)) return false;
  return true;
}
}  // namespace surfaces

/// A volume of texels.
namespace volume {
__global__ void project(cudaTextureObject_t in, float* out, int depth) {
  float most = 0;
  for (int z = 0; z < depth; ++z) most = fmaxf(most, tex3D<float>(in, threadIdx.x + 0.5f, threadIdx.y + 0.5f, z + 0.5f));
  out[threadIdx.y * blockDim.x + threadIdx.x] = most;
}
PROGRAM(volume) {
  auto in = numbers<float>(8 * 6 * 5, 1000);
  const cudaExtent extent = make_cudaExtent(8, 6, 5);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CUDA(cudaMalloc3DArray(&array, &floats, extent));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(in.data(), 8 * sizeof(float), 8, 6);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  Array<float> out(48);
  project<<<1, dim3(8, 6)>>>(texture, out, 5);
  std::vector<float> wanted(48);
  for (int i = 0; i < 240; ++i) wanted[i % 48] = std::max(wanted[i % 48], in[i]);
  const bool right = out.host() == wanted;
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFreeArray(array));
  return right;
}
}  // namespace volume

/// A table between whose entries the texture unit goes on by itself.
namespace table_lookup {
__global__ void look(cudaTextureObject_t table, const float* at, float* out) {
  out[threadIdx.x] = tex1D<float>(table, at[threadIdx.x] + 0.5f);
}
PROGRAM(table_lookup) {
  std::vector<float> squares(33), at(64);
  for (int i = 0; i < 33; ++i) squares[i] = i * i;
  for (int i = 0; i < 64; ++i) at[i] = i / 2.0f;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CUDA(cudaMallocArray(&array, &floats, 33));
  CUDA(cudaMemcpy2DToArray(array, 0, 0, squares.data(), 33 * 4, 33 * 4, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  how.addressMode[0] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  Array<float> where(at), out(64);
  look<<<1, 64>>>(texture, where, out);
  const auto got = out.host();
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFreeArray(array));
  for (int i = 0; i < 64; ++i)
    if (got[i] != (i % 2 ? (squares[i / 2] + squares[i / 2 + 1]) / 2 : squares[i / 2])) return false;
  return true;
}
}  // namespace table_lookup
