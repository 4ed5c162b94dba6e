// Memory that a graph allocates: it lives from the allocating node to the freeing one. With an argument it is used after that.
#include <cstdio>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

__global__ void fill(int* data, int value) { data[threadIdx.x] = value + threadIdx.x; }
__global__ void sum(const int* data, int* result) {
  int all = 0;
  for (int i = 0; i < 32; ++i) all += data[i];
  *result = all;
}

int main(int argc, char**) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *result, *scratch, *left;
  cudaMalloc(&result, sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  check("allocate", cudaMallocAsync(&scratch, 32 * sizeof(int), stream) == cudaSuccess);
  fill<<<1, 32, 0, stream>>>(scratch, 1);
  sum<<<1, 1, 0, stream>>>(scratch, result);
  check("free", cudaFreeAsync(scratch, stream) == cudaSuccess);
  if (argc > 1) fill<<<1, 32, 0, stream>>>(scratch, 1);  // <-- freed
  check("capture", cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  size_t count = 4;
  cudaGraphNode_t nodes[4];
  cudaGraphGetNodes(graph, nodes, &count);
  cudaGraphNodeType first, last;
  cudaGraphNodeGetType(nodes[0], &first);
  cudaGraphNodeGetType(nodes[3], &last);
  check("types", first == cudaGraphNodeTypeMemAlloc && last == cudaGraphNodeTypeMemFree);
  check("instantiate", cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  check("once at a time", cudaGraphInstantiate(&exec, graph, 0) == cudaErrorNotSupported);
  check("no clone", cudaGraphClone(&graph, graph) == cudaErrorNotSupported);
  cudaGetLastError();
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(exec, stream);
  int value = 0;
  check("launches", cudaStreamSynchronize(stream) == cudaSuccess);
  cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost);
  check("sum", value == 32 + 31 * 16);

  // What the graph does not free is freed by whoever, before the next launch.
  cudaGraphExec_t keeps;
  cudaGraphNode_t node;
  cudaGraph_t allocating;
  cudaGraphCreate(&allocating, 0);
  cudaMemAllocNodeParams params{};
  params.bytesize = 64;
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  check("node", cudaGraphAddMemAllocNode(&node, allocating, nullptr, 0, &params) == cudaSuccess);
  left = static_cast<int*>(params.dptr);
  check("keeps", cudaGraphInstantiate(&keeps, allocating, 0) == cudaSuccess);
  check("first", cudaGraphLaunch(keeps, stream) == cudaSuccess);
  check("second", cudaGraphLaunch(keeps, stream) == cudaErrorInvalidValue);
  cudaGetLastError();
  check("freed outside", cudaFreeAsync(left, stream) == cudaSuccess && cudaGraphLaunch(keeps, stream) == cudaSuccess);
  check("freed by cudaFree", cudaFree(left) == cudaSuccess);
  cudaGraphExecDestroy(keeps);
  check("automatic", cudaGraphInstantiate(&keeps, allocating, cudaGraphInstantiateFlagAutoFreeOnLaunch) == cudaSuccess);
  check("again and again", cudaGraphLaunch(keeps, stream) == cudaSuccess && cudaGraphLaunch(keeps, stream) == cudaSuccess);
  cudaDeviceSynchronize();
  return wrong;
}
