#pragma once
// The keywords that CUDA adds to C++, in clang's form. For a C++ compiler without CUDA they are
// empty.

#if defined(__CUDA__) && defined(__clang__)
#define CUDALABS_CUDA_WORD(...) __attribute__((__VA_ARGS__))
#ifndef __CUDACC__
#define __CUDACC__ 1  // tested by programs, and by libstdc++ for __float128
#define __NVCC__ 1    // by it programs know that __device__ has a meaning
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#endif
#else
#define CUDALABS_CUDA_WORD(...)
#endif

#define __host__ CUDALABS_CUDA_WORD(host)
#define __device__ CUDALABS_CUDA_WORD(device)
#define __global__ CUDALABS_CUDA_WORD(global)
#define __shared__ CUDALABS_CUDA_WORD(shared)
// For an unnamed struct it would be internal to the file, and clang would assume that nobody sets it.
#define __constant__ CUDALABS_CUDA_WORD(constant, used)
// clang has no managed variables in CUDA: host code has a shadow variable. Its section tells our runtime that
// the shadow must have the variable's value. Only the host uses the shadow's address; passed to a kernel, it
// becomes the variable's.
#if defined(__CUDA__) && defined(__clang__) && !defined(__CUDA_ARCH__)
#define __managed__ __device__ CUDALABS_CUDA_WORD(section("cudalabs_managed"))
#else
#define __managed__ __device__
#endif
// A copy that nothing changes: clang treats every const parameter like that.
#define __grid_constant__

// The third number, blocks of a cluster, has no meaning for the architectures that we compile for.
#define CUDALABS_BOUNDS_1(threads) CUDALABS_CUDA_WORD(launch_bounds(threads))
#define CUDALABS_BOUNDS_2(threads, blocks) CUDALABS_CUDA_WORD(launch_bounds(threads, blocks))
#define CUDALABS_BOUNDS_3(threads, blocks, cluster) CUDALABS_CUDA_WORD(launch_bounds(threads, blocks))
#define CUDALABS_BOUNDS_PICK(first, second, third, picked, ...) picked
#define __launch_bounds__(...) \
  CUDALABS_BOUNDS_PICK(__VA_ARGS__, CUDALABS_BOUNDS_3, CUDALABS_BOUNDS_2, CUDALABS_BOUNDS_1, )(__VA_ARGS__)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)

#define __forceinline__ __inline__ __attribute__((always_inline))
// clang 15 and newer have this keyword, and libstdc++ writes __attribute__((__noinline__)): see
// bits/shared_ptr_base.h.
#if !defined(__clang__) || __clang_major__ < 15
#if defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#endif
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
#define __no_return__ __attribute__((noreturn))

// Keywords of NVIDIA's headers that programs have copied.
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

// Programs write `__shared__ alignas(16) float tile[256];`, which nvcc accepts; clang requires alignas before
// GNU attributes. As a GNU attribute itself it may be anywhere.
#if defined(__CUDA__) && defined(__clang__)
namespace cudalabs {
template <class T>
constexpr decltype(sizeof(int)) alignment() {
  return alignof(T);
}
template <decltype(sizeof(int)) kBytes>
constexpr decltype(sizeof(int)) alignment() {
  return kBytes;
}
}  // namespace cudalabs
#define alignas(...) __attribute__((aligned(::cudalabs::alignment<__VA_ARGS__>())))
#endif

/// The declaration of functions in these headers. They leave no lines of their own in the debug information:
/// their work belongs to the line of the call.
#define CUDALABS_DEVICE \
  static __inline__ CUDALABS_CUDA_WORD(device) __attribute__((always_inline, nodebug, unused))
#define CUDALABS_HOST_DEVICE                                            \
  static __inline__ CUDALABS_CUDA_WORD(host) CUDALABS_CUDA_WORD(device) \
      __attribute__((always_inline, nodebug, unused))
/// The same for members of classes, static or not.
#define CUDALABS_DEVICE_MEMBER __inline__ CUDALABS_CUDA_WORD(device) __attribute__((always_inline, nodebug))
#define CUDALABS_HOST_DEVICE_MEMBER \
  __inline__ CUDALABS_CUDA_WORD(host) CUDALABS_CUDA_WORD(device) __attribute__((always_inline, nodebug))
