#pragma once
// A pipeline as cuda_pipeline.h of CUDA 11 has it in C and C++: the newer one is <cuda/pipeline>.

#include <cuda_pipeline_primitives.h>
