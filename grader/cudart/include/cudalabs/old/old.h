#ifndef CUDALABS_OLD_H
#define CUDALABS_OLD_H
// What CUDA had once and CUDA 13 has no longer. The grader includes this before a program that does not
// compile without it, for nvcc and clang alike (grader/toolchain/options/old_cuda.h). All of it is made of
// today's API.

#include <cuda_runtime.h>

#ifdef __cplusplus
#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
#include "calls.h"
#include "thrust.h"
#ifdef CUDALABS_OLD_MEMBERS
#include "properties.h"
#endif
#endif
#include "launch.h"
#ifdef __CUDACC__
#ifdef CUDALABS_OLD_TEXTURES
#include "textures.h"
#endif
#ifdef CUDALABS_OLD_SURFACES
#include "surfaces.h"
#endif
#include "warp.h"
#endif
#if defined(__NVCC__) && defined(__CUDACC_RDC__)
/// In a kernel: waits for what the block has launched. CUDA 5 to 11 had it.
extern "C" __device__ __cudart_builtin__ cudaError_t CUDARTAPI cudaDeviceSynchronize(void);
#endif
#else
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#endif

#endif
