// First the sums along the rows, then the sums of these down the columns: 14 additions a pixel instead of 49. `global`
// keeps them in an array between two kernels, `tile` in shared memory.
#include "contract.cuh"

constexpr int reach = 3, side = 16;

__global__ void along_rows(const uchar4* image, int4* sums, int rows, int cols) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long long>(rows) * cols) return;
  const int c = static_cast<int>(i % cols);
  int4 sum = {0, 0, 0, 0};
  for (int d = max(-reach, -c); d <= min(reach, cols - 1 - c); ++d) {
    const uchar4 p = image[i + d];
    sum.x += p.x;
    sum.y += p.y;
    sum.z += p.z;
    ++sum.w;
  }
  sums[i] = sum;
}

__global__ void down_columns(const uchar4* image, const int4* sums, uchar4* out, int rows, int cols) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long long>(rows) * cols) return;
  const int r = static_cast<int>(i / cols);
  int4 sum = {0, 0, 0, 0};
  for (int d = max(-reach, -r); d <= min(reach, rows - 1 - r); ++d) {
    const int4 s = sums[i + static_cast<long long>(d) * cols];
    sum.x += s.x;
    sum.y += s.y;
    sum.z += s.z;
    sum.w += s.w;
  }
  out[i] = make_uchar4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, image[i].w);
}

void blur_global(const uchar4* image, uchar4* out, int rows, int cols) {
  const long long pixels = static_cast<long long>(rows) * cols;
  if (pixels == 0) return;
  int4* sums = nullptr;
  cudaMalloc(&sums, pixels * sizeof(int4));
  const auto blocks = static_cast<unsigned>((pixels + 127) / 128);
  along_rows<<<blocks, 128>>>(image, sums, rows, cols);
  down_columns<<<blocks, 128>>>(image, sums, out, rows, cols);
  cudaFree(sums);
}

__global__ void both(const uchar4* image, uchar4* out, int rows, int cols) {
  constexpr int high = side + 2 * reach;
  __shared__ uchar4 tile[high][32 + 2 * reach];
  __shared__ int red[high][32], green[high][32], blue[high][32];
  const int x = threadIdx.x, row0 = blockIdx.x * side, col0 = blockIdx.y * 32, c = col0 + x;
  for (int r = threadIdx.y; r < high; r += blockDim.y)
    for (int k = x; k < 32 + 2 * reach; k += 32) {
      const int row = row0 + r - reach, col = col0 + k - reach;
      // A pixel that does not exist adds nothing.
      tile[r][k] = row >= 0 && row < rows && col >= 0 && col < cols
                       ? image[static_cast<long long>(row) * cols + col]
                       : make_uchar4(0, 0, 0, 0);
    }
  __syncthreads();
  for (int r = threadIdx.y; r < high; r += blockDim.y) {
    int3 sum = {0, 0, 0};
    for (int k = 0; k <= 2 * reach; ++k) {
      const uchar4 p = tile[r][x + k];
      sum.x += p.x;
      sum.y += p.y;
      sum.z += p.z;
    }
    red[r][x] = sum.x;
    green[r][x] = sum.y;
    blue[r][x] = sum.z;
  }
  __syncthreads();
  for (int y = threadIdx.y; y < side; y += blockDim.y) {
    const int r = row0 + y;
    if (r >= rows || c >= cols) continue;
    int3 sum = {0, 0, 0};
    for (int k = 0; k <= 2 * reach; ++k) {
      sum.x += red[y + k][x];
      sum.y += green[y + k][x];
      sum.z += blue[y + k][x];
    }
    const int count = (min(r + reach, rows - 1) - max(r - reach, 0) + 1) *
                      (min(c + reach, cols - 1) - max(c - reach, 0) + 1);
    out[static_cast<long long>(r) * cols + c] =
        make_uchar4(sum.x / count, sum.y / count, sum.z / count, tile[y + reach][x + reach].w);
  }
}

void blur_tile(const uchar4* image, uchar4* out, int rows, int cols) {
  if (rows > 0 && cols > 0)
    both<<<dim3((rows - 1) / side + 1, (cols - 1) / 32 + 1), dim3(32, 8)>>>(image, out, rows, cols);
}
