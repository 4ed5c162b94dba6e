// Every template of the C++ API, and what the words of CUDA may stand on. It is compiled, not run.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math_constants.h>
#include <vector_functions.h>

#include <memory>
#include <string>
#include <vector>

__constant__ float coefficients[16];
__device__ int counter;

__global__ void __launch_bounds__(256) one(int* out) { out[threadIdx.x] = counter; }
__global__ void __launch_bounds__(256, 2) two(const float* __restrict__ in, float* __restrict__ out, const __grid_constant__ int n) {
  extern __shared__ float dynamic[];
  __shared__ __align__(16) float tile[32][33];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.y][threadIdx.x % 32] = i < unsigned(n) ? in[i] : 0;
  dynamic[threadIdx.x] = coefficients[threadIdx.x % 16];
  __syncthreads();
  if (i < unsigned(n)) out[i] = tile[threadIdx.y][threadIdx.x % 32] + dynamic[threadIdx.x];
}
template <class T>
__global__ void __launch_bounds__(128, 1, 1) typed(T* out, T value) {
  *out = value;
}
__device__ __noinline__ int apart(int x) { return x + 1; }
__device__ __forceinline__ int together(int x) { return apart(x) * 2; }
__host__ __device__ constexpr int both(int x) { return x + 1; }
__global__ void three(int* out) { *out = together(both(*out)); }

cudaError_t memory() {
  int* a = nullptr;
  const int* view = nullptr;
  void* raw = nullptr;
  std::size_t pitch = 0;
  cudaStream_t stream = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaMalloc(&a, 4);
  cudaMalloc(&raw, 4);
  cudaMalloc((void**)&a, 4);
  cudaMallocPitch(&a, &pitch, 4, 4);
  cudaMallocManaged(&a, 4);
  cudaMallocManaged(&a, 4, cudaMemAttachHost);
  cudaMallocHost(&a, 4);
  cudaMallocHost(&raw, 4, cudaHostAllocDefault);
  cudaHostAlloc(&a, 4, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&view, a, 0);
  cudaMallocAsync(&a, 4, stream);
  cudaMallocAsync(&raw, 4, pool, stream);
  cudaMallocAsync(&a, 4, pool, stream);
  cudaMallocFromPoolAsync(&a, 4, pool, stream);
  cudaStreamAttachMemAsync(stream, a);
  float host[16] = {};
  cudaMemcpyToSymbol(coefficients, host, sizeof host);
  cudaMemcpyToSymbolAsync(coefficients, host, sizeof host, 0, cudaMemcpyHostToDevice, stream);
  cudaMemcpyFromSymbol(host, coefficients, sizeof host);
  cudaMemcpyFromSymbolAsync(host, coefficients, sizeof host, 0, cudaMemcpyDeviceToHost, stream);
  cudaMemcpyToSymbol(counter, host, 4, 0, cudaMemcpyDefault);
  cudaGetSymbolAddress(&raw, counter);
  cudaGetSymbolSize(&pitch, coefficients);
  cudaMemcpy(a, view, 4, cudaMemcpyDefault);
  return cudaFree(a);
}

cudaError_t kernels() {
  int* out = nullptr;
  float value = 1;
  void* arguments[] = {&out};
  cudaStream_t stream = nullptr;
  one<<<1, 32>>>(out);
  two<<<dim3(1, 2), dim3(32, 8), 1024, stream>>>(nullptr, nullptr, 5);
  typed<<<1, 1, 0, stream>>>(&value, 2.0f);
  typed<double><<<dim3{1, 1}, 1>>>(nullptr, 2);
  three<<<1, 1>>>(out);
  cudaLaunchKernel(one, 1, 32, arguments);
  cudaLaunchKernel((const void*)one, dim3(1), dim3(32), arguments, 0, stream);
  cudaLaunchCooperativeKernel(one, 1, 32, arguments, 0, stream);
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, one, out);
  cudaLaunchKernelEx(&config, typed<double>, (double*)nullptr, 1);
  cudaKernel_t handle = nullptr;
  cudaGetKernel(&handle, one);
  cudaLaunchKernelEx(&config, handle, out);
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, typed<float>);
  cudaFuncSetAttribute(two, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFuncSetCacheConfig(two, cudaFuncCachePreferShared);
  cudaFuncSetSharedMemConfig(two, cudaSharedMemBankSizeFourByte);
  const char* name = nullptr;
  cudaFuncGetName(&name, one);
  int blocks = 0, size = 0;
  std::size_t shared = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one, 256, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, one, 256, 0, cudaOccupancyDefault);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &size, one);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &size, two, 1024, 512);
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &size, two, 1024);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &size, two, [](int threads) { return threads * sizeof(float); });
  cudaOccupancyAvailableDynamicSMemPerBlock(&shared, one, 1, 32);
  cudaOccupancyMaxPotentialClusterSize(&blocks, one, &config);
  cudaOccupancyMaxActiveClusters(&blocks, one, &config);
  return cudaGetLastError();
}

cudaError_t rest() {
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaEventCreate(&event, cudaEventDisableTiming);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult result{};
  cudaGraphExecUpdate(executable, graph, &node, &result);
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, 0);
  std::shared_ptr<std::string> name = std::make_shared<std::string>(properties.name);
  const std::vector<float4> vectors(4, make_float4(1, 2, 3, 4));
  const cudaExtent extent = make_cudaExtent(4, 4, 1);
  cudaPitchedPtr volume = make_cudaPitchedPtr(nullptr, 16, 4, 4);
  cudaMalloc3D(&volume, extent);
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<uchar4>(), plain = cudaCreateChannelDesc<float>();
  if (channel.f != cudaChannelFormatKindUnsigned || channel.w != 8 || plain.x != 32 || plain.y != 0) cudaProfilerStart();
  if (!(CUDART_INF_F > CUDART_PI)) return cudaProfilerStop();
  const dim3 grid(16), block{32, 8};
  const uint3 same = grid;
  return name->size() + vectors.size() + same.x + block.y > 0 ? cudaSuccess : cudaErrorUnknown;
}

int main() { return memory() + kernels() + rest() != cudaSuccess; }
