// Streams, events, graphs, pools: operations that overlap where they may and are ordered where they must.
#include "silent.cuh"

static constexpr int kCount = 1024;

__global__ void add(const int* in, int* out, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + value;
}
static void launch_add(const int* in, int* out, int value, int n, cudaStream_t stream) {
  add<<<blocks_for(n, 128), 128, 0, stream>>>(in, out, value, n);
}

/// Some streams, gone with the object.
template <int N>
struct Streams {
  explicit Streams(unsigned flags = cudaStreamDefault) {
    for (cudaStream_t& s : all) CUDA(cudaStreamCreateWithFlags(&s, flags));
  }
  ~Streams() {
    for (cudaStream_t s : all) cudaStreamDestroy(s);
  }
  cudaStream_t operator[](int i) const { return all[i]; }
  cudaStream_t all[N];
};
struct Event {
  Event() { CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event); }
  operator cudaEvent_t() const { return event; }
  cudaEvent_t event;
};
/// Page-locked memory of the host.
struct Locked {
  explicit Locked(int n) { CUDA(cudaMallocHost(&data, n * sizeof(int))); }
  ~Locked() { cudaFreeHost(data); }
  operator int*() const { return data; }
  int* data;
};

/// Chunks, a stream each: copied in, worked on, copied out; the host waits for all.
namespace chunks {
PROGRAM(chunks) {
  Streams<4> streams;
  Locked in(kCount), out(kCount);
  Array<int> a(kCount), b(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i;
  const int part = kCount / 4;
  for (int k = 0; k < 4; ++k) {
    const int at = k * part;
    CUDA(cudaMemcpyAsync(a + at, in + at, part * sizeof(int), cudaMemcpyHostToDevice, streams[k]));
    launch_add(a + at, b + at, 7, part, streams[k]);
    CUDA(cudaMemcpyAsync(out + at, b + at, part * sizeof(int), cudaMemcpyDeviceToHost, streams[k]));
  }
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i)
    if (out[i] != i + 7) return false;
  return true;
}
}  // namespace chunks

/// Two buffers by turns: before one is filled again, its stream has been waited for.
namespace two_buffers {
PROGRAM(two_buffers) {
  Streams<2> streams(cudaStreamNonBlocking);
  Locked in0(256), in1(256), out0(256), out1(256);
  int *in[] = {in0, in1}, *out[] = {out0, out1};
  Array<int> card0(256), card1(256);
  int* card[] = {card0, card1};
  bool right = true;
  for (int k = 0; k < 6; ++k) {
    const int b = k % 2;
    if (k >= 2) {
      CUDA(cudaStreamSynchronize(streams[b]));
      for (int i = 0; i < 256; ++i) right = right && out[b][i] == (k - 2) * 1000 + i + 1;
    }
    for (int i = 0; i < 256; ++i) in[b][i] = k * 1000 + i;
    CUDA(cudaMemcpyAsync(card[b], in[b], 1024, cudaMemcpyHostToDevice, streams[b]));
    launch_add(card[b], card[b], 1, 256, streams[b]);
    CUDA(cudaMemcpyAsync(out[b], card[b], 1024, cudaMemcpyDeviceToHost, streams[b]));
  }
  CUDA(cudaStreamSynchronize(streams[0]));
  CUDA(cudaStreamSynchronize(streams[1]));
  return right && out[1][5] == 5006;
}
}  // namespace two_buffers

/// One stream makes, two take, a fourth joins what they made.
namespace fork_and_join {
__global__ void sum(const int* a, const int* b, int* out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }
PROGRAM(fork_and_join) {
  Streams<4> s(cudaStreamNonBlocking);
  Event made, left, right;
  Array<int> a(numbers(128, 100)), b(128), c(128), d(128), out(128);
  CUDA(cudaDeviceSynchronize());
  launch_add(a, b, 1, 128, s[0]);
  CUDA(cudaEventRecord(made, s[0]));
  CUDA(cudaStreamWaitEvent(s[1], made, 0));
  CUDA(cudaStreamWaitEvent(s[2], made, 0));
  launch_add(b, c, 10, 128, s[1]);
  launch_add(b, d, 20, 128, s[2]);
  CUDA(cudaEventRecord(left, s[1]));
  CUDA(cudaEventRecord(right, s[2]));
  CUDA(cudaStreamWaitEvent(s[3], left, 0));
  CUDA(cudaStreamWaitEvent(s[3], right, 0));
  sum<<<1, 128, 0, s[3]>>>(c, d, out);
  CUDA(cudaStreamSynchronize(s[3]));
  const auto in = a.host(), got = out.host();
  for (int i = 0; i < 128; ++i)
    if (got[i] != 2 * in[i] + 32) return false;
  return true;
}
}  // namespace fork_and_join

/// A chain through events that are used again and again.
namespace handed_round {
PROGRAM(handed_round) {
  Streams<3> s(cudaStreamNonBlocking);
  Event e[3];
  Array<int> a(64);
  CUDA(cudaMemsetAsync(a, 0, 256, s[0]));
  CUDA(cudaEventRecord(e[0], s[0]));
  for (int k = 1; k < 10; ++k) {
    CUDA(cudaStreamWaitEvent(s[k % 3], e[(k - 1) % 3], 0));
    launch_add(a, a, k, 64, s[k % 3]);
    CUDA(cudaEventRecord(e[k % 3], s[k % 3]));
  }
  CUDA(cudaEventSynchronize(e[0]));
  return a.host() == std::vector<int>(64, 45);
}
}  // namespace handed_round

/// The default stream between two others that wait for it, and it for them.
namespace default_between {
PROGRAM(default_between) {
  Streams<2> s;
  Array<int> a(64), b(64);
  CUDA(cudaMemsetAsync(a, 0, 256, s[0]));
  launch_add(a, b, 3, 64, nullptr);
  launch_add(b, a, 4, 64, s[1]);
  const auto got = a.host();
  return got == std::vector<int>(64, 7);
}
}  // namespace default_between

/// The host asks now and then whether it is done.
namespace polled {
PROGRAM(polled) {
  Streams<1> s(cudaStreamNonBlocking);
  Event done;
  Locked out(64);
  Array<int> a(64);
  CUDA(cudaMemsetAsync(a, 0, 256, s[0]));
  for (int k = 0; k < 5; ++k) launch_add(a, a, k, 64, s[0]);
  CUDA(cudaMemcpyAsync(out, a, 256, cudaMemcpyDeviceToHost, s[0]));
  CUDA(cudaEventRecord(done, s[0]));
  int own_work = 0;
  while (cudaEventQuery(done) == cudaErrorNotReady) ++own_work;
  (void)cudaGetLastError();  // which is cudaErrorNotReady, if it was ever asked too early
  return out[0] == 10 && out[63] == 10 && own_work >= 0;
}
}  // namespace polled

/// Time between two events, which the host waits for.
namespace timed {
PROGRAM(timed) {
  cudaEvent_t begin, end;
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  Array<int> a(kCount);
  CUDA(cudaEventRecord(begin));
  CUDA(cudaMemsetAsync(a, 0, kCount * sizeof(int)));
  launch_add(a, a, 1, kCount, nullptr);
  CUDA(cudaEventRecord(end));
  CUDA(cudaEventSynchronize(end));
  float ms = -1;
  CUDA(cudaEventElapsedTime(&ms, begin, end));
  CUDA(cudaEventDestroy(begin));
  CUDA(cudaEventDestroy(end));
  return ms >= 0 && a.host()[5] == 1;
}
}  // namespace timed

/// Streams of two priorities.
namespace priorities {
PROGRAM(priorities) {
  int low = 0, high = 0;
  CUDA(cudaDeviceGetStreamPriorityRange(&low, &high));
  cudaStream_t background, urgent;
  CUDA(cudaStreamCreateWithPriority(&background, cudaStreamNonBlocking, low));
  CUDA(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, high));
  Array<int> a(64), b(64);
  CUDA(cudaMemsetAsync(a, 0, 256, background));
  CUDA(cudaMemsetAsync(b, 0, 256, urgent));
  for (int k = 0; k < 4; ++k) launch_add(a, a, 1, 64, background);
  launch_add(b, b, 2, 64, urgent);
  CUDA(cudaStreamSynchronize(urgent));
  const bool right = b.host() == std::vector<int>(64, 2);
  CUDA(cudaStreamSynchronize(background));
  CUDA(cudaStreamDestroy(background));
  CUDA(cudaStreamDestroy(urgent));
  return right && a.host() == std::vector<int>(64, 4);
}
}  // namespace priorities

/// A function of the host in the order of its stream.
namespace host_function {
struct Job {
  const int* data;
  int sum;
};
static void CUDART_CB add_up(void* job) {
  Job* j = static_cast<Job*>(job);
  for (int i = 0; i < 64; ++i) j->sum += j->data[i];
}
PROGRAM(host_function) {
  Streams<1> s(cudaStreamNonBlocking);
  Locked out(64);
  Array<int> a(64);
  Job job{out, 0};
  CUDA(cudaMemsetAsync(a, 0, 256, s[0]));
  launch_add(a, a, 2, 64, s[0]);
  CUDA(cudaMemcpyAsync(out, a, 256, cudaMemcpyDeviceToHost, s[0]));
  CUDA(cudaLaunchHostFunc(s[0], add_up, &job));
  CUDA(cudaMemsetAsync(a, 0, 256, s[0]));
  CUDA(cudaStreamSynchronize(s[0]));
  return job.sum == 128;
}
}  // namespace host_function

/// Memory that is taken and given back in the order of a stream.
namespace pool {
PROGRAM(pool) {
  Streams<1> s(cudaStreamNonBlocking);
  Locked out(64);
  for (int k = 0; k < 3; ++k) {
    int *a = nullptr, *b = nullptr;
    CUDA(cudaMallocAsync(&a, 256, s[0]));
    CUDA(cudaMallocAsync(&b, 256, s[0]));
    CUDA(cudaMemsetAsync(a, 0, 256, s[0]));
    launch_add(a, b, k, 64, s[0]);
    CUDA(cudaFreeAsync(a, s[0]));
    CUDA(cudaMemcpyAsync(out, b, 256, cudaMemcpyDeviceToHost, s[0]));
    CUDA(cudaFreeAsync(b, s[0]));
    CUDA(cudaStreamSynchronize(s[0]));
    if (out[0] != k || out[63] != k) return false;
  }
  return true;
}
}  // namespace pool

/// Captured once, launched often; its input changes in between, behind a wait.
namespace captured {
PROGRAM(captured) {
  Streams<2> s(cudaStreamNonBlocking);
  Event fork, join;
  Locked in(64), out(64);
  Array<int> a(64), b(64), c(64);
  cudaGraph_t graph;
  cudaGraphExec_t run;
  CUDA(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeThreadLocal));
  CUDA(cudaMemcpyAsync(a, in, 256, cudaMemcpyHostToDevice, s[0]));
  CUDA(cudaEventRecord(fork, s[0]));
  CUDA(cudaStreamWaitEvent(s[1], fork, 0));
  launch_add(a, b, 1, 64, s[0]);
  launch_add(a, c, 2, 64, s[1]);
  CUDA(cudaEventRecord(join, s[1]));
  CUDA(cudaStreamWaitEvent(s[0], join, 0));
  launch_add(c, b, 5, 64, s[0]);
  CUDA(cudaMemcpyAsync(out, b, 256, cudaMemcpyDeviceToHost, s[0]));
  CUDA(cudaStreamEndCapture(s[0], &graph));
  CUDA(cudaGraphInstantiate(&run, graph, 0));
  bool right = true;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 64; ++i) in[i] = i * k;
    CUDA(cudaGraphLaunch(run, s[0]));
    CUDA(cudaStreamSynchronize(s[0]));
    for (int i = 0; i < 64; ++i) right = right && out[i] == i * k + 7;
  }
  CUDA(cudaGraphExecDestroy(run));
  CUDA(cudaGraphDestroy(graph));
  return right;
}
}  // namespace captured

/// A graph of nodes: a set, two kernels on halves, a copy behind both.
namespace graph_of_nodes {
PROGRAM(graph_of_nodes) {
  Array<int> a(128);
  std::vector<int> out(128);
  cudaGraph_t graph;
  CUDA(cudaGraphCreate(&graph, 0));
  cudaMemsetParams set{};
  set.dst = a;
  set.elementSize = 4;
  set.width = 128;
  set.height = 1;
  cudaGraphNode_t zero, halves[2], copy;
  CUDA(cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &set));
  for (int h = 0; h < 2; ++h) {
    int* at = a + h * 64;
    int value = h + 1, n = 64;
    void* arguments[] = {&at, &at, &value, &n};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = arguments;
    CUDA(cudaGraphAddKernelNode(&halves[h], graph, &zero, 1, &kernel));
  }
  CUDA(cudaGraphAddMemcpyNode1D(&copy, graph, halves, 2, out.data(), a, 512, cudaMemcpyDeviceToHost));
  cudaGraphExec_t run;
  CUDA(cudaGraphInstantiate(&run, graph, 0));
  CUDA(cudaGraphLaunch(run, nullptr));
  CUDA(cudaStreamSynchronize(nullptr));
  CUDA(cudaGraphExecDestroy(run));
  CUDA(cudaGraphDestroy(graph));
  for (int i = 0; i < 128; ++i)
    if (out[i] != (i < 64 ? 1 : 2)) return false;
  return true;
}
}  // namespace graph_of_nodes

/// Neighbouring streams write into one array, and one counter by atomics.
namespace shared_counter {
__global__ void count_even(const int* in, int* total, int n) {
  const int i = threadIdx.x;
  if (i < n && in[i] % 2 == 0) atomicAdd(total, 1);
}
PROGRAM(shared_counter) {
  Streams<3> s(cudaStreamNonBlocking);
  const auto in = numbers(192, 100);
  Array<int> a(in), total(1);
  total.zero();
  CUDA(cudaDeviceSynchronize());
  for (int k = 0; k < 3; ++k) count_even<<<1, 64, 0, s[k]>>>(a + 64 * k, total, 64);
  for (int k = 0; k < 3; ++k) CUDA(cudaStreamSynchronize(s[k]));
  return total.host()[0] == std::count_if(in.begin(), in.end(), [](int v) { return v % 2 == 0; });
}
}  // namespace shared_counter

/// Page-locked memory that the kernel touches itself.
namespace mapped {
PROGRAM(mapped) {
  int *in = nullptr, *out = nullptr, *card_in = nullptr, *card_out = nullptr;
  CUDA(cudaHostAlloc(&in, 256, cudaHostAllocMapped));
  CUDA(cudaHostAlloc(&out, 256, cudaHostAllocMapped));
  CUDA(cudaHostGetDevicePointer(&card_in, in, 0));
  CUDA(cudaHostGetDevicePointer(&card_out, out, 0));
  for (int i = 0; i < 64; ++i) in[i] = i;
  launch_add(card_in, card_out, 5, 64, nullptr);
  CUDA(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < 64; ++i) right = right && out[i] == i + 5;
  CUDA(cudaFreeHost(in));
  CUDA(cudaFreeHost(out));
  return right;
}
}  // namespace mapped

/// The program's own memory, locked for a while.
namespace registered {
PROGRAM(registered) {
  std::vector<int> here(4096, 3);
  Streams<1> s;
  Array<int> a(4096);
  CUDA(cudaHostRegister(here.data(), 4096 * sizeof(int), cudaHostRegisterDefault));
  CUDA(cudaMemcpyAsync(a, here.data(), 4096 * sizeof(int), cudaMemcpyHostToDevice, s[0]));
  launch_add(a, a, 1, 4096, s[0]);
  CUDA(cudaMemcpyAsync(here.data(), a, 4096 * sizeof(int), cudaMemcpyDeviceToHost, s[0]));
  CUDA(cudaStreamSynchronize(s[0]));
  CUDA(cudaHostUnregister(here.data()));
  return here == std::vector<int>(4096, 4);
}
}  // namespace registered

/// Pageable memory may be changed as soon as its copy to the card has returned.
namespace pageable {
PROGRAM(pageable) {
  Streams<1> s;
  std::vector<int> here(64, 1);
  Array<int> a(64), b(64);
  CUDA(cudaMemcpyAsync(a, here.data(), 256, cudaMemcpyHostToDevice, s[0]));
  std::fill(here.begin(), here.end(), 2);
  CUDA(cudaMemcpyAsync(b, here.data(), 256, cudaMemcpyHostToDevice, s[0]));
  launch_add(a, a, 10, 64, s[0]);
  CUDA(cudaMemcpyAsync(here.data(), a, 256, cudaMemcpyDeviceToHost, s[0]));
  CUDA(cudaStreamSynchronize(s[0]));
  return here == std::vector<int>(64, 11) && b.host() == std::vector<int>(64, 2);
}
}  // namespace pageable

/// Managed memory in parts: the host writes one while nothing runs, and reads it behind the wait.
namespace managed_halves {
PROGRAM(managed_halves) {
  Streams<1> s;
  int *a = nullptr, *b = nullptr;
  CUDA(cudaMallocManaged(&a, 256));
  CUDA(cudaMallocManaged(&b, 256));
  for (int i = 0; i < 64; ++i) a[i] = i;
  CUDA(cudaMemPrefetchAsync(a, 256, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, s[0]));
  launch_add(a, b, 1, 64, s[0]);
  CUDA(cudaStreamSynchronize(s[0]));
  for (int i = 0; i < 64; ++i) b[i] *= 2;
  launch_add(b, a, 1, 64, s[0]);
  CUDA(cudaStreamSynchronize(s[0]));
  bool right = true;
  for (int i = 0; i < 64; ++i) right = right && a[i] == (i + 1) * 2 + 1;
  CUDA(cudaFree(a));
  CUDA(cudaFree(b));
  return right;
}
}  // namespace managed_halves

/// What a card can do with a kernel, asked and used for its launch.
namespace by_occupancy {
PROGRAM(by_occupancy) {
  int least = 0, block = 0, at_once = 0;
  CUDA(cudaOccupancyMaxPotentialBlockSize(&least, &block, add, 0, 0));
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&at_once, add, block, 0));
  cudaDeviceProp card{};
  CUDA(cudaGetDeviceProperties(&card, 0));
  Array<int> a(std::vector<int>(3000, 1)), b(3000);
  add<<<blocks_for(3000, block), block>>>(a, b, 2, 3000);
  return least > 0 && at_once > 0 && block % card.warpSize == 0 && b.host() == std::vector<int>(3000, 3);
}
}  // namespace by_occupancy

/// A rectangle set, and a part of it cut out.
namespace rectangles {
PROGRAM(rectangles) {
  Streams<1> s;
  Array<int> a(16 * 20), b(8 * 10);
  CUDA(cudaMemset2DAsync(a, 20 * sizeof(int), 0, 20 * sizeof(int), 16, s[0]));
  CUDA(cudaMemset2DAsync(a + 2 * 20 + 3, 20 * sizeof(int), 1, 10 * sizeof(int), 8, s[0]));
  CUDA(cudaMemcpy2DAsync(b, 10 * sizeof(int), a + 3 * 20 + 4, 20 * sizeof(int), 10 * sizeof(int), 8, cudaMemcpyDeviceToDevice, s[0]));
  CUDA(cudaStreamSynchronize(s[0]));
  const auto got = b.host();
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 10; ++x)
      if (got[y * 10 + x] != (y < 7 && x < 9 ? 0x01010101 : 0)) return false;
  return true;
}
}  // namespace rectangles
