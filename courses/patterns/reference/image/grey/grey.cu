// image grey, the reference solution: how bright the pixels of a picture are, twice.
#include "contract.cuh"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

// A launch returns no error: without this check nobody sees a wrong configuration.
#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                             \
    }                                                                                      \
  } while (0)

constexpr int threads = 256;  // of a block

static unsigned blocks_for(size_t count) { return static_cast<unsigned>((count - 1) / threads + 1); }

__device__ unsigned char grey(uchar4 p) {
  return static_cast<unsigned char>(0.299F * p.x + 0.587F * p.y + 0.114F * p.z);
}

// One thread a pixel. Pixels do not need their neighbours, so the picture is an array. A warp loads 128 bytes and stores
// 32.
__global__ void grey_pixel_kernel(const uchar4* image, unsigned char* out, size_t pixels) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < pixels) out[i] = grey(image[i]);
}

void grey_pixel(const uchar4* image, unsigned char* out, int rows, int cols) {
  const size_t pixels = static_cast<size_t>(rows) * cols;
  if (pixels == 0) return;  // a grid must not be empty
  grey_pixel_kernel<<<blocks_for(pixels), threads>>>(image, out, pixels);
  CHECK(cudaGetLastError());
}

// The bytes of a pixel in one number: x is the lowest.
__device__ unsigned char grey_of(unsigned p) {
  return grey(make_uchar4(p & 255, p >> 8 & 255, p >> 16 & 255, p >> 24));
}

// One thread has four pixels: one load of 16 bytes and one store of 4 instead of four each. The addresses of both arrays
// are multiples of 16, so that of each group is, too.
__global__ void grey_vector_kernel(const uchar4* image, unsigned char* out, size_t pixels) {
  const size_t group = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x, first = 4 * group;
  if (first + 4 <= pixels) {
    const uint4 p = reinterpret_cast<const uint4*>(image)[group];  // each of x, y, z and w is a pixel
    reinterpret_cast<uchar4*>(out)[group] =
        make_uchar4(grey_of(p.x), grey_of(p.y), grey_of(p.z), grey_of(p.w));
  } else {
    for (size_t i = first; i < pixels; ++i) out[i] = grey(image[i]);  // what fills no group
  }
}

void grey_vector(const uchar4* image, unsigned char* out, int rows, int cols) {
  const size_t pixels = static_cast<size_t>(rows) * cols;
  if (pixels == 0) return;
  grey_vector_kernel<<<blocks_for((pixels + 3) / 4), threads>>>(image, out, pixels);
  CHECK(cudaGetLastError());
}
