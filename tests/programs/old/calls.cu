// Calls, members and signatures as CUDA 4 to 12 had them.
#include <cstdio>

__global__ void fill(int* p, int value) { p[threadIdx.x] = value; }

int main() {
  int device = 0, *p = NULL, *unified = NULL, host[4];
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  std::printf("%d %d %d %d\n", prop.clockRate > 100000, prop.memoryClockRate > 100000, prop.deviceOverlap,
              prop.computeMode == cudaComputeModeDefault);
  size_t stack = 0;
  cudaThreadSetCacheConfig(cudaFuncCachePreferL1);
  std::printf("%s\n", cudaGetErrorName(cudaThreadGetLimit(&stack, cudaLimitStackSize)));

  cudaMalloc((void**)&p, sizeof host);
  fill<<<1, 4>>>(p, 7);
  std::printf("%s\n", cudaGetErrorName(cudaThreadSynchronize()));
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, p);
  std::printf("%d %d\n", attributes.memoryType == cudaMemoryTypeDevice, attributes.isManaged);

  cudaMallocManaged((void**)&unified, sizeof host);
  cudaMemAdvise(unified, sizeof host, cudaMemAdviseSetPreferredLocation, device);
  cudaMemPrefetchAsync(unified, sizeof host, device);
  fill<<<1, 4>>>(unified, 9);
  cudaMemPrefetchAsync(unified, sizeof host, cudaCpuDeviceId, 0);
  cudaThreadSynchronize();
  std::printf("%d\n", unified[3]);

  // Arguments by their offsets, in any order.
  int value = 11;
  cudaConfigureCall(1, 4);
  cudaSetupArgument(&value, sizeof value, sizeof p);
  cudaSetupArgument(&p, sizeof p, 0);
  std::printf("%s ", cudaGetErrorName(cudaLaunch(fill)));
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[3]);

  cudaGraph_t graph;
  cudaGraphNode_t first, second, from[1], to[1];
  size_t count = 1;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&first, graph, NULL, 0);
  cudaGraphAddEmptyNode(&second, graph, NULL, 0);
  cudaGraphAddDependencies(graph, &first, &second, 1);
  cudaGraphGetEdges(graph, from, to, &count);
  std::printf("%d %d\n", (int)count, from[0] == first && to[0] == second);
  cudaGraphExec_t exec;
  std::printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0)));
  cudaThreadExit();
}
