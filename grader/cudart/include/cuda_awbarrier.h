#pragma once
// The barrier of CUDA 11.0 in C++ is cuda::barrier now; that in C is here.

#include <cuda_awbarrier_primitives.h>
