// Threads walk down the columns and keep the sums of the last seven rows of the square: each row of it is added up once.
// `tile` has the rows in shared memory, a ring of them.
#include "contract.cuh"

constexpr int width = 64, height = 16;

struct Colours {
  int x, y, z;
};

__device__ Colours operator+(Colours a, Colours b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ Colours operator-(Colours a, Colours b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ Colours of(uchar4 p) { return {p.x, p.y, p.z}; }

__device__ uchar4 mean(Colours sum, int count, unsigned char w) {
  return make_uchar4(sum.x / count, sum.y / count, sum.z / count, w);
}

// The sum of a row's pixels from c - 3 to c + 3.
__device__ Colours row_sum(const uchar4* line, int c, int cols) {
  Colours sum = {0, 0, 0};
  for (int k = max(c - 3, 0); k <= min(c + 3, cols - 1); ++k) sum = sum + of(line[k]);
  return sum;
}

__global__ void walk(const uchar4* image, uchar4* out, int rows, int cols) {
  const int across = (cols + width - 1) / width, begin = blockIdx.x / across * height;
  const int c = blockIdx.x % across * width + threadIdx.x;
  if (c >= cols) return;
  const int columns = min(c + 3, cols - 1) - max(c - 3, 0) + 1;
  const auto line = [=](int r) { return image + static_cast<long long>(r) * cols; };
  Colours sum = {0, 0, 0};
  for (int r = max(begin - 3, 0); r < min(begin + 3, rows); ++r) sum = sum + row_sum(line(r), c, cols);
  for (int r = begin; r < min(begin + height, rows); ++r) {
    if (r + 3 < rows) sum = sum + row_sum(line(r + 3), c, cols);
    const int count = (min(r + 3, rows - 1) - max(r - 3, 0) + 1) * columns;
    out[static_cast<long long>(r) * cols + c] = mean(sum, count, line(r)[c].w);
    if (r - 3 >= 0) sum = sum - row_sum(line(r - 3), c, cols);
  }
}

static unsigned strips(int rows, int cols) {
  return static_cast<unsigned>((rows + height - 1) / height) *
         static_cast<unsigned>((cols + width - 1) / width);
}

void blur_global(const uchar4* image, uchar4* out, int rows, int cols) {
  if (rows > 0 && cols > 0) walk<<<strips(rows, cols), width>>>(image, out, rows, cols);
}

__global__ void ring(const uchar4* image, uchar4* out, int rows, int cols) {
  __shared__ uchar4 lines[8][width + 6];
  const int across = (cols + width - 1) / width, begin = blockIdx.x / across * height;
  const int first = blockIdx.x % across * width, x = threadIdx.x, c = first + x;
  const int columns = min(c + 3, cols - 1) - max(c - 3, 0) + 1;
  Colours sum = {0, 0, 0};
  const auto of_row = [&](int r) {
    Colours all = {0, 0, 0};
    for (int k = 0; k < 7; ++k)
      if (c + k - 3 >= 0 && c + k - 3 < cols) all = all + of(lines[r & 7][x + k]);
    return all;
  };
  for (int r = max(begin - 3, 0); r < begin + height + 3; ++r) {
    if (r < rows)
      for (int k = x; k < width + 6; k += width) {
        const int from = first + k - 3;
        if (from >= 0 && from < cols) lines[r & 7][k] = image[static_cast<long long>(r) * cols + from];
      }
    __syncthreads();
    if (r < rows) sum = sum + of_row(r);
    const int done = r - 3;  // the rows of its square are in the sum
    if (done >= begin && done < rows && c < cols) {
      const int count = (min(done + 3, rows - 1) - max(done - 3, 0) + 1) * columns;
      out[static_cast<long long>(done) * cols + c] = mean(sum, count, lines[done & 7][x + 3].w);
    }
    if (done - 3 >= max(begin - 3, 0) && done - 3 < rows) sum = sum - of_row(done - 3);
    __syncthreads();
  }
}

void blur_tile(const uchar4* image, uchar4* out, int rows, int cols) {
  if (rows > 0 && cols > 0) ring<<<strips(rows, cols), width>>>(image, out, rows, cols);
}
