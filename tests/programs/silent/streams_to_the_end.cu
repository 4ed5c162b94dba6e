// More of streams: what is ended while it runs, launched again, captured in parts, or waited for by others.
#include <thread>

#include "silent.cuh"

static constexpr int kCount = 256;

__global__ void add(const int* in, int* out, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) out[i] = in[i] + value;
}
static void launch_add(const int* in, int* out, int value, cudaStream_t s) { add<<<2, 128, 0, s>>>(in, out, value); }
static cudaStream_t new_stream() {
  cudaStream_t s;
  CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return s;
}

/// One executable graph on two streams: its launches follow each other.
namespace graph_on_two_streams {
PROGRAM(graph_on_two_streams) {
  cudaStream_t a = new_stream(), b = new_stream();
  Array<int> x(kCount);
  cudaGraph_t graph;
  cudaGraphExec_t run;
  x.zero();
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
  launch_add(x, x, 1, a);
  CUDA(cudaStreamEndCapture(a, &graph));
  CUDA(cudaGraphInstantiate(&run, graph, 0));
  for (int k = 0; k < 4; ++k) CUDA(cudaGraphLaunch(run, k % 2 ? a : b));
  CUDA(cudaStreamSynchronize(a));
  CUDA(cudaStreamSynchronize(b));
  CUDA(cudaGraphExecDestroy(run));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaStreamDestroy(a));
  CUDA(cudaStreamDestroy(b));
  return x.host() == std::vector<int>(kCount, 4);
}
}  // namespace graph_on_two_streams

/// Streams and events go while their work is still to be done.
namespace destroyed_early {
PROGRAM(destroyed_early) {
  Array<int> x(kCount), y(kCount);
  cudaStream_t a = new_stream(), b = new_stream();
  cudaEvent_t done;
  CUDA(cudaEventCreate(&done));
  CUDA(cudaMemsetAsync(x, 0, kCount * sizeof(int), a));
  launch_add(x, x, 3, a);
  CUDA(cudaEventRecord(done, a));
  CUDA(cudaStreamWaitEvent(b, done, 0));
  CUDA(cudaEventDestroy(done));
  CUDA(cudaStreamDestroy(a));
  launch_add(x, y, 4, b);
  CUDA(cudaStreamDestroy(b));
  CUDA(cudaDeviceSynchronize());
  return y.host() == std::vector<int>(kCount, 7);
}
}  // namespace destroyed_early

/// cudaFree() waits for what uses the memory.
namespace freed_behind_work {
PROGRAM(freed_behind_work) {
  cudaStream_t s = new_stream();
  int *x = nullptr, *out = nullptr;
  CUDA(cudaMalloc(&x, kCount * sizeof(int)));
  CUDA(cudaMallocHost(&out, kCount * sizeof(int)));
  CUDA(cudaMemsetAsync(x, 0, kCount * sizeof(int), s));
  launch_add(x, x, 9, s);
  CUDA(cudaMemcpyAsync(out, x, kCount * sizeof(int), cudaMemcpyDeviceToHost, s));
  CUDA(cudaFree(x));
  const bool right = out[0] == 9 && out[kCount - 1] == 9;
  CUDA(cudaFreeHost(out));
  CUDA(cudaStreamDestroy(s));
  return right;
}
}  // namespace freed_behind_work

/// A function of the host fills what the stream then copies.
namespace filled_in_order {
static void CUDART_CB fill(void* to) {
  for (int i = 0; i < kCount; ++i) static_cast<int*>(to)[i] = i * 2;
}
PROGRAM(filled_in_order) {
  cudaStream_t s = new_stream();
  int* here = nullptr;
  CUDA(cudaMallocHost(&here, kCount * sizeof(int)));
  Array<int> x(kCount);
  CUDA(cudaLaunchHostFunc(s, fill, here));
  CUDA(cudaMemcpyAsync(x, here, kCount * sizeof(int), cudaMemcpyHostToDevice, s));
  launch_add(x, x, 1, s);
  CUDA(cudaStreamSynchronize(s));
  CUDA(cudaFreeHost(here));
  CUDA(cudaStreamDestroy(s));
  const auto got = x.host();
  for (int i = 0; i < kCount; ++i)
    if (got[i] != 2 * i + 1) return false;
  return true;
}
}  // namespace filled_in_order

/// Constants set in the order of a stream, before the kernel that reads them.
namespace constants_in_order {
__constant__ int step;
__device__ int total;
__global__ void use(int* x) {
  x[threadIdx.x] = step * threadIdx.x;
  atomicAdd(&total, step);
}
PROGRAM(constants_in_order) {
  cudaStream_t s = new_stream();
  Array<int> x(64), y(64);
  const int three = 3, five = 5;
  int sum = 0;
  CUDA(cudaMemcpyToSymbolAsync(step, &three, sizeof three, 0, cudaMemcpyHostToDevice, s));
  use<<<1, 64, 0, s>>>(x);
  CUDA(cudaMemcpyToSymbolAsync(step, &five, sizeof five, 0, cudaMemcpyHostToDevice, s));
  use<<<1, 64, 0, s>>>(y);
  CUDA(cudaMemcpyFromSymbolAsync(&sum, total, sizeof sum, 0, cudaMemcpyDeviceToHost, s));
  CUDA(cudaStreamSynchronize(s));
  CUDA(cudaStreamDestroy(s));
  return x.host()[10] == 30 && y.host()[10] == 50 && sum == 64 * 8;
}
}  // namespace constants_in_order

/// Threads of the host with a stream each, joined before anyone looks.
namespace threads_of_the_host {
PROGRAM(threads_of_the_host) {
  Array<int> x(4 * kCount);
  x.zero();
  CUDA(cudaDeviceSynchronize());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&x, t] {
      cudaStream_t s = new_stream();
      for (int k = 0; k <= t; ++k) launch_add(x + t * kCount, x + t * kCount, 1, s);
      CUDA(cudaStreamSynchronize(s));
      CUDA(cudaStreamDestroy(s));
    });
  }
  for (auto& t : threads) t.join();
  const auto got = x.host();
  for (int i = 0; i < 4 * kCount; ++i)
    if (got[i] != i / kCount + 1) return false;
  return true;
}
}  // namespace threads_of_the_host

/// A graph in another, whose kernel is given another argument later.
namespace graphs_in_graphs {
PROGRAM(graphs_in_graphs) {
  cudaStream_t s = new_stream();
  Array<int> x(kCount);
  x.zero();
  CUDA(cudaDeviceSynchronize());
  cudaGraph_t inner, outer;
  CUDA(cudaGraphCreate(&inner, 0));
  CUDA(cudaGraphCreate(&outer, 0));
  int *p = x, one = 1;
  void* arguments[] = {&p, &p, &one};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(2);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = arguments;
  cudaGraphNode_t in, child, behind;
  CUDA(cudaGraphAddKernelNode(&in, inner, nullptr, 0, &kernel));
  CUDA(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner));
  CUDA(cudaGraphAddKernelNode(&behind, outer, &child, 1, &kernel));
  cudaGraphExec_t run;
  CUDA(cudaGraphInstantiate(&run, outer, 0));
  CUDA(cudaGraphLaunch(run, s));
  one = 10;
  CUDA(cudaGraphExecKernelNodeSetParams(run, behind, &kernel));
  CUDA(cudaGraphLaunch(run, s));
  CUDA(cudaStreamSynchronize(s));
  CUDA(cudaGraphExecDestroy(run));
  CUDA(cudaGraphDestroy(outer));
  CUDA(cudaGraphDestroy(inner));
  CUDA(cudaStreamDestroy(s));
  return x.host() == std::vector<int>(kCount, 13);
}
}  // namespace graphs_in_graphs

/// An event that is recorded again: who waited for it before waits for the earlier one.
namespace recorded_again {
PROGRAM(recorded_again) {
  cudaStream_t a = new_stream(), b = new_stream();
  cudaEvent_t e;
  CUDA(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  Array<int> x(kCount), y(kCount), z(kCount);
  CUDA(cudaMemsetAsync(x, 0, kCount * sizeof(int), a));
  CUDA(cudaEventRecord(e, a));
  CUDA(cudaStreamWaitEvent(b, e, 0));
  launch_add(x, y, 1, b);  // reads x, as does what follows on the other stream
  launch_add(x, z, 2, a);
  CUDA(cudaEventRecord(e, b));
  CUDA(cudaStreamWaitEvent(a, e, 0));
  launch_add(y, x, 5, a);
  CUDA(cudaStreamSynchronize(a));
  CUDA(cudaEventDestroy(e));
  CUDA(cudaStreamDestroy(a));
  CUDA(cudaStreamDestroy(b));
  return x.host() == std::vector<int>(kCount, 6) && z.host() == std::vector<int>(kCount, 2);
}
}  // namespace recorded_again

/// An array of the card that the program keeps until its end, and a function that makes it on its first call.
namespace kept_to_the_end {
static Array<int>& kept() {
  static Array<int> x(kCount);
  return x;
}
PROGRAM(kept_to_the_end) {
  kept().zero();
  launch_add(kept(), kept(), 2, nullptr);
  return kept().host() == std::vector<int>(kCount, 2);
}
}  // namespace kept_to_the_end
