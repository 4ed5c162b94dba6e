// What is refused by name.
#include <cstdio>

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 4);
  cudaIpcMemHandle_t handle;
  std::printf("%d\n", cudaIpcGetMemHandle(&handle, data));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle condition;
  std::printf("%d\n", cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  std::printf("%d\n", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
#else
  std::printf("%d\n", cudaGraphAddNode(&node, graph, nullptr, 0, &params));
#endif
}
