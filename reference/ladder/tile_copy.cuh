#pragma once
// How the fast products bring tiles of a matrix to shared memory while they compute: asynchronous copies,
// whose addresses differ by constants wherever possible.

#include <cuda_pipeline_primitives.h>

#include <cstddef>

namespace fast {

/// Copies tiles of kRows x kColumns elements, row-major, kVector elements at a time, one tile after the
/// other. `kThreads` threads take part; this thread begins at (row(), column()) and then goes down
/// kRowsAtOnce rows at a time.
template <class T, int kRows, int kColumns, int kThreads, int kVector>
class TileCopy {
 public:
  /// `from` is the first tile's first element, `pitch` the elements from one of its rows to the next,
  /// `advance` those from one tile to the next.
  __device__ TileCopy(const T* from, size_t pitch, size_t advance)
      : next_(from + row() * pitch + column()), stride_(kRowsAtOnce * pitch), advance_(advance) {}

  static __device__ int row() { return static_cast<int>(threadIdx.x) / kAcross; }
  static __device__ int column() { return static_cast<int>(threadIdx.x) % kAcross * kVector; }

  /// Starts copying the next tile, of which `rows` x `columns` elements exist; the others become zero. `to`
  /// is the place of element (row(), column()), and `to_pitch` the elements between the places of
  /// neighbouring rows.
  template <bool kWhole>
  __device__ void start(T* to, int to_pitch, int rows, int columns) {
    const T* from = next_;
#pragma unroll
    for (int r = 0; r < kRows; r += kRowsAtOnce, from += stride_) {
      const bool there = kWhole || (row() + r < rows && column() < columns);
      __pipeline_memcpy_async(to + r * to_pitch, there ? from : next_, kBytes, there ? 0 : kBytes);
    }
    next_ += advance_;
  }

 private:
  static constexpr int kAcross = kColumns / kVector, kRowsAtOnce = kThreads / kAcross,
                       kBytes = kVector * sizeof(T);
  static_assert(kThreads % kAcross == 0 && kRows % kRowsAtOnce == 0);

  const T* next_;
  size_t stride_, advance_;
};

}  // namespace fast
