// An element a thread with coalesced writes, into an array of its own that is copied as a whole; small tiles with a grid-stride loop; a tile whose columns are skewed instead of
// padded, on several streams.
#include <cstddef>

__global__ void elements(const float* a, float* out, int rows, int cols) {
  const long long total = static_cast<long long>(rows) * cols, step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long e = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; e < total; e += step)
    out[e] = a[e % rows * cols + e / rows];
}

TRANSPOSE(global) {
  const size_t bytes = sizeof(float) * static_cast<size_t>(rows) * static_cast<size_t>(cols);
  float* result = nullptr;
  cudaMalloc(&result, bytes);
  elements<<<1024, 256>>>(a, result, rows, cols);
  cudaMemcpy(out, result, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(result);
}

__global__ void small_tiles(const float* a, float* out, int rows, int cols) {
  __shared__ float tile[16][16];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int across = (cols - 1) / 16 + 1, tiles = across * ((rows - 1) / 16 + 1);
  for (int t = static_cast<int>(blockIdx.x); t < tiles; t += static_cast<int>(gridDim.x)) {
    const int row = t / across * 16, col = t % across * 16;
    if (row + y < rows && col + x < cols) tile[y][x] = a[static_cast<size_t>(row + y) * cols + col + x];
    __syncthreads();
    if (col + y < cols && row + x < rows) out[static_cast<size_t>(col + y) * rows + row + x] = tile[x][y];
    __syncthreads();
  }
}

TRANSPOSE(shared) {
  small_tiles<<<2048, dim3(16, 16)>>>(a, out, rows, cols);
}

// Element (r, c) of the tile lies in column (r + c) % 32: a column of it touches every bank, too.
__global__ void skewed(const float* a, float* out, int rows, int cols, int first, int last) {
  __shared__ float tile[32][32];
  const int x = static_cast<int>(threadIdx.x), across = (cols - 1) / 32 + 1;
  const int number = first + static_cast<int>(blockIdx.x);
  if (number >= last) return;  // the whole block
  const int row = number / across * 32, col = number % across * 32;
  for (int r = static_cast<int>(threadIdx.y); r < 32; r += 4)
    if (row + r < rows && col + x < cols) tile[r][(r + x) % 32] = a[static_cast<size_t>(row + r) * cols + col + x];
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.y); c < 32; c += 4)
    if (col + c < cols && row + x < rows) out[static_cast<size_t>(col + c) * rows + row + x] = tile[x][(x + c) % 32];
}

TRANSPOSE(padded) {
  const int tiles = ((rows - 1) / 32 + 1) * ((cols - 1) / 32 + 1), middle = tiles / 2;
  cudaStream_t streams[2];
  for (auto& s : streams) cudaStreamCreate(&s);
  if (middle > 0) skewed<<<middle, dim3(32, 4), 0, streams[0]>>>(a, out, rows, cols, 0, middle);
  skewed<<<tiles - middle, dim3(32, 4), 0, streams[1]>>>(a, out, rows, cols, middle, tiles);
  for (auto& s : streams) cudaStreamSynchronize(s), cudaStreamDestroy(s);
}
