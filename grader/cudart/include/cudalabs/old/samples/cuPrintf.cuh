#pragma once
// Printing from kernels before CUDA had printf() there.

#include <cuda_runtime.h>

#include <cstdio>

#define cuPrintf printf
#define cuPrintfRestrict(thread, block)
static inline cudaError_t cudaPrintfInit(size_t = 0) { return cudaSuccess; }
static inline void cudaPrintfEnd() {}
static inline cudaError_t cudaPrintfDisplay(void* = nullptr, bool = false) { return cudaDeviceSynchronize(); }
