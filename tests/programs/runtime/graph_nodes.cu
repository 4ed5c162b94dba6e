// Graphs that are built node by node: every type of node, edges, copies, changes, updates.
// With an argument: a mistake that a card answers with an error.
#include <cstdio>
#include <cstring>

static int wrong = 0;
static void check(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  if (!good) wrong = 1;
}

__global__ void add(int* data, int value) { *data += value; }
__global__ void times(int* data, int value) { *data *= value; }
__device__ int variable;
static void CUDART_CB count_up(void* data) { *static_cast<int*>(data) += 1; }

static int value_of(const int* data) {
  int value = -1;
  cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

static cudaKernelNodeParams kernel_params(void* function, void** arguments) {
  cudaKernelNodeParams params{};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  return params;
}

int main(int argc, char**) {
  int *data = nullptr, two = 2, three = 3, host = 5, out = -1, calls = 0;
  cudaMalloc(&data, 2 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaGraph_t graph;
  check("create", cudaGraphCreate(&graph, 0) == cudaSuccess);

  cudaMemsetParams set{};
  set.dst = data;
  set.value = 7;
  set.elementSize = 4;
  set.width = 2;
  set.height = 1;
  set.pitch = 8;
  cudaGraphNode_t zero, plus, by, read, called, empty, recorded, waited;
  check("set", cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &set) == cudaSuccess);
  void* add_arguments[] = {&data, &two};
  void* times_arguments[] = {&data, &three};
  cudaKernelNodeParams add_params = kernel_params((void*)add, add_arguments);
  cudaKernelNodeParams times_params = kernel_params((void*)times, times_arguments);
  // The product is made before the sum, and comes after it by its dependency alone.
  check("kernel", cudaGraphAddKernelNode(&by, graph, nullptr, 0, &times_params) == cudaSuccess);
  check("after", cudaGraphAddKernelNode(&plus, graph, &zero, 1, &add_params) == cudaSuccess);
  check("dependency", cudaGraphAddDependencies(graph, &plus, &by, nullptr, 1) == cudaSuccess);
  check("copy", cudaGraphAddMemcpyNode1D(&read, graph, &by, 1, &out, data, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaHostNodeParams call{count_up, &calls};
  check("host", cudaGraphAddHostNode(&called, graph, &read, 1, &call) == cudaSuccess);
  check("empty", cudaGraphAddEmptyNode(&empty, graph, &called, 1) == cudaSuccess);
  check("record", cudaGraphAddEventRecordNode(&recorded, graph, &empty, 1, event) == cudaSuccess);
  check("wait", cudaGraphAddEventWaitNode(&waited, graph, &recorded, 1, event) == cudaSuccess);

  if (argc > 1) {  // a cycle
    cudaGraphAddDependencies(graph, &read, &plus, nullptr, 1);
    cudaGraphExec_t none;
    std::printf("instantiate: %s\n", cudaGetErrorName(cudaGraphInstantiate(&none, graph, 0)));
    return 0;
  }

  size_t nodes = 0, roots = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  std::printf("%zu nodes, %zu roots, %zu edges\n", nodes, roots, edges);
  cudaGraphNode_t some[2];
  nodes = 2;
  check("some nodes", cudaGraphGetNodes(graph, some, &nodes) == cudaSuccess && nodes == 2 && some[0] == zero && some[1] == by);
  cudaGraphNodeType type;
  check("type", cudaGraphNodeGetType(called, &type) == cudaSuccess && type == cudaGraphNodeTypeHost);

  cudaGraphExec_t exec;
  check("instantiate", cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  check("run", out == (7 + 2) * 3 && calls == 1);
  check("whole elements", value_of(data + 1) == 7);

  // A change of the executable graph leaves the graph as it is.
  int ten = 10;
  void* ten_arguments[] = {&data, &ten};
  cudaKernelNodeParams ten_params = kernel_params((void*)add, ten_arguments);
  check("set parameters", cudaGraphExecKernelNodeSetParams(exec, plus, &ten_params) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  check("changed", out == (7 + 10) * 3);
  cudaKernelNodeParams shown{};
  cudaGraphKernelNodeGetParams(plus, &shown);
  check("kept", *static_cast<int*>(shown.kernelParams[1]) == 2 && shown.func == (void*)add);
  check("disable", cudaGraphNodeSetEnabled(exec, by, 0) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  check("disabled", out == 17);

  check("change the graph", cudaGraphKernelNodeSetParams(by, &ten_params) == cudaSuccess);
  cudaGraphExecUpdateResultInfo info{};
  check("update", cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess && info.result == cudaGraphExecUpdateSuccess);
  cudaGraphNodeSetEnabled(exec, by, 1);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  check("updated", out == 7 + 2 + 10);

  cudaGraph_t clone, parent, inner;
  check("clone", cudaGraphClone(&clone, graph) == cudaSuccess);
  cudaGraphNode_t cloned, child, more;
  check("in the clone", cudaGraphNodeFindInClone(&cloned, by, clone) == cudaSuccess && cloned != by);
  check("destroy a node", cudaGraphDestroyNode(waited) == cudaSuccess);
  check("other nodes", cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure &&
                           info.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGetLastError();

  cudaGraphCreate(&parent, 0);
  check("child", cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, clone) == cudaSuccess);
  check("its graph", cudaGraphChildGraphNodeGetGraph(child, &inner) == cudaSuccess && inner != clone);
  check("not ours", cudaGraphDestroy(inner) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaGraphAddMemcpyNodeToSymbol(&more, parent, &child, 1, variable, &host, sizeof host, 0, cudaMemcpyHostToDevice);
  check("two levels", cudaGraphInstantiate(&exec, parent, 0) == cudaSuccess && cudaGraphDestroy(parent) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpyFromSymbol(&host, variable, sizeof host);
  check("child ran", calls == 5 && host == 5);
  check("gone", cudaGraphGetNodes(parent, nullptr, &nodes) == cudaErrorInvalidValue);
  cudaGetLastError();

  int destroyed = 0;
  cudaUserObject_t object;
  cudaUserObjectCreate(&object, &destroyed, count_up, 1, cudaUserObjectNoDestructorSync);
  cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
  check("object lives", destroyed == 0);
  cudaGraphDestroy(graph);
  check("object gone", destroyed == 1);
  return wrong;
}
