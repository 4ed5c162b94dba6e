#pragma once
// The fastest reduction that we know: sums, dot products, maxima, minima and sums of squares of the rows of a
// matrix in one pass over memory. A vector is a matrix of one row. The last rungs of the ladders and
// bench/gpu use it.
//
// What limits it is the number of bytes in flight: 4.4 TB/s at a latency of 0.8 us are 3.5 MB, 27 KB a
// multiprocessor. So every thread starts several loads of 16 bytes before it uses the first, and the shape
// decides who shares a row:
//
//   many short rows     a few lanes of a warp a row: the sum is handed on in registers, no barrier
//   many long rows      a block a row
//   few rows            several blocks a row; the one that finishes last adds up what the others left

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace fast {

template <class T>
struct Sum {
  static constexpr bool two_inputs = false;
  static __device__ T identity() { return T(0); }
  static __device__ T of(T x, T) { return x; }
  static __device__ T join(T x, T y) { return x + y; }
};

template <class T>
struct SumOfSquares : Sum<T> {
  static __device__ T of(T x, T) { return x * x; }
};

/// The dot product of each row of the one input with the same row of the other.
template <class T>
struct Dot : Sum<T> {
  static constexpr bool two_inputs = true;
  static __device__ T of(T x, T y) { return x * y; }
};

template <class T>
struct Max : Sum<T> {
  using Limits = std::numeric_limits<T>;
  static constexpr T none = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  static __device__ T identity() { return none; }
  static __device__ T join(T x, T y) { return x > y ? x : y; }
};
template <>
inline __device__ float Max<float>::join(float x, float y) {
  return fmaxf(x, y);
}

template <class T>
struct Min : Sum<T> {
  using Limits = std::numeric_limits<T>;
  static constexpr T none = Limits::has_infinity ? Limits::infinity() : Limits::max();
  static __device__ T identity() { return none; }
  static __device__ T join(T x, T y) { return x < y ? x : y; }
};
template <>
inline __device__ float Min<float>::join(float x, float y) {
  return fminf(x, y);
}

/// Sixteen bytes, the most that one load brings.
template <class T>
struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(T);
  T value[size];
};

template <class T>
__device__ Pack<T> load_pack(const T* from) {
  Pack<T> pack;
  *reinterpret_cast<int4*>(&pack) =
      __ldcs(reinterpret_cast<const int4*>(from));  // read once: need not stay in the cache
  return pack;
}

/// Memory for the partial results of rows that several blocks share. The counters are zero between launches.
struct Workspace {
  static constexpr int max_parts = 1 << 16;  ///< over all rows
  static constexpr int max_rows = 1 << 12;   ///< that are split: fewer than 16 for each multiprocessor
  static constexpr size_t bytes = max_parts * sizeof(double) + max_rows * sizeof(unsigned);
  void* memory = nullptr;

  template <class T>
  T* partial() const {
    return static_cast<T*>(memory);
  }
  unsigned* done() const {
    return reinterpret_cast<unsigned*>(static_cast<char*>(memory) + max_parts * sizeof(double));
  }
  /// `memory` must be 16-byte aligned and of `bytes`; every stream needs one of its own.
  static Workspace over(void* memory) {
    cudaMemset(memory, 0, bytes);
    return Workspace{memory};
  }
};

/// What `lanes` threads, of which this is number `lane`, make of the elements [0, n) of x (and y). Each has
/// its own part of the result. At least four threads.
template <class Op, int kLoads, class T>
__device__ T reduce_span(const T* x, const T* y, long long n, int lane, int lanes) {
  constexpr int kPack = Pack<T>::size;
  T result = Op::identity();
  const auto take = [&](T of_x, T of_y) { result = Op::join(result, Op::of(of_x, of_y)); };
  const auto take_one = [&](long long i) { take(x[i], Op::two_inputs ? y[i] : T(0)); };

  const unsigned past = static_cast<unsigned>(reinterpret_cast<uintptr_t>(x)) % 16;  // a multiple of 16
  if (Op::two_inputs && past != static_cast<unsigned>(reinterpret_cast<uintptr_t>(y)) % 16) {
    for (long long i = lane; i < n; i += lanes) take_one(i);
    return result;
  }
  const int head = min(static_cast<int>((16 - past) % 16 / sizeof(T)), static_cast<int>(min(n, 16LL)));
  const int packs = static_cast<int>((n - head) / kPack);
  const T* const x_packs = x + head;
  const T* const y_packs = y + head;
  Pack<T> from_x[kLoads], from_y[kLoads];
  const auto load = [&](int i, int pack) {
    from_x[i] = load_pack(x_packs + static_cast<long long>(pack) * kPack);
    if (Op::two_inputs) from_y[i] = load_pack(y_packs + static_cast<long long>(pack) * kPack);
  };
  const auto take_pack = [&](int i) {
#pragma unroll
    for (int e = 0; e < kPack; ++e) take(from_x[i].value[e], Op::two_inputs ? from_y[i].value[e] : T(0));
  };
  int first = lane;
  for (; first + (kLoads - 1) * lanes < packs; first += kLoads * lanes) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) load(i, first + i * lanes);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) take_pack(i);
  }
  // The rest, again with all loads before the first use.
#pragma unroll
  for (int i = 0; i < kLoads - 1; ++i) {
    if (first + i * lanes < packs) load(i, first + i * lanes);
  }
#pragma unroll
  for (int i = 0; i < kLoads - 1; ++i) {
    if (first + i * lanes < packs) take_pack(i);
  }
  // What lies before the first multiple of 16 bytes and after the last.
  if (lane < head) take_one(lane);
  const long long tail = head + static_cast<long long>(packs) * kPack + lane;
  if (tail < n) take_one(tail);
  return result;
}

/// All of the `kLanes` neighbouring lanes get their joint result.
template <class Op, int kLanes, class T>
__device__ T reduce_lanes(T result) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    result = Op::join(result, __shfl_xor_sync(0xFFFFFFFFu, result, distance));
  }
  return result;
}

/// Thread 0 gets the block's result. `of_warps` has room for one value a warp.
template <class Op, int kThreads, class T>
__device__ T reduce_block(T result, T* of_warps) {
  result = reduce_lanes<Op, 32>(result);
  if constexpr (kThreads > 32) {
    constexpr int kWarps = kThreads / 32;
    const int thread = static_cast<int>(threadIdx.x);
    if (thread % 32 == 0) of_warps[thread / 32] = result;
    __syncthreads();
    // Lanes kWarps, 2 kWarps, ... see what lane 0 sees.
    if (thread < 32) result = reduce_lanes<Op, kWarps>(of_warps[thread % kWarps]);
  }
  return result;
}

/// `kLanes` lanes a row.
template <class Op, int kLanes, int kLoads, int kThreads, class T>
__global__ void __launch_bounds__(kThreads)
    reduce_short_rows(const T* x, const T* y, T* out, long long rows, long long columns, T scale) {
  const long long row = (static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x) / kLanes;
  T result = Op::identity();
  if (row < rows) {
    const long long begin = row * columns;
    result = reduce_span<Op, kLoads>(x + begin, Op::two_inputs ? y + begin : y, columns,
                                     static_cast<int>(threadIdx.x) % kLanes, kLanes);
  }
  result = reduce_lanes<Op, kLanes>(result);
  if (row < rows && threadIdx.x % kLanes == 0) out[row] = result * scale;
}

/// A block a row whose elements fit the registers: each thread starts all of its loads at once, without a
/// loop. Rows begin at multiples of 16 bytes and have `packs` times 16 bytes, at most kLoads kThreads.
template <class Op, int kLoads, int kThreads, class T>
__global__ void __launch_bounds__(kThreads)
    reduce_rows_at_once(const T* x, const T* y, T* out, int packs, T scale) {
  __shared__ T of_warps[kThreads / 32];
  constexpr int kPack = Pack<T>::size;
  const int thread = static_cast<int>(threadIdx.x);
  const size_t begin = (static_cast<size_t>(blockIdx.x) * packs + thread) * kPack;
  Pack<T> from_x[kLoads], from_y[kLoads];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if (thread + i * kThreads < packs) {
      from_x[i] = load_pack(x + begin + static_cast<size_t>(i) * kThreads * kPack);
      if (Op::two_inputs) from_y[i] = load_pack(y + begin + static_cast<size_t>(i) * kThreads * kPack);
    }
  }
  T result = Op::identity();
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    if (thread + i * kThreads < packs) {
#pragma unroll
      for (int e = 0; e < kPack; ++e) {
        result = Op::join(result, Op::of(from_x[i].value[e], Op::two_inputs ? from_y[i].value[e] : T(0)));
      }
    }
  }
  result = reduce_block<Op, kThreads>(result, of_warps);
  if (thread == 0) out[blockIdx.x] = result * scale;
}

/// Block b takes part b mod `parts` of row b / parts: `per_part` columns, the last one what is left.
template <class Op, int kLoads, int kThreads, class T>
__global__ void __launch_bounds__(kThreads)
    reduce_long_rows(const T* x, const T* y, T* out, long long columns, int parts, long long per_part,
                     T scale, T* partial, unsigned* done) {
  __shared__ T of_warps[kThreads / 32];
  __shared__ bool last;
  const int thread = static_cast<int>(threadIdx.x);
  const unsigned row = blockIdx.x / static_cast<unsigned>(parts),
                 part = blockIdx.x % static_cast<unsigned>(parts);
  const long long begin = row * columns + part * per_part;
  const long long left = columns - part * per_part;
  T result = reduce_span<Op, kLoads>(x + begin, Op::two_inputs ? y + begin : y,
                                     left < per_part ? left : per_part, thread, kThreads);
  result = reduce_block<Op, kThreads>(result, of_warps);
  if (parts == 1) {
    if (thread == 0) out[row] = result * scale;
    return;
  }
  if (thread == 0) {
    partial[blockIdx.x] = result;
    __threadfence();  // the partial result is there before the count says so
    last = atomicAdd(&done[row], 1u) == static_cast<unsigned>(parts) - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  result = Op::identity();
  for (int i = thread; i < parts; i += kThreads) {
    result = Op::join(result, __ldcg(&partial[static_cast<size_t>(row) * parts + i]));
  }
  result = reduce_block<Op, kThreads>(result, of_warps);
  if (thread == 0) {
    out[row] = result * scale;
    done[row] = 0;
  }
}

/// out[r] = `scale` times the reduction of row r of x (and y), rows x columns, row-major. A mean is a sum
/// with scale 1 / columns.
template <template <class> class Op, class T>
cudaError_t reduce_rows(const T* x, const T* y, T* out, long long rows, long long columns, T scale,
                        const Workspace& workspace, cudaStream_t stream = nullptr) {
  if (rows == 0) return cudaSuccess;
  int device = 0, processors = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (status != cudaSuccess) return status;

  const long long row_bytes = columns * static_cast<long long>(sizeof(T));
  const auto short_rows = [&](auto lanes) {
    constexpr int kLanes = decltype(lanes)::value, kThreads = 256;
    reduce_short_rows<Op<T>, kLanes, 4, kThreads>
        <<<static_cast<unsigned>((rows * kLanes + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
            x, y, out, rows, columns, scale);
    return cudaGetLastError();
  };
  const auto rows_at_once = [&](auto threads) {
    constexpr int kThreads = decltype(threads)::value;
    reduce_rows_at_once<Op<T>, 2, kThreads><<<static_cast<unsigned>(rows), kThreads, 0, stream>>>(
        x, y, out, static_cast<int>(row_bytes / 16), scale);
    return cudaGetLastError();
  };
  const auto long_rows = [&](auto threads, int parts, long long per_part) {
    constexpr int kThreads = decltype(threads)::value;
    reduce_long_rows<Op<T>, 4, kThreads><<<static_cast<unsigned>(rows * parts), kThreads, 0, stream>>>(
        x, y, out, columns, parts, per_part, scale, workspace.partial<T>(), workspace.done());
    return cudaGetLastError();
  };

  // Short rows: at least two loads a lane.
  if (row_bytes <= 256) return short_rows(std::integral_constant<int, 8>{});
  if (row_bytes <= 512) return short_rows(std::integral_constant<int, 16>{});
  if (row_bytes <= 2048) return short_rows(std::integral_constant<int, 32>{});
  // A block a row if that makes so many blocks that the multiprocessors finish together, or if the row is too
  // short to share.
  if (rows >= 16LL * processors || row_bytes <= (32 << 10)) {
    const uintptr_t addresses = reinterpret_cast<uintptr_t>(x) | reinterpret_cast<uintptr_t>(y);
    if (row_bytes % 16 == 0 && addresses % 16 == 0) {
      if (row_bytes <= (4 << 10)) return rows_at_once(std::integral_constant<int, 128>{});
      if (row_bytes <= (8 << 10)) return rows_at_once(std::integral_constant<int, 256>{});
      if (row_bytes <= (16 << 10)) return rows_at_once(std::integral_constant<int, 512>{});
    }
    if (row_bytes <= (8 << 10)) return long_rows(std::integral_constant<int, 128>{}, 1, columns);
    return long_rows(std::integral_constant<int, 512>{}, 1, columns);
  }
  // Otherwise parts of 128 KB; smaller ones if there would be fewer than two blocks for each multiprocessor.
  constexpr long long kPart = (128 << 10) / sizeof(T);
  long long parts = std::max((columns + kPart - 1) / kPart, (2LL * processors + rows - 1) / rows);
  parts = std::min(parts, Workspace::max_parts / rows);
  const long long per_part =
      ((columns + parts - 1) / parts + 3) / 4 * 4;  // the parts begin at 16 bytes if the row does
  parts = (columns + per_part - 1) / per_part;
  return long_rows(std::integral_constant<int, 512>{}, static_cast<int>(parts), per_part);
}

}  // namespace fast
