// Memory of one device that others read, write and copy. With an argument something is forgotten: `access`, the
// peer access; `disabled`, that it was ended; `pool`, cudaMemPoolSetAccess; `set`, the peer access of a cudaMemset.
#include <cstdio>
#include <cstring>
#include <vector>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

__global__ void fill(int* data, int first) { data[threadIdx.x] = first + threadIdx.x; }
__global__ void twice(int* to, const int* from) {
  to[threadIdx.x] = 2 * from[threadIdx.x];
}
__global__ void count_up(int* counter) { atomicAdd(counter, 1); }

static int at(const int* data, int index) {
  int value = -1;
  cudaMemcpy(&value, data + index, sizeof value, cudaMemcpyDefault);
  return value;
}

int main(int argc, char** argv) {
  const char* const mistake = argc > 1 ? argv[1] : "";
  constexpr int kCount = 256, kBytes = kCount * sizeof(int);
  int *here, *there;
  cudaSetDevice(1);
  cudaMalloc(&there, kBytes);
  fill<<<1, kCount>>>(there, 1000);
  cudaSetDevice(0);
  cudaMalloc(&here, kBytes);
  fill<<<1, kCount>>>(here, 0);

  // Copies need no peer access.
  check("cudaMemcpyPeer", cudaMemcpyPeer(here, 0, there, 1, 4) == cudaSuccess && at(here, 0) == 1000);
  check("cudaMemcpyDefault", cudaMemcpy(here + 1, there + 1, 4, cudaMemcpyDefault) == cudaSuccess && at(here, 1) == 1001);
  check("cudaMemcpyDeviceToDevice", cudaMemcpy(here + 2, there + 2, 4, cudaMemcpyDeviceToDevice) == cudaSuccess &&
                                        at(here, 2) == 1002 && at(here, 3) == 3);
  check("cudaMemcpyPeerAsync", cudaMemcpyPeerAsync(there, 1, here, 0, 12, 0) == cudaSuccess &&
                                   cudaDeviceSynchronize() == cudaSuccess && at(there, 0) == 1000);
  cudaMemcpy3DPeerParms volume{};
  volume.srcPtr = make_cudaPitchedPtr(there, 64, 16, 16);
  volume.srcDevice = 1;
  volume.dstPtr = make_cudaPitchedPtr(here, 32, 16, 16);
  volume.dstDevice = 0;
  volume.extent = make_cudaExtent(16, 2, 1);
  check("cudaMemcpy3DPeer", cudaMemcpy3DPeer(&volume) == cudaSuccess && at(here, 3) == 1003 && at(here, 8) == 1016);

  int* pooled = nullptr;
  if (std::strcmp(mistake, "pool") == 0) {
    cudaDeviceEnablePeerAccess(1, 0);  // has nothing to do with pools
    cudaSetDevice(1);
    cudaMallocAsync(&pooled, kBytes, 0);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    twice<<<1, kCount>>>(here, pooled);
  } else if (std::strcmp(mistake, "set") == 0) {
    std::printf("set: %s\n", cudaGetErrorName(cudaMemset(there, 0, kBytes)));
    return 0;
  } else {
    if (std::strcmp(mistake, "access") != 0) cudaDeviceEnablePeerAccess(1, 0);
    if (std::strcmp(mistake, "disabled") == 0) cudaDeviceDisablePeerAccess(1);
    twice<<<1, kCount>>>(here, there);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (*mistake != '\0') {
    std::printf("%s\n", cudaGetErrorName(error));
    cudaSetDevice(1);  // all devices have that error now
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  check("a kernel reads", error == cudaSuccess && at(here, 5) == 2010);
  twice<<<1, kCount>>>(there, here);
  check("a kernel writes", cudaDeviceSynchronize() == cudaSuccess && at(there, 5) == 4020);
  check("cudaMemset", cudaMemset(there, 0, kBytes) == cudaSuccess && at(there, 5) == 0);

  // Device 0 may access device 1, and not the other way round.
  cudaMemset(here, 0, kBytes);
  count_up<<<4, 32>>>(there);
  cudaSetDevice(1);
  count_up<<<4, 32>>>(there);
  cudaDeviceEnablePeerAccess(0, 0);
  count_up<<<4, 32>>>(here);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  check("atomics", at(there, 0) == 256 && at(here, 0) == 128);

  // A pool is opened by itself, what was allocated before and what comes.
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 1);
  cudaSetDevice(1);
  cudaMallocAsync(&pooled, kBytes, 0);
  fill<<<1, kCount>>>(pooled, 7);
  cudaMemAccessDesc opened{};
  opened.location.type = cudaMemLocationTypeDevice;
  opened.location.id = 0;
  opened.flags = cudaMemAccessFlagsProtReadWrite;
  check("cudaMemPoolSetAccess", cudaMemPoolSetAccess(pool, &opened, 1) == cudaSuccess);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemPoolGetAccess(&flags, pool, &opened.location);
  check("cudaMemPoolGetAccess", flags == cudaMemAccessFlagsProtReadWrite);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  twice<<<1, kCount>>>(here, pooled);
  check("a kernel reads a pool", cudaDeviceSynchronize() == cudaSuccess && at(here, 5) == 24);
  int device = -1;
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, pooled);
  cudaFreeAsync(pooled, 0);
  cudaGetDevice(&device);
  check("the memory is device 1's", attributes.device == 1 && device == 0);
  cudaFree(here);
  cudaFree(there);  // by another device than its own
  check("nothing went wrong", cudaGetLastError() == cudaSuccess);
  return wrong;
}
