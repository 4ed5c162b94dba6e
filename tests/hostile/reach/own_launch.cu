// Its own definition of the function that launches kernels.
#include "good.cuh"

extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t) { return cudaSuccess; }

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
