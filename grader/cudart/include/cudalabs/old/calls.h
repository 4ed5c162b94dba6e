#pragma once
// Calls that CUDA 13 has no longer, or has with other parameters.

#include <cuda_runtime.h>

#define CUDALABS_OLD_CALL static inline cudaError_t

// ---- threads, whose name was given up for "device" in CUDA 4 ----
CUDALABS_OLD_CALL cudaThreadSynchronize() { return ::cudaDeviceSynchronize(); }
CUDALABS_OLD_CALL cudaThreadExit() { return ::cudaDeviceReset(); }
CUDALABS_OLD_CALL cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return ::cudaDeviceSetLimit(limit, value);
}
CUDALABS_OLD_CALL cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return ::cudaDeviceGetLimit(value, limit);
}
CUDALABS_OLD_CALL cudaThreadSetCacheConfig(cudaFuncCache config) {
  return ::cudaDeviceSetCacheConfig(config);
}
CUDALABS_OLD_CALL cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return ::cudaDeviceGetCacheConfig(config);
}

// ---- a device's number, where a place in memory is named today ----
static inline cudaMemLocation cudalabs_location(int device) {
  cudaMemLocation place = {};
  place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device == cudaCpuDeviceId ? 0 : device;
  return place;
}
CUDALABS_OLD_CALL cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                       cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(pointer, bytes, cudalabs_location(device), 0, stream);
}
CUDALABS_OLD_CALL cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
  return ::cudaMemAdvise(pointer, bytes, advice, cudalabs_location(device));
}

// ---- graphs without data of their edges ----
CUDALABS_OLD_CALL cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
CUDALABS_OLD_CALL cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                              const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
CUDALABS_OLD_CALL cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                    size_t* count) {
  return ::cudaGraphGetEdges(graph, from, to, nullptr, count);
}
CUDALABS_OLD_CALL cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  return ::cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}
CUDALABS_OLD_CALL cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                 size_t* count) {
  return ::cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}
CUDALABS_OLD_CALL cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                      size_t count, unsigned flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}
CUDALABS_OLD_CALL cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                              unsigned long long* id = nullptr, cudaGraph_t* graph = nullptr,
                                              const cudaGraphNode_t** nodes = nullptr,
                                              size_t* count = nullptr) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, nullptr, count);
}
CUDALABS_OLD_CALL cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode(node, graph, after, nullptr, count, parameters);
}
CUDALABS_OLD_CALL cudaStreamBeginCapture(cudaStream_t stream) {
  return ::cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

// ---- calls that had nothing left to do ----
CUDALABS_OLD_CALL cudaSetDoubleForDevice(double*) { return cudaSuccess; }
CUDALABS_OLD_CALL cudaSetDoubleForHost(double*) { return cudaSuccess; }
