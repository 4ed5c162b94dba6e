#pragma once
// The fastest transpose that we know: out (columns x rows) = in (rows x columns) transposed, row-major. The
// last rung of the ladder of transposes and bench/gpu use it.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace fast {

/// A block moves a tile of kWidth x kHeight elements. A thread reads a square of elements, 16 bytes a row,
/// turns it in its registers, and writes its columns to shared memory, 16 bytes each; there the tile lies
/// transposed, so that its rows leave 16 bytes at a time. Chunk c of row r lies at c xor the number of r's
/// square: neither the writes nor the reads then meet in a bank. Wants rows and columns to be multiples of 16
/// bytes and both matrices to be 16-byte aligned.
template <int kWidth, int kHeight, int kThreads, class T>
__global__ void __launch_bounds__(kThreads)
    transpose_squares(const T* in, T* out, int rows, int columns, int tiles_y) {
  constexpr int kSide = 16 / sizeof(T);  // of a square
  struct alignas(16) Chunk {
    T value[kSide];
  };
  constexpr int kSquaresX = kWidth / kSide, kSquaresY = kHeight / kSide;
  constexpr int kEach = kSquaresX * kSquaresY / kThreads;
  static_assert(kSquaresX % 8 == 0 && kSquaresY % 8 == 0 && kEach * kThreads == kSquaresX * kSquaresY);
  __shared__ Chunk tile[kWidth * kSquaresY];
  const int thread = static_cast<int>(threadIdx.x);
  // Neighbouring blocks write side by side: memory takes scattered reads better than scattered writes.
  const int x0 = static_cast<int>(blockIdx.x) / tiles_y * kWidth,
            y0 = static_cast<int>(blockIdx.x) % tiles_y * kHeight;

  Chunk square[kEach][kSide];
#pragma unroll
  for (int s = 0; s < kEach; ++s) {
    const int index = thread + s * kThreads;
    const int x = x0 + index % kSquaresX * kSide, y = y0 + index / kSquaresX * kSide;
    if (x < columns && y < rows) {
#pragma unroll
      for (int r = 0; r < kSide; ++r) {
        *reinterpret_cast<int4*>(&square[s][r]) =
            __ldg(reinterpret_cast<const int4*>(in + static_cast<size_t>(y + r) * columns + x));
      }
    }
  }
#pragma unroll
  for (int s = 0; s < kEach; ++s) {
    const int index = thread + s * kThreads;
    const int square_x = index % kSquaresX, square_y = index / kSquaresX;
    if (x0 + square_x * kSide < columns && y0 + square_y * kSide < rows) {
#pragma unroll
      for (int c = 0; c < kSide; ++c) {
        Chunk column;
#pragma unroll
        for (int r = 0; r < kSide; ++r) column.value[r] = square[s][r].value[c];
        tile[(square_x * kSide + c) * kSquaresY + (square_y ^ (square_x % 8))] = column;
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kEach * kSide; ++i) {
    const int index = thread + i * kThreads;
    const int chunk = index % kSquaresY, row = index / kSquaresY;
    const int x = y0 + chunk * kSide, y = x0 + row;
    if (x < rows && y < columns) {
      *reinterpret_cast<Chunk*>(out + static_cast<size_t>(y) * rows + x) =
          tile[row * kSquaresY + (chunk ^ (row / kSide % 8))];
    }
  }
}

/// Any shape and alignment: element by element through a padded tile.
template <class T>
__global__ void transpose_elements(const T* in, T* out, int rows, int columns, int tiles_x) {
  constexpr int kTile = 32, kRows = 8;
  __shared__ T tile[kTile][kTile + 1];
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int block = static_cast<int>(blockIdx.x);
  const int x0 = block % tiles_x * kTile, y0 = block / tiles_x * kTile;
  for (int row = ty; row < kTile; row += kRows) {
    if (x0 + tx < columns && y0 + row < rows)
      tile[row][tx] = in[static_cast<size_t>(y0 + row) * columns + x0 + tx];
  }
  __syncthreads();
  for (int row = ty; row < kTile; row += kRows) {
    if (y0 + tx < rows && x0 + row < columns)
      out[static_cast<size_t>(x0 + row) * rows + y0 + tx] = tile[tx][row];
  }
}

template <class T>
cudaError_t transpose(const T* in, T* out, int rows, int columns, cudaStream_t stream = nullptr) {
  if (rows == 0 || columns == 0) return cudaSuccess;
  constexpr int kSide = 16 / sizeof(T);
  const uintptr_t addresses = reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out);
  if (rows % kSide == 0 && columns % kSide == 0 && addresses % 16 == 0) {
    constexpr int kTile = 16 * kSide, kThreads = 256;  // 64 x 64 floats, 32 x 32 doubles
    const long long tiles_x = (columns + kTile - 1) / kTile, tiles_y = (rows + kTile - 1) / kTile;
    transpose_squares<kTile, kTile, kThreads>
        <<<static_cast<unsigned>(tiles_x * tiles_y), kThreads, 0, stream>>>(in, out, rows, columns,
                                                                            static_cast<int>(tiles_y));
  } else {
    const long long tiles_x = (columns + 31) / 32, tiles_y = (rows + 31) / 32;
    transpose_elements<<<static_cast<unsigned>(tiles_x * tiles_y), dim3(32, 8), 0, stream>>>(
        in, out, rows, columns, static_cast<int>(tiles_x));
  }
  return cudaGetLastError();
}

}  // namespace fast
