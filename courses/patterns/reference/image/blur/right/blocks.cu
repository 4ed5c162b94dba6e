// Blocks of 32 x 32 threads of which each loads one pixel, those of the border compute nothing. `global` walks over the
// picture with a fixed grid and adds the colours of a pixel in one number.
#include "contract.cuh"

__device__ unsigned long long spread(unsigned p) {  // x, y and z with 20 bits of room each
  return (p & 255) | static_cast<unsigned long long>(p >> 8 & 255) << 20 |
         static_cast<unsigned long long>(p >> 16 & 255) << 40;
}

__device__ unsigned joined(unsigned long long sum, unsigned count, unsigned own) {
  const unsigned red = static_cast<unsigned>(sum & 0xfffff) / count;
  const unsigned green = static_cast<unsigned>(sum >> 20 & 0xfffff) / count;
  return red | green << 8 | static_cast<unsigned>(sum >> 40) / count << 16 | (own & 0xff000000);
}

__global__ void fixed(const unsigned* image, unsigned* out, int rows, int cols) {
  const long long pixels = static_cast<long long>(rows) * cols;
  for (long long i = blockIdx.x * 128ll + threadIdx.x; i < pixels; i += gridDim.x * 128ll) {
    const int r = static_cast<int>(i / cols), c = static_cast<int>(i % cols);
    unsigned long long sum = 0;
    unsigned count = 0;
    for (int dr = -3; dr <= 3; ++dr)
      for (int dc = -3; dc <= 3; ++dc)
        if (r + dr >= 0 && r + dr < rows && c + dc >= 0 && c + dc < cols) {
          sum += spread(image[i + static_cast<long long>(dr) * cols + dc]);
          ++count;
        }
    out[i] = joined(sum, count, image[i]);
  }
}

void blur_global(const uchar4* image, uchar4* out, int rows, int cols) {
  const long long pixels = static_cast<long long>(rows) * cols;
  if (pixels > 0)
    fixed<<<static_cast<unsigned>(min((pixels + 127) / 128, 2000ll)), 128>>>(
        reinterpret_cast<const unsigned*>(image), reinterpret_cast<unsigned*>(out), rows, cols);
}

constexpr int side = 32, inner = side - 6;

__global__ void overlap(const unsigned* image, unsigned* out, int rows, int cols) {
  __shared__ unsigned tile[side][side];
  const int x = threadIdx.x, y = threadIdx.y, across = (cols + inner - 1) / inner;
  const int r = static_cast<int>(blockIdx.x) / across * inner + y - 3;
  const int c = static_cast<int>(blockIdx.x) % across * inner + x - 3;
  const bool exists = r >= 0 && r < rows && c >= 0 && c < cols;
  const long long i = static_cast<long long>(r) * cols + c;
  if (exists) tile[y][x] = image[i];
  __syncthreads();
  if (!exists || min(x, y) < 3 || max(x, y) >= side - 3) return;
  const int top = max(-3, -r), bottom = min(3, rows - 1 - r), left = max(-3, -c),
            right = min(3, cols - 1 - c);
  unsigned long long sum = 0;
  for (int k = top; k <= bottom; ++k)
    for (int m = left; m <= right; ++m) sum += spread(tile[y + k][x + m]);
  out[i] = joined(sum, (bottom - top + 1) * (right - left + 1), tile[y][x]);
}

void blur_tile(const uchar4* image, uchar4* out, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  const int blocks = ((rows + inner - 1) / inner) * ((cols + inner - 1) / inner);
  overlap<<<blocks, dim3(side, side)>>>(reinterpret_cast<const unsigned*>(image),
                                        reinterpret_cast<unsigned*>(out), rows, cols);
}
