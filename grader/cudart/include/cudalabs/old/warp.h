#pragma once
// Shuffles and votes of the lanes that are active, as before Volta: a mask was not named, because lanes of a
// warp that had not diverged ran together.

#include <cuda_runtime.h>

__device__ inline int cudalabs_any(int predicate) { return __any_sync(__activemask(), predicate); }
__device__ inline int cudalabs_all(int predicate) { return __all_sync(__activemask(), predicate); }
__device__ inline unsigned cudalabs_ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
// nvcc still declares the functions themselves, as instructions that no card since Volta has. Headers of
// today that use these words for other things are renamed as a whole, which does no harm.
#define __any cudalabs_any
#define __all cudalabs_all
#define __ballot cudalabs_ballot

namespace cudalabs {
/// A number of lanes. Programs have functions of the same names for types that CUDA lacked, and theirs are
/// chosen: the number is converted for ours.
struct OldLanes {
  int number;
  template <class Number>
  __device__ OldLanes(Number n) : number(static_cast<int>(n)) {}
};
}  // namespace cudalabs

template <class T>
__device__ inline T __shfl(T value, cudalabs::OldLanes lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane.number, width);
}
template <class T>
__device__ inline T __shfl_up(T value, cudalabs::OldLanes delta, int width = 32) {
  return __shfl_up_sync(__activemask(), value, static_cast<unsigned>(delta.number), width);
}
template <class T>
__device__ inline T __shfl_down(T value, cudalabs::OldLanes delta, int width = 32) {
  return __shfl_down_sync(__activemask(), value, static_cast<unsigned>(delta.number), width);
}
template <class T>
__device__ inline T __shfl_xor(T value, cudalabs::OldLanes lanes, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, lanes.number, width);
}
