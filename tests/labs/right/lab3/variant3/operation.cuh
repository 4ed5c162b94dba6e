// What the solutions in ../shapes compute here.
#include "contract.cuh"

#define ROW(version) void row_mean_##version(const float* a, float* out, int rows, int cols)

__device__ constexpr float kStart = 0.0f;
__host__ __device__ float join(float a, float b) { return a + b; }
__device__ float of(float x) { return x; }
__host__ __device__ float finish(float v, [[maybe_unused]] int cols) { return v / static_cast<float>(cols); }

