#pragma once
// The C++ side of the runtime API: the same functions for typed pointers, kernels and variables, and with
// fewer arguments.

#include <utility>

#include "cudalabs/api/calls.h"
#include "cudalabs/api/flags.h"
#include "cudalabs/api/makers.h"

#define CUDALABS_CALL static __inline__ __attribute__((unused)) cudaError_t

// <<<...>>> compiles to this: it pushes the configuration, and the kernel's stub pops it.
extern "C" unsigned __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem = 0,
                                                cudaStream_t stream = 0);

// ---- memory: T** where the call has void** ---------------------------------------------------------------

template <class T>
CUDALABS_CALL cudaMalloc(T** devPtr, size_t size) {
  return ::cudaMalloc((void**)devPtr, size);
}
template <class T>
CUDALABS_CALL cudaMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)devPtr, pitch, width, height);
}
template <class T>
CUDALABS_CALL cudaMallocManaged(T** devPtr, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)devPtr, size, flags);
}
CUDALABS_CALL cudaMallocHost(void** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(ptr, size, flags);
}
template <class T>
CUDALABS_CALL cudaMallocHost(T** ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}
template <class T>
CUDALABS_CALL cudaHostAlloc(T** ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)ptr, size, flags);
}
template <class T>
CUDALABS_CALL cudaHostGetDevicePointer(T** pDevice, void* pHost, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)pDevice, pHost, flags);
}
template <class T>
CUDALABS_CALL cudaMallocAsync(T** ptr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)ptr, size, stream);
}
CUDALABS_CALL cudaMallocAsync(void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(ptr, size, memPool, stream);
}
template <class T>
CUDALABS_CALL cudaMallocAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, memPool, stream);
}
template <class T>
CUDALABS_CALL cudaMallocFromPoolAsync(T** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)ptr, size, memPool, stream);
}
template <class T>
CUDALABS_CALL cudaStreamAttachMemAsync(cudaStream_t stream, T* devPtr, size_t length = 0,
                                       unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(devPtr), length, flags);
}
template <class T, class U>
CUDALABS_CALL cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes, size_t count,
                                   cudaMemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                                   cudaStream_t hStream) {
  return ::cudaMemcpyBatchAsync((void* const*)dsts, (const void* const*)srcs, sizes, count, attrs, attrsIdxs,
                                numAttrs, hStream);
}
template <class T, class U>
CUDALABS_CALL cudaMemcpyBatchAsync(T* const* dsts, U* const* srcs, const size_t* sizes, size_t count,
                                   cudaMemcpyAttributes attr, cudaStream_t hStream) {
  size_t first = 0;
  return cudaMemcpyBatchAsync(dsts, srcs, sizes, count, &attr, &first, 1, hStream);
}
template <class T>
CUDALABS_CALL cudaMemPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count, cudaMemLocation* prefetchLocs,
                                        size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                        unsigned long long flags, cudaStream_t stream) {
  return ::cudaMemPrefetchBatchAsync((void**)dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                     numPrefetchLocs, flags, stream);
}
template <class T>
CUDALABS_CALL cudaMemPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count, cudaMemLocation prefetchLocs,
                                        unsigned long long flags, cudaStream_t stream) {
  size_t first = 0;
  return cudaMemPrefetchBatchAsync(dptrs, sizes, count, &prefetchLocs, &first, 1, flags, stream);
}
template <class T>
CUDALABS_CALL cudaMemDiscardAndPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                  cudaMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                                  size_t numPrefetchLocs, unsigned long long flags,
                                                  cudaStream_t stream) {
  return ::cudaMemDiscardAndPrefetchBatchAsync((void**)dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                                               numPrefetchLocs, flags, stream);
}
template <class T>
CUDALABS_CALL cudaMemDiscardAndPrefetchBatchAsync(T** dptrs, size_t* sizes, size_t count,
                                                  cudaMemLocation prefetchLocs, unsigned long long flags,
                                                  cudaStream_t stream) {
  size_t first = 0;
  return cudaMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, &prefetchLocs, &first, 1, flags, stream);
}

// ---- variables: by reference where the call has an address -----------------------------------------------

template <class T>
CUDALABS_CALL cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, src, count, offset, kind);
}
template <class T>
CUDALABS_CALL cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, src, count, offset, kind, stream);
}
template <class T>
CUDALABS_CALL cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
CUDALABS_CALL cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                        cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
CUDALABS_CALL cudaGetSymbolAddress(void** devPtr, const T& symbol) {
  return ::cudaGetSymbolAddress(devPtr, (const void*)&symbol);
}
template <class T>
CUDALABS_CALL cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

// ---- kernels: any pointer to a function ------------------------------------------------------------------

template <class T>
CUDALABS_CALL cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0,
                               cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
CUDALABS_CALL cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args,
                                          size_t sharedMem = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)func, gridDim, blockDim, args, sharedMem, stream);
}
template <class... Parameters, class... Arguments>
CUDALABS_CALL cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                 Arguments&&... args) {
  // Converts each argument to the kernel's parameter type before its address is passed.
  return [&](Parameters... converted) {
    void* places[] = {(void*)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, places);
  }(std::forward<Arguments>(args)...);
}
template <class... Arguments>
CUDALABS_CALL cudaLaunchKernelEx(const cudaLaunchConfig_t* config, const cudaKernel_t kernel,
                                 Arguments&&... args) {
  void* places[] = {(void*)&args..., nullptr};
  return ::cudaLaunchKernelExC(config, (const void*)kernel, places);
}
template <class T>
CUDALABS_CALL cudaFuncGetAttributes(cudaFuncAttributes* attr, T* entry) {
  return ::cudaFuncGetAttributes(attr, (const void*)entry);
}
template <class T>
CUDALABS_CALL cudaFuncSetAttribute(T* func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute((const void*)func, attr, value);
}
template <class T>
CUDALABS_CALL cudaFuncSetCacheConfig(T* func, cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig((const void*)func, cacheConfig);
}
template <class T>
CUDALABS_CALL cudaFuncSetSharedMemConfig(T* func, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)func, config);
}
template <class T>
CUDALABS_CALL cudaFuncGetName(const char** name, T* func) {
  return ::cudaFuncGetName(name, (const void*)func);
}
template <class T>
CUDALABS_CALL cudaGetKernel(cudaKernel_t* kernelPtr, T* func) {
  return ::cudaGetKernel(kernelPtr, (const void*)func);
}

// ---- occupancy -------------------------------------------------------------------------------------------

template <class T>
CUDALABS_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T func, int blockSize,
                                                            size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void*)func, blockSize,
                                                         dynamicSMemSize);
}
template <class T>
CUDALABS_CALL cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T func, int blockSize,
                                                                     size_t dynamicSMemSize,
                                                                     unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, (const void*)func, blockSize,
                                                                  dynamicSMemSize, flags);
}
template <class T>
CUDALABS_CALL cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T* func, int numBlocks,
                                                        int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, (const void*)func, numBlocks,
                                                     blockSize);
}
template <class T>
CUDALABS_CALL cudaOccupancyMaxPotentialClusterSize(int* clusterSize, T* func,
                                                   const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void*)func, config);
}
template <class T>
CUDALABS_CALL cudaOccupancyMaxActiveClusters(int* numClusters, T* func, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, (const void*)func, config);
}

/// The block size that keeps most threads of a multiprocessor busy (the largest of equally good ones), and
/// the grid that fills the device with such blocks.
template <class SharedOfBlock, class T>
CUDALABS_CALL cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* minGridSize, int* blockSize, T func, SharedOfBlock blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  if (minGridSize == nullptr || blockSize == nullptr || func == nullptr) return cudaErrorInvalidValue;
  int device = 0, multiprocessors = 0, threads_at_once = 0, largest = 0, warp = 0;
  cudaFuncAttributes kernel;
  cudaError_t error = ::cudaGetDevice(&device);
  const auto ask = [&](int* value, cudaDeviceAttr attribute) {
    if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(value, attribute, device);
  };
  ask(&multiprocessors, cudaDevAttrMultiProcessorCount);
  ask(&threads_at_once, cudaDevAttrMaxThreadsPerMultiProcessor);
  ask(&largest, cudaDevAttrMaxThreadsPerBlock);
  ask(&warp, cudaDevAttrWarpSize);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&kernel, func);
  if (error != cudaSuccess) return error;
  if (kernel.maxThreadsPerBlock < largest) largest = kernel.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < largest) largest = blockSizeLimit;

  int best_threads = 0, best_blocks = 0, best_size = 0;
  for (int rounded = (largest + warp - 1) / warp * warp; rounded > 0 && best_threads < threads_at_once;
       rounded -= warp) {
    const int size = rounded < largest ? rounded : largest;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, func, size,
                                                                   blockSizeToDynamicSMemSize(size), flags);
    if (error != cudaSuccess) return error;
    if (size * blocks > best_threads) {
      best_threads = size * blocks;
      best_blocks = blocks;
      best_size = size;
    }
  }
  *minGridSize = best_blocks * multiprocessors;
  *blockSize = best_size;
  return cudaSuccess;
}
template <class SharedOfBlock, class T>
CUDALABS_CALL cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T func,
                                                             SharedOfBlock blockSizeToDynamicSMemSize,
                                                             int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                 blockSizeToDynamicSMemSize, blockSizeLimit);
}
template <class T>
CUDALABS_CALL cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T func,
                                                          size_t dynamicSMemSize = 0, int blockSizeLimit = 0,
                                                          unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, [dynamicSMemSize](int) { return dynamicSMemSize; }, blockSizeLimit,
      flags);
}
template <class T>
CUDALABS_CALL cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T func,
                                                 size_t dynamicSMemSize = 0, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSMemSize,
                                                     blockSizeLimit);
}

// ---- events and graphs -----------------------------------------------------------------------------------

CUDALABS_CALL cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
CUDALABS_CALL cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t numDependencies,
                                             const T& symbol, const void* src, size_t count, size_t offset,
                                             cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, numDependencies, (const void*)&symbol,
                                          src, count, offset, kind);
}
template <class T>
CUDALABS_CALL cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, size_t numDependencies,
                                               void* dst, const T& symbol, size_t count, size_t offset,
                                               cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, numDependencies, dst,
                                            (const void*)&symbol, count, offset, kind);
}
template <class T>
CUDALABS_CALL cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T& symbol, const void* src,
                                                   size_t count, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void*)&symbol, src, count, offset, kind);
}
template <class T>
CUDALABS_CALL cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const T& symbol,
                                                     size_t count, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, (const void*)&symbol, count, offset, kind);
}
template <class T>
CUDALABS_CALL cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       const T& symbol, const void* src, size_t count,
                                                       size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, (const void*)&symbol, src, count, offset,
                                                    kind);
}
template <class T>
CUDALABS_CALL cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                         void* dst, const T& symbol, size_t count,
                                                         size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, dst, (const void*)&symbol, count, offset,
                                                      kind);
}
CUDALABS_CALL cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                   cudaGraphNode_t* pErrorNode, char* pLogBuffer, size_t bufferSize) {
  if (pErrorNode != nullptr) *pErrorNode = nullptr;
  if (pLogBuffer != nullptr && bufferSize > 0) *pLogBuffer = 0;
  return ::cudaGraphInstantiate(pGraphExec, graph, 0);
}
CUDALABS_CALL cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                  cudaGraphNode_t* hErrorNode_out,
                                  cudaGraphExecUpdateResult* updateResult_out) {
  cudaGraphExecUpdateResultInfo found{};
  const cudaError_t error = ::cudaGraphExecUpdate(hGraphExec, hGraph, &found);
  if (hErrorNode_out != nullptr) *hErrorNode_out = found.errorNode;
  if (updateResult_out != nullptr) *updateResult_out = found.result;
  return error;
}

#undef CUDALABS_CALL
