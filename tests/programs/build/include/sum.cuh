#pragma once
__device__ int sum_of(const int* values, int count);  // in another file
