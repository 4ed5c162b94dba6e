// What the solutions in ../shapes compute here.
#include "contract.cuh"

#define ROW(version) void row_max_##version(const float* a, float* out, int rows, int cols)

__device__ constexpr float kStart = -__builtin_huge_valf();
__host__ __device__ float join(float a, float b) { return fmaxf(a, b); }
__device__ float of(float x) { return x; }
__host__ __device__ float finish(float v, [[maybe_unused]] int cols) { return v; }

