#pragma once
#include "cuda_runtime_api.h"

extern "C" {
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
}
