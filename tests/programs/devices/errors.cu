// What calls about several devices answer: two devices. As two H100 answer (CUDA 13.0, driver 580.159).
#include <cstdio>
#include <cstring>

#define SHOW(call)                                                   \
  do {                                                               \
    std::printf("%s: %s\n", #call, cudaGetErrorName(call));          \
    cudaGetLastError();                                              \
  } while (false)

__global__ void set(int* place) { *place = 1; }

int main() {
  int value = -1, count = 0;
  SHOW(cudaGetDeviceCount(&count));
  SHOW(cudaSetDevice(count));
  SHOW(cudaSetDevice(-1));
  SHOW(cudaInitDevice(count, 0, 0));
  cudaDeviceProp properties, other;
  SHOW(cudaGetDeviceProperties(&properties, count));
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count));
  cudaMemPool_t pool;
  SHOW(cudaDeviceGetDefaultMemPool(&pool, count));

  SHOW(cudaDeviceCanAccessPeer(&value, 0, 1));
  std::printf("%d\n", value);
  SHOW(cudaDeviceCanAccessPeer(&value, 0, 0));
  std::printf("%d\n", value);
  SHOW(cudaDeviceCanAccessPeer(&value, 0, count));
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceEnablePeerAccess(count, 0));
  SHOW(cudaDeviceEnablePeerAccess(1, 1));
  SHOW(cudaDeviceDisablePeerAccess(1));
  SHOW(cudaDeviceDisablePeerAccess(0));
  SHOW(cudaDeviceDisablePeerAccess(count));
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceDisablePeerAccess(1));
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceReset());
  SHOW(cudaDeviceEnablePeerAccess(1, 0));
  SHOW(cudaDeviceDisablePeerAccess(1));
  SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  std::printf("%d\n", value);
  SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
  std::printf("%d\n", value);
  SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 0));
  SHOW(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, count));
  SHOW(cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(9), 0, 1));

  char id[16] = "", id_of_other[16] = "";
  SHOW(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  SHOW(cudaDeviceGetPCIBusId(id_of_other, sizeof id_of_other, 1));
  std::printf("%s\n", std::strcmp(id, id_of_other) != 0 ? "differ" : "are the same");
  SHOW(cudaDeviceGetPCIBusId(id, 8, 1));
  SHOW(cudaDeviceGetByPCIBusId(&value, id_of_other));
  std::printf("%d\n", value);
  SHOW(cudaDeviceGetByPCIBusId(&value, id_of_other + 5));
  std::printf("%d\n", value);
  SHOW(cudaDeviceGetByPCIBusId(&value, "0000:44:00.0"));
  SHOW(cudaDeviceGetByPCIBusId(&value, "zz"));
  cudaGetDeviceProperties(&properties, 0);
  cudaGetDeviceProperties(&other, 1);
  const bool unlike = std::memcmp(&properties.uuid, &other.uuid, sizeof other.uuid) != 0;
  std::printf("%s, %s\n", unlike ? "unlike" : "alike", std::strcmp(properties.name, other.name) == 0 ? "alike" : "unlike");

  int *here, *there;
  cudaStream_t stream;
  cudaEvent_t event, event_of_other;
  float milliseconds = 0;
  cudaSetDevice(1);
  cudaMalloc(&there, 64);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event_of_other);
  cudaSetDevice(0);
  cudaMalloc(&here, 64);
  cudaEventCreate(&event);
  set<<<1, 1, 0, stream>>>(there);
  SHOW(cudaGetLastError());
  SHOW(cudaMemcpyAsync(here, there, 4, cudaMemcpyDefault, stream));
  SHOW(cudaMemcpyAsync(&value, here, 4, cudaMemcpyDefault, stream));
  SHOW(cudaMemsetAsync(there, 0, 4, stream));
  SHOW(cudaMemsetAsync(here, 0, 4, stream));
  SHOW(cudaMemset(there, 0, 4));
  SHOW(cudaEventRecord(event, stream));
  SHOW(cudaEventRecord(event_of_other, 0));
  SHOW(cudaEventRecord(event, 0));
  SHOW(cudaEventRecord(event_of_other, stream));
  SHOW(cudaStreamWaitEvent(0, event_of_other));
  SHOW(cudaEventSynchronize(event_of_other));
  SHOW(cudaEventElapsedTime(&milliseconds, event, event_of_other));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaMemcpyPeer(here, 0, here + 8, 0, 16));
  SHOW(cudaMemcpyPeer(here, 1, here + 8, 0, 16));
  SHOW(cudaMemcpyPeer(here, count, here + 8, 0, 16));
  SHOW(cudaMemcpyPeer(&value, 0, here, 0, 4));
  SHOW(cudaMemcpyPeer(nullptr, 0, there, 1, 4));
  SHOW(cudaMemcpyPeer(here, 0, there, 1, 65));
  SHOW(cudaMemcpyPeerAsync(here, 0, there, 1, 64, stream));
  SHOW(cudaStreamDestroy(stream));
  SHOW(cudaFree(there));
}
