// Each device has a copy of its own of every variable of a module but the managed ones, and of what functions
// were allowed. Graphs run their kernels where those were made.
#include <cstdio>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

__constant__ int factor;
__device__ int total = 100;
__device__ int* behind = &total;
__managed__ int shared_by_all = 5;

__global__ void add(int value) {
  atomicAdd(&total, factor * value);
  atomicAdd(&shared_by_all, 1);
}
__global__ void add_there(int* place) { *place += 100; }
__global__ void add_behind(int value) { atomicAdd(behind, value); }
__global__ void much_shared() {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
}

int main() {
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    const int value = 10 + device;
    cudaMemcpyToSymbol(factor, &value, sizeof value);
  }
  int totals[2] = {};
  void* addresses[2] = {};
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    add<<<1, 4>>>(device + 1);
    add_behind<<<1, 1>>>(1000);
    cudaMemcpyFromSymbol(&totals[device], total, sizeof(int));
    cudaGetSymbolAddress(&addresses[device], total);
  }
  cudaDeviceSynchronize();
  check("constants", totals[0] == 1140 && totals[1] == 1188);
  check("addresses", addresses[0] != addresses[1]);
  check("managed variable", shared_by_all == 13);

  add_there<<<1, 1>>>(&shared_by_all);  // by device 1
  check("its address", cudaDeviceSynchronize() == cudaSuccess && shared_by_all == 113);

  void* place = nullptr;
  int value = 0;
  check("as a symbol", cudaGetSymbolAddress(&place, shared_by_all) == cudaSuccess && place == &shared_by_all &&
                           cudaMemcpyFromSymbol(&value, shared_by_all, sizeof value) == cudaSuccess && value == 113);
  value = 200;
  check("set as a symbol", cudaMemcpyToSymbol(shared_by_all, &value, sizeof value) == cudaSuccess && shared_by_all == 200);
  add<<<1, 1>>>(0);
  check("and by a copy", cudaMemcpy(&value, &shared_by_all, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess && value == 201);

  const int much = 60 << 10;
  cudaSetDevice(0);
  cudaFuncSetAttribute(much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, much);
  much_shared<<<1, 32, much>>>();
  check("allowed on device 0", cudaGetLastError() == cudaSuccess);
  cudaSetDevice(1);
  much_shared<<<1, 32, much>>>();
  check("not on device 1", cudaGetLastError() == cudaErrorInvalidValue);
  cudaDeviceSynchronize();

  // Limits, too.
  std::size_t limit = 0;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
  cudaSetDevice(0);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  check("limits", limit == 8 << 20);

  // A graph of kernels of both devices, captured across an event.
  cudaStream_t streams[2];
  cudaEvent_t forked, joined;
  for (int device = 1; device >= 0; --device) {
    cudaSetDevice(device);
    cudaStreamCreate(&streams[device]);
    if (device == 1) cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
  }
  cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaEventRecord(forked, streams[0]);
  cudaStreamWaitEvent(streams[1], forked, 0);
  add<<<1, 1, 0, streams[0]>>>(100);
  cudaSetDevice(1);
  add<<<1, 1, 0, streams[1]>>>(100);
  cudaEventRecord(joined, streams[1]);
  cudaSetDevice(0);
  cudaStreamWaitEvent(streams[0], joined, 0);
  cudaStreamEndCapture(streams[0], &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, streams[0]);
  check("graph", cudaStreamSynchronize(streams[0]) == cudaSuccess);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMemcpyFromSymbol(&totals[device], total, sizeof(int));
  }
  check("a graph's kernels", totals[0] == 2140 && totals[1] == 2288);
  return wrong;
}
