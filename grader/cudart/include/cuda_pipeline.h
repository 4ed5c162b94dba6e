#pragma once
// The pipeline of CUDA 11's cuda_pipeline.h, in C and C++; the newer one is <cuda/pipeline>.

#include <cuda_pipeline_primitives.h>
