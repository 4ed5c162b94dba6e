// Page-locked host memory, of our own pages too, touched by kernels; managed memory attached to a stream and too much of it; hints
// for the L2 cache. With an argument the kernel is given pages that are registered no more.
#include <cstdio>
#include <cstdlib>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

struct Pair {
  int* data;
  int by;
};
__global__ void add(int* data, int value) { data[threadIdx.x] += value; }
__global__ void add_pair(Pair pair) { pair.data[threadIdx.x] += pair.by; }

int main(int argc, char**) {
  int* device = nullptr;
  auto* pages = static_cast<int*>(std::calloc(3000, sizeof(int)));
  check("register", cudaHostRegister(pages + 1, 8000, cudaHostRegisterMapped) == cudaSuccess);
  check("overlap", cudaHostRegister(pages + 2, 64, cudaHostRegisterDefault) == cudaErrorHostMemoryAlreadyRegistered);
  check("inside", cudaHostUnregister(pages + 2) == cudaErrorInvalidValue);
  cudaGetLastError();
  unsigned flags = 0;
  check("flags", cudaHostGetFlags(&flags, pages + 1) == cudaSuccess && flags == cudaHostAllocMapped);
  check("pointer", cudaHostGetDevicePointer(&device, pages + 3, 0) == cudaSuccess);
  add<<<1, 32>>>(device, 5);
  check("kernel", cudaDeviceSynchronize() == cudaSuccess && pages[2] == 0 && pages[3] == 5 && pages[34] == 5 && pages[35] == 0);
  pages[3] = 100;
  add_pair<<<1, 32>>>(Pair{pages + 3, 1});
  check("again", cudaDeviceSynchronize() == cudaSuccess && pages[3] == 101 && pages[4] == 6);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, pages + 1);
  check("type", attributes.type == cudaMemoryTypeHost);
  check("unregister", cudaHostUnregister(pages + 1) == cudaSuccess);
  check("not any more", cudaHostGetDevicePointer(&device, pages + 1, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
  if (argc > 1) {
    add<<<1, 32>>>(pages + 3, 5);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }

  int *locked, *mapped;
  cudaMallocHost(&locked, 32 * sizeof(int));
  cudaHostAlloc(&mapped, 32 * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < 32; ++i) locked[i] = mapped[i] = i;
  add<<<1, 32>>>(locked, 1);
  add<<<1, 32>>>(mapped, 2);
  check("zero copy", cudaDeviceSynchronize() == cudaSuccess && locked[31] == 32 && mapped[31] == 33);
  check("free", cudaFreeHost(locked) == cudaSuccess && cudaFreeHost(mapped) == cudaSuccess);
  check("freed", cudaFreeHost(mapped) == cudaErrorInvalidValue);
  cudaGetLastError();

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *managed, *plain, *much;
  cudaMallocManaged(&managed, 64);
  cudaMalloc(&plain, 64);
  check("attach", cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle) == cudaSuccess);
  check("to all", cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
  check("device memory", cudaStreamAttachMemAsync(stream, plain, 0, cudaMemAttachSingle) == cudaErrorInvalidValue);
  check("too much", cudaMallocManaged(&much, size_t(1) << 42) == cudaErrorMemoryAllocation);
  cudaGetLastError();

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  size_t kept = 0;
  check("limit", cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize) == cudaSuccess);
  cudaDeviceGetLimit(&kept, cudaLimitPersistingL2CacheSize);
  check("kept", kept == static_cast<size_t>(properties.persistingL2CacheMaxSize) && kept > 0);
  check("beyond", cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, size_t(1) << 30) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaStreamAttrValue value{}, read{};
  value.accessPolicyWindow.base_ptr = plain;
  value.accessPolicyWindow.num_bytes = 64;
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  check("window", cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
  cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &read);
  check("read", read.accessPolicyWindow.num_bytes == 64);
  check("reset", cudaCtxResetPersistingL2Cache() == cudaSuccess);
  return wrong;
}
