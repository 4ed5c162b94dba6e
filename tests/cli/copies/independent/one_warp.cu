// Written from the handout alone: a block is one warp, which loads its tile row by row.
#include "contract.cuh"

#define T 32

__global__ void maxGlobal(const float *a, float *out, int rows, int cols)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) {
        const float *p = a + (size_t)row * cols;
        float best = -3.4e38f;
        for (int j = 0; j < cols; ++j)
            best = fmaxf(best, p[j]);
        out[row] = best;
    }
}

__global__ void maxShared(const float *a, float *out, int rows, int cols)
{
    __shared__ float s[T][T];
    int lane = threadIdx.x;
    int first = blockIdx.x * T;
    float best = -3.4e38f;
    for (int start = 0; start < cols; start += T) {
        for (int i = 0; i < T; ++i) {
            if (first + i < rows && start + lane < cols)
                s[i][lane] = a[(size_t)(first + i) * cols + start + lane];
            else
                s[i][lane] = -3.4e38f;
        }
        __syncthreads();
        for (int j = 0; j < T; ++j)
            best = fmaxf(best, s[lane][j]);
        __syncthreads();
    }
    if (first + lane < rows)
        out[first + lane] = best;
}

__global__ void maxPadded(const float *a, float *out, int rows, int cols)
{
    __shared__ float s[T][T + 1];
    int lane = threadIdx.x;
    int first = blockIdx.x * T;
    float best = -3.4e38f;
    for (int start = 0; start < cols; start += T) {
        for (int i = 0; i < T; ++i) {
            if (first + i < rows && start + lane < cols)
                s[i][lane] = a[(size_t)(first + i) * cols + start + lane];
            else
                s[i][lane] = -3.4e38f;
        }
        __syncthreads();
        for (int j = 0; j < T; ++j)
            best = fmaxf(best, s[lane][j]);
        __syncthreads();
    }
    if (first + lane < rows)
        out[first + lane] = best;
}

void row_max_global(const float *a, float *out, int rows, int cols)
{
    if (rows == 0) return;
    maxGlobal<<<(rows + 127) / 128, 128>>>(a, out, rows, cols);
}

void row_max_shared(const float *a, float *out, int rows, int cols)
{
    if (rows == 0) return;
    maxShared<<<(rows + T - 1) / T, T>>>(a, out, rows, cols);
}

void row_max_padded(const float *a, float *out, int rows, int cols)
{
    if (rows == 0) return;
    maxPadded<<<(rows + T - 1) / T, T>>>(a, out, rows, cols);
}
