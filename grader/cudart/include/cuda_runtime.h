#ifndef CUDALABS_CUDA_RUNTIME_H
#define CUDALABS_CUDA_RUNTIME_H
// Included before every CUDA program, as nvcc does.

#include "host_defines.h"

#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "cudalabs/api/templates.h"
#endif
#include "cudalabs/vectors.h"

#ifdef __CUDACC__
#include "cudalabs/device.h"
#if __has_include("cudalabs/math.h")
#include "cudalabs/math.h"
#endif
#endif

#endif
