// Everything here is ordered, or touches other bytes. Nothing is to be said of it.
#include <thread>
#include <vector>

#include "common.cuh"

__global__ void every_second(char* out, int first, char value) {
  out[2 * (blockIdx.x * blockDim.x + threadIdx.x) + first] = value;
}

static bool all(const int* values, int count, int value) {
  for (int i = 0; i < count; ++i) {
    if (values[i] != value) return false;
  }
  return true;
}
static void say(const char* what, bool right) { printf("%s: %s\n", what, right ? "right" : "wrong"); }

static void halves() {
  int *a = on_card(), *host = page_locked();
  cudaStream_t s[2] = {new_stream(cudaStreamNonBlocking), new_stream(cudaStreamNonBlocking)};
  for (int i = 0; i < 2; ++i) {
    fill<<<kBlocks / 2, kThreads, 0, s[i]>>>(a + i * kCount / 2, 5);
    cudaMemcpyAsync(host + i * kCount / 2, a + i * kCount / 2, kBytes / 2, cudaMemcpyDeviceToHost, s[i]);
  }
  cudaStreamSynchronize(s[0]);
  bool right = all(host, kCount / 2, 5);  // the other half is under way, on the same page
  cudaStreamSynchronize(s[1]);
  say("halves", right && all(host, kCount, 5));
}

static void bytes() {
  char* a = reinterpret_cast<char*>(on_card(kCount / 2));
  cudaStream_t first = new_stream(), second = new_stream();
  every_second<<<kBlocks, kThreads, 0, first>>>(a, 0, 1);
  every_second<<<kBlocks, kThreads, 0, second>>>(a, 1, 1);
  cudaDeviceSynchronize();
  std::vector<int> here(kCount / 2);
  cudaMemcpy(here.data(), a, kBytes / 2, cudaMemcpyDeviceToHost);
  say("bytes", all(here.data(), kCount / 2, 0x01010101));
}

static void both_read() {
  int *a = on_card(), *b = on_card(), *c = on_card();
  cudaStream_t first = new_stream(), second = new_stream();
  add<<<kBlocks, kThreads, 0, first>>>(a, b, 1);
  add<<<kBlocks, kThreads, 0, second>>>(a, c, 1);
  say("both read", expect(b, 1) == 0);
}

static void atomics() {
  int* counter = on_card(1);
  cudaStream_t first = new_stream(), second = new_stream();
  count<<<kBlocks, kThreads, 0, first>>>(counter);
  count<<<kBlocks, kThreads, 0, second>>>(counter);
  say("atomics", expect(counter, 2 * kCount, 1) == 0);
}

static void default_stream() {
  int *a = on_card(), *b = on_card();
  cudaStream_t first = new_stream(), second = new_stream();
  fill<<<kBlocks, kThreads, 0, first>>>(a, 1);
  add<<<kBlocks, kThreads>>>(a, b, 1);
  add<<<kBlocks, kThreads, 0, second>>>(b, a, 1);
  say("default stream", expect(a, 3) == 0);
}

static void pageable() {
  int *a = on_card(), *b = on_card();
  cudaStream_t stream = new_stream();
  std::vector<int> here(kCount, 7);
  cudaMemcpyAsync(a, here.data(), kBytes, cudaMemcpyHostToDevice, stream);
  std::fill(here.begin(), here.end(), 0);  // it was read
  add<<<kBlocks, kThreads, 0, stream>>>(a, b, 1);
  cudaMemcpyAsync(here.data(), b, kBytes, cudaMemcpyDeviceToHost, stream);
  say("pageable", all(here.data(), kCount, 8));
  cudaMemcpy(a, here.data(), kBytes, cudaMemcpyHostToDevice);
  add<<<kBlocks, kThreads, 0, stream>>>(a, b, 1);  // waits for the default stream
  say("pageable, default stream", expect(b, 9) == 0);
}

static void event_waited_for() {
  int *a = on_card(), *host = page_locked();
  cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  cudaEvent_t copied = new_event();
  fill<<<kBlocks, kThreads, 0, stream>>>(a, 2);
  cudaMemcpyAsync(host, a, kBytes, cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(copied, stream);
  fill<<<kBlocks, kThreads, 0, stream>>>(a, 3);
  cudaEventSynchronize(copied);
  say("event", all(host, kCount, 2));
  cudaMemcpyAsync(host, a, kBytes, cudaMemcpyDeviceToHost, stream);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  say("query", all(host, kCount, 3));
}

static void managed() {
  int *a = nullptr, *b = nullptr;
  cudaMallocManaged(&a, kBytes);
  cudaMallocManaged(&b, kBytes);
  fill<<<kBlocks, kThreads>>>(a, 1);
  for (int i = 0; i < kCount; ++i) b[i] = 2;  // nobody else touches it
  cudaDeviceSynchronize();
  say("managed", all(a, kCount, 1) && all(b, kCount, 2));
}

static void pools() {
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t ready = new_event(), used = new_event();
  int *pooled = nullptr, *b = on_card();
  for (int round = 0; round < 2; ++round) {
    cudaMallocAsync(&pooled, kBytes, first);
    fill<<<kBlocks, kThreads, 0, first>>>(pooled, 1);
    cudaEventRecord(ready, first);
    cudaStreamWaitEvent(second, ready);
    add<<<kBlocks, kThreads, 0, second>>>(pooled, b, 1);
    cudaEventRecord(used, second);
    cudaStreamWaitEvent(first, used);
    cudaFreeAsync(pooled, first);
  }
  cudaStreamSynchronize(second);
  say("pools", expect(b, 2) == 0);
}

static void graphs() {
  int *a = on_card(), *b = on_card(), *c = on_card();
  cudaStream_t first = new_stream(), second = new_stream();
  cudaEvent_t forked = new_event(), joined = new_event();
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  add<<<kBlocks, kThreads, 0, first>>>(a, a, 1);
  cudaEventRecord(forked, first);
  cudaStreamWaitEvent(second, forked);
  add<<<kBlocks, kThreads, 0, first>>>(a, b, 1);
  add<<<kBlocks, kThreads, 0, second>>>(a, c, 2);
  cudaEventRecord(joined, second);
  cudaStreamWaitEvent(first, joined);
  add<<<kBlocks, kThreads, 0, first>>>(c, b, 0);
  cudaGraph_t graph;
  cudaStreamEndCapture(first, &graph);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, first);
  cudaStreamSynchronize(first);
  say("graphs", expect(b, 5) == 0);
}

static void threads_of_the_host() {
  int *a = on_card(), *b = on_card();
  std::thread([&] {
    cudaStream_t stream = new_stream();
    fill<<<kBlocks, kThreads, 0, stream>>>(a, 1);
    cudaStreamSynchronize(stream);
  }).join();
  cudaStream_t stream = new_stream();
  add<<<kBlocks, kThreads, 0, stream>>>(a, b, 1);
  say("threads", expect(b, 2) == 0);
}

static void pipeline() {
  constexpr int kParts = 4;
  int *a = on_card(), *in = page_locked(1), *out = page_locked();
  cudaStream_t streams[kParts];
  for (cudaStream_t& stream : streams) stream = new_stream();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kParts; ++i) {
      const int at = i * kCount / kParts;
      cudaMemcpyAsync(a + at, in + at, kBytes / kParts, cudaMemcpyHostToDevice, streams[i]);
      add<<<kBlocks / kParts, kThreads, 0, streams[i]>>>(a + at, a + at, 1);
      cudaMemcpyAsync(out + at, a + at, kBytes / kParts, cudaMemcpyDeviceToHost, streams[i]);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < kCount; ++i) in[i] = out[i];
  }
  say("pipeline", all(out, kCount, 4));
}

int main() {
  halves();
  bytes();
  both_read();
  atomics();
  default_stream();
  pageable();
  event_waited_for();
  managed();
  pools();
  graphs();
  threads_of_the_host();
  pipeline();
}
