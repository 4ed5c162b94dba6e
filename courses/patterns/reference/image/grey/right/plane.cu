// Two-dimensional blocks that walk over the picture, with weights in whole numbers. `vector`: four pixels of the array a
// thread, the rest by a second kernel.
#include "contract.cuh"

__device__ unsigned char bright(unsigned pixel) {  // its bytes: x is the lowest
  const unsigned red = pixel & 255, green = pixel >> 8 & 255, blue = pixel >> 16 & 255;
  return static_cast<unsigned char>((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

__global__ void plane(const uchar4* image, unsigned char* out, int rows, int cols) {
  for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y)
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x) {
      const long long i = static_cast<long long>(r) * cols + c;
      out[i] = bright(reinterpret_cast<const unsigned*>(image)[i]);
    }
}

void grey_pixel(const uchar4* image, unsigned char* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  plane<<<dim3((cols + 31) / 32, min((rows + 7) / 8, 1000)), dim3(32, 8)>>>(image, out, rows, cols);
}

__global__ void words(const uint4* image, unsigned* out, long long groups) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const uint4 p = image[i];
  out[i] = bright(p.x) | bright(p.y) << 8 | bright(p.z) << 16 | static_cast<unsigned>(bright(p.w)) << 24;
}

__global__ void rest(const unsigned* image, unsigned char* out) {
  out[threadIdx.x] = bright(image[threadIdx.x]);
}

void grey_vector(const uchar4* image, unsigned char* out, int rows, int cols) {
  const long long pixels = static_cast<long long>(rows) * cols, groups = pixels / 4, whole = groups * 4;
  if (groups > 0)
    words<<<static_cast<unsigned>((groups + 127) / 128), 128>>>(reinterpret_cast<const uint4*>(image),
                                                                reinterpret_cast<unsigned*>(out), groups);
  if (pixels > whole)
    rest<<<1, static_cast<unsigned>(pixels - whole)>>>(reinterpret_cast<const unsigned*>(image + whole),
                                                       out + whole);
}
