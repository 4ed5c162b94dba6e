#pragma once
// Asynchronous copies from global to shared memory: the common part of cuda_pipeline.h,
// cooperative_groups/memcpy_async.h, <cuda/barrier> and <cuda/pipeline>.

#include <cuda_runtime.h>

#include <cstddef>

namespace cuda {

/// A number of bytes that also states the alignment of the pointers.
template <std::size_t kAlignment>
struct aligned_size_t {
  static constexpr std::size_t align = kAlignment;
  std::size_t value;
  CUDALABS_HOST_DEVICE_MEMBER explicit constexpr aligned_size_t(std::size_t bytes) : value(bytes) {}
  CUDALABS_HOST_DEVICE_MEMBER constexpr operator std::size_t() const { return value; }
};

}  // namespace cuda

namespace cudalabs {

CUDALABS_DEVICE unsigned shared_address(const void* p) {
  return static_cast<unsigned>(
      reinterpret_cast<std::size_t>((__attribute__((address_space(3))) const void*)p));
}
/// Begins to copy kBytes of 4, 8 or 16. The first `from_bytes` come from global memory, the others are
/// zero.
template <int kBytes>
CUDALABS_DEVICE void begin_copy(void* to, const void* from, unsigned from_bytes) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  const unsigned address = shared_address(to);
  if constexpr (kBytes == 16) {  // these bypass L1
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(address), "l"(from), "r"(from_bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;"
                 :
                 : "r"(address), "l"(from), "r"(from_bytes), "n"(kBytes)
                 : "memory");
  }
}
template <int kBytes>
CUDALABS_DEVICE void begin_copy(void* to, const void* from) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16);
  const unsigned address = shared_address(to);
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(address), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"(address), "l"(from), "n"(kBytes)
                 : "memory");
  }
}
CUDALABS_DEVICE void close_copies() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <unsigned kStill>
CUDALABS_DEVICE void await_copies() {
  asm volatile("cp.async.wait_group %0;" : : "n"(kStill) : "memory");
}
CUDALABS_DEVICE void await_all_copies() { asm volatile("cp.async.wait_all;" : : : "memory"); }
/// Waits for all but the last `still` groups; more than seven count as seven.
CUDALABS_DEVICE void await_copies(unsigned still) {
  switch (still) {
    case 0: return await_copies<0>();
    case 1: return await_copies<1>();
    case 2: return await_copies<2>();
    case 3: return await_copies<3>();
    case 4: return await_copies<4>();
    case 5: return await_copies<5>();
    case 6: return await_copies<6>();
    default: return await_copies<7>();
  }
}

template <int kBytes>
struct alignas(kBytes) Chunk {
  unsigned words[kBytes / 4];
};

/// This thread's part of a copy by `threads` threads: every `threads`-th piece of kBytes from its rank on,
/// and every `threads`-th of the remaining bytes.
template <int kBytes, bool kAsync>
CUDALABS_DEVICE void copy_pieces(char* to, const char* from, std::size_t bytes, unsigned rank,
                                 unsigned threads) {
  const std::size_t whole = bytes / kBytes * kBytes;
  for (std::size_t at = static_cast<std::size_t>(rank) * kBytes; at < whole;
       at += static_cast<std::size_t>(threads) * kBytes) {
    if constexpr (kBytes < 4)
      to[at] = from[at];
    else if constexpr (kAsync)
      begin_copy<kBytes>(to + at, from + at);
    else
      *reinterpret_cast<Chunk<kBytes>*>(to + at) = *reinterpret_cast<const Chunk<kBytes>*>(from + at);
  }
  if constexpr (kBytes > 1) {
    for (std::size_t at = whole + rank; at < bytes; at += threads) to[at] = from[at];
  }
}
/// This thread's part of a copy, asynchronously from global to shared memory, by pieces of the pointers'
/// known minimum alignment, 4, 8 or 16. Returns whether it was asynchronous: smaller pieces never are.
template <int kKnown>
CUDALABS_DEVICE bool copy_part(void* to, const void* from, std::size_t bytes, unsigned rank,
                               unsigned threads) {
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  constexpr int kPiece = kKnown >= 16 ? 16 : kKnown >= 4 ? kKnown : 1;
  if constexpr (kPiece >= 4) {
    if (__isShared(to) && __isGlobal(from)) {
      copy_pieces<kPiece, true>(target, source, bytes, rank, threads);
      return true;
    }
  }
  copy_pieces<kPiece, false>(target, source, bytes, rank, threads);
  return false;
}

}  // namespace cudalabs
