// `pixel`: a block computes its pixels into shared memory and stores them as words. `vector`: a thread's pixels lie a warp
// apart while they are loaded, and four lanes pass their results to one that stores them.
#include "contract.cuh"

__device__ unsigned bright(uchar4 p) {
  return static_cast<unsigned>(__fmul_rn(0.299F, p.x) + __fmul_rn(0.587F, p.y) + __fmul_rn(0.114F, p.z));
}

__global__ void by_block(const uchar4* image, unsigned char* out, long long pixels) {
  __shared__ unsigned words[32];
  const long long begin = static_cast<long long>(blockIdx.x) * 128, i = begin + threadIdx.x;
  if (i < pixels)
    reinterpret_cast<unsigned char*>(words)[threadIdx.x] = static_cast<unsigned char>(bright(image[i]));
  __syncthreads();
  if (begin + 128 <= pixels) {
    if (threadIdx.x < 32) reinterpret_cast<unsigned*>(out + begin)[threadIdx.x] = words[threadIdx.x];
  } else if (i < pixels) {
    out[i] = reinterpret_cast<unsigned char*>(words)[threadIdx.x];
  }
}

void grey_pixel(const uchar4* image, unsigned char* out, int rows, int cols) {
  const long long pixels = static_cast<long long>(rows) * cols;
  if (pixels > 0) by_block<<<static_cast<unsigned>((pixels + 127) / 128), 128>>>(image, out, pixels);
}

__global__ void by_lanes(const uchar4* image, unsigned char* out, long long pixels) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const long long warp = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32,
                  begin = warp * 128;
  unsigned mine[4];
  for (int k = 0; k < 4; ++k) {
    const long long i = begin + 32 * k + lane;
    mine[k] = i < pixels ? bright(image[i]) : 0;
  }
  unsigned word = 0;  // pixels 4 * lane to 4 * lane + 3 of the warp's 128
  for (int k = 0; k < 4; ++k)
    for (int b = 0; b < 4; ++b) {
      const unsigned got = __shfl_sync(0xffffffff, mine[k], (4 * lane + b) % 32);
      if ((4 * lane + b) / 32 == k) word |= got << (8 * b);
    }
  const long long first = begin + 4 * lane;
  if (first + 4 <= pixels)
    reinterpret_cast<unsigned*>(out)[first / 4] = word;
  else
    for (int b = 0; first + b < pixels; ++b) out[first + b] = static_cast<unsigned char>(word >> (8 * b));
}

void grey_vector(const uchar4* image, unsigned char* out, int rows, int cols) {
  const long long pixels = static_cast<long long>(rows) * cols;
  if (pixels > 0) by_lanes<<<static_cast<unsigned>((pixels + 511) / 512), 128>>>(image, out, pixels);
}
