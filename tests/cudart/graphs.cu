// Graphs captured from streams: what is captured runs when the graph is launched, and as often. Which error misuse is given is
// not compared: a card has states of its own for it.
#include <cstdio>

static void check(const char* what, bool good) { printf("%s: %s\n", what, good ? "ok" : "WRONG"); }

__global__ void add(int* data, int value) { *data += value; }
__global__ void times(int* data, int value) { *data *= value; }
__constant__ int factor;
__global__ void times_factor(int* data) { *data *= factor; }
void CUDART_CB count_up(void* data) { *static_cast<int*>(data) += 1; }

static int value_of(const int* data) {
  int value = -1;
  cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

int main() {
  int* data = nullptr;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
  cudaStream_t stream, side;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&side);
  cudaStreamCaptureStatus status{};

  check("begin", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  check("capturing", cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive);
  check("twice", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess);
  cudaGetLastError();
  int calls = 0, three = 3;
  add<<<1, 1, 0, stream>>>(data, 2);
  cudaMemcpyToSymbolAsync(factor, &three, sizeof three, 0, cudaMemcpyHostToDevice, stream);
  cudaLaunchHostFunc(stream, count_up, &calls);
  // Another stream joins by an event, and joins back.
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(side, fork, 0);
  times_factor<<<1, 1, 0, side>>>(data);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(stream, join, 0);
  int out = -1;
  cudaMemcpyAsync(&out, data, sizeof out, cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph{};
  check("end", cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  check("no longer", cudaStreamIsCapturing(side, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
  check("nothing ran", value_of(data) == 0 && calls == 0 && out == -1);

  cudaGraphExec_t executable{};
  check("instantiate", cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  check("destroy", cudaGraphDestroy(graph) == cudaSuccess && cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaStreamDestroy(side);  // launches go to the stream that they name
  check("launch", cudaGraphLaunch(executable, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
  check("once", value_of(data) == 6 && calls == 1 && out == 6);
  three = 1;  // the memory is read when the graph runs
  cudaGraphLaunch(executable, nullptr);
  cudaDeviceSynchronize();
  check("again", value_of(data) == 8 && calls == 2 && out == 8);

  times<<<1, 1, 0, stream>>>(data, 10);
  cudaStreamSynchronize(stream);
  check("streams work on", value_of(data) == 80);
  check("the default stream", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed) != cudaSuccess);
  check("no capture", cudaStreamEndCapture(stream, &graph) != cudaSuccess);
  check("gone", cudaGraphExecDestroy(executable) == cudaSuccess && cudaGraphLaunch(executable, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  check("clean", cudaGetLastError() == cudaSuccess);
}
