// What a card allows while a stream is captured, and the error that it gives for what it does not.
#include <cstdio>

static cudaStream_t captured, other, apart;
static cudaEvent_t event, never;
static int *data, *more, host;
static size_t bytes, total;

__global__ void add(int* to, int value) { *to += value; }
static int launched(cudaError_t error) { return error != cudaSuccess ? error : cudaGetLastError(); }

static void line(const char* what, int error) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(captured, &status);
  cudaGraph_t graph = nullptr;
  const int end = cudaStreamEndCapture(captured, &graph);
  std::printf("%-24s %d, status %d, end %d, %s\n", what, error, static_cast<int>(status), end, graph != nullptr ? "graph" : "none");
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaGetLastError();
}

#define CAPTURED(mode, call) \
  cudaStreamBeginCapture(captured, mode); \
  line(#call, call)
#define GLOBAL(call) CAPTURED(cudaStreamCaptureModeGlobal, call)
#define RELAXED(call) CAPTURED(cudaStreamCaptureModeRelaxed, call)

static int kernel_on(cudaStream_t stream) {
  add<<<1, 1, 0, stream>>>(data, 1);
  return launched(cudaSuccess);
}
static int copy() { return cudaMemcpy(&host, data, 4, cudaMemcpyDefault); }
static int query_inside() {
  cudaEventRecord(event, captured);
  return cudaEventQuery(event);
}
static int unjoined() {
  cudaEventRecord(event, captured);
  cudaStreamWaitEvent(other, event, 0);
  return kernel_on(other);
}
static int joined() {
  unjoined();
  cudaEventRecord(event, other);
  return cudaStreamWaitEvent(captured, event, 0);
}
static int unmatched() {
  cudaGraph_t graph;
  cudaEventRecord(event, captured);
  cudaStreamWaitEvent(other, event, 0);
  return cudaStreamEndCapture(other, &graph);
}
static int merge() {
  cudaGraph_t graph;
  cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal);
  cudaEventRecord(event, captured);
  const int error = cudaStreamWaitEvent(other, event, 0);
  cudaGetLastError();
  std::printf("the other's end %d\n", cudaStreamEndCapture(other, &graph));
  return error;
}
static int wait_outside() {
  cudaEventRecord(event, other);
  return cudaStreamWaitEvent(captured, event, 0);
}
static int after_a_mistake() {
  cudaMalloc(&more, 4);
  cudaGetLastError();
  return kernel_on(captured);
}
static int info() {
  kernel_on(captured);
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  size_t count = 0;
#if CUDART_VERSION >= 13000
  const int error = cudaStreamGetCaptureInfo(captured, &status, &id, &graph, &nodes, nullptr, &count);
#else
  const int error = cudaStreamGetCaptureInfo_v2(captured, &status, &id, &graph, &nodes, &count);
#endif
  std::printf("info: status %d, id %s, graph %s, %zu dependency\n", static_cast<int>(status), id != 0 ? "yes" : "no",
              graph != nullptr ? "yes" : "no", count);
  return error;
}

int main() {
  cudaStreamCreate(&captured);
  cudaStreamCreate(&other);
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaEventCreate(&never);
  cudaMalloc(&data, 64);
  std::printf("the default stream %d\n", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  GLOBAL(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  GLOBAL(kernel_on(captured));
  GLOBAL(kernel_on(other));
  GLOBAL(kernel_on(nullptr));
  GLOBAL(copy());
  GLOBAL(cudaMalloc(&more, 4));
  GLOBAL(cudaFree(nullptr));
  GLOBAL(cudaMemGetInfo(&bytes, &total));
  GLOBAL(cudaMemset(data, 0, 4));
  GLOBAL(cudaStreamSynchronize(captured));
  GLOBAL(cudaStreamSynchronize(other));
  GLOBAL(cudaStreamQuery(other));
  GLOBAL(cudaDeviceSynchronize());
  GLOBAL(cudaEventQuery(never));
  GLOBAL(cudaStreamWaitEvent(captured, never, 0));
  GLOBAL(wait_outside());
  GLOBAL(query_inside());
  GLOBAL(unjoined());
  GLOBAL(joined());
  GLOBAL(unmatched());
  GLOBAL(merge());
  GLOBAL(after_a_mistake());
  GLOBAL(info());
  RELAXED(cudaMalloc(&more, 4));
  RELAXED(cudaFree(more));
  RELAXED(copy());
  RELAXED(cudaDeviceSynchronize());
  RELAXED(cudaStreamSynchronize(other));
  cudaGraph_t graph;
  cudaStreamBeginCapture(apart, cudaStreamCaptureModeGlobal);
  std::printf("beside a non-blocking stream %d %d\n", kernel_on(nullptr), copy());
  std::printf("its end %d\n", cudaStreamEndCapture(apart, &graph));
  std::printf("no capture %d\n", cudaStreamEndCapture(apart, &graph));
}
