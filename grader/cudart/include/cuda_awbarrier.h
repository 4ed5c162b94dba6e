#pragma once
// The C++ barrier of CUDA 11.0 is cuda::barrier now; the C interface is here.

#include <cuda_awbarrier_primitives.h>
