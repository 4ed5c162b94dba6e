#pragma once
// Surface references, made as texture references are (textures.h).

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

#ifndef cudaSurfaceType1D
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC
#endif

struct surfaceReference {
  cudaSurfaceObject_t object;
  cudaSurfaceObject_t bound;
};

template <class T, int surfType = cudaSurfaceType1D>
struct surface : surfaceReference {};

template <class T, int kType>
cudaError_t cudaBindSurfaceToArray(const surface<T, kType>& reference, cudaArray_const_t array) {
  surfaceReference& host = const_cast<surface<T, kType>&>(reference);
  cudaResourceDesc what;
  std::memset(&what, 0, sizeof what);
  what.resType = cudaResourceTypeArray;
  what.res.array.array = const_cast<cudaArray_t>(array);
  cudaSurfaceObject_t object = 0;
  cudaError_t error = cudaCreateSurfaceObject(&object, &what);
  if (error != cudaSuccess) return error;
  error = cudaMemcpyToSymbol(static_cast<const void*>(&reference), &object, sizeof object,
                             offsetof(surfaceReference, object), cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;
  if (host.bound != 0) cudaDestroySurfaceObject(host.bound);
  host.bound = object;
  return cudaSuccess;
}
template <class T, int kType>
cudaError_t cudaBindSurfaceToArray(const surface<T, kType>& reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc&) {
  return cudaBindSurfaceToArray(reference, array);
}

#define CUDALABS_OLD_SURF(kType) const surface<S, kType>& s
#define CUDALABS_OLD_MODE cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap
#define CUDALABS_OLD_ACCESS(name, kType, parameters, arguments)                                         \
  template <class T, class S>                                                                           \
  __device__ inline void name##read(T* value, CUDALABS_OLD_SURF(kType), parameters CUDALABS_OLD_MODE) { \
    name##read(value, s.object, arguments mode);                                                        \
  }                                                                                                     \
  template <class T, class S>                                                                           \
  __device__ inline T name##read(CUDALABS_OLD_SURF(kType), parameters CUDALABS_OLD_MODE) {              \
    T value;                                                                                            \
    name##read(&value, s.object, arguments mode);                                                       \
    return value;                                                                                       \
  }                                                                                                     \
  template <class T, class S>                                                                           \
  __device__ inline void name##write(T value, CUDALABS_OLD_SURF(kType), parameters CUDALABS_OLD_MODE) { \
    name##write(value, s.object, arguments mode);                                                       \
  }
#define CUDALABS_COMMA ,
CUDALABS_OLD_ACCESS(surf1D, cudaSurfaceType1D, int x CUDALABS_COMMA, x CUDALABS_COMMA)
CUDALABS_OLD_ACCESS(surf2D, cudaSurfaceType2D, int x CUDALABS_COMMA int y CUDALABS_COMMA,
                    x CUDALABS_COMMA y CUDALABS_COMMA)
CUDALABS_OLD_ACCESS(surf3D, cudaSurfaceType3D, int x CUDALABS_COMMA int y CUDALABS_COMMA int z CUDALABS_COMMA,
                    x CUDALABS_COMMA y CUDALABS_COMMA z CUDALABS_COMMA)
CUDALABS_OLD_ACCESS(surf1DLayered, cudaSurfaceType1DLayered, int x CUDALABS_COMMA int layer CUDALABS_COMMA,
                    x CUDALABS_COMMA layer CUDALABS_COMMA)
CUDALABS_OLD_ACCESS(surf2DLayered, cudaSurfaceType2DLayered,
                    int x CUDALABS_COMMA int y CUDALABS_COMMA int layer CUDALABS_COMMA,
                    x CUDALABS_COMMA y CUDALABS_COMMA layer CUDALABS_COMMA)
CUDALABS_OLD_ACCESS(surfCubemap, cudaSurfaceTypeCubemap,
                    int x CUDALABS_COMMA int y CUDALABS_COMMA int face CUDALABS_COMMA,
                    x CUDALABS_COMMA y CUDALABS_COMMA face CUDALABS_COMMA)
CUDALABS_OLD_ACCESS(surfCubemapLayered, cudaSurfaceTypeCubemapLayered,
                    int x CUDALABS_COMMA int y CUDALABS_COMMA int face CUDALABS_COMMA,
                    x CUDALABS_COMMA y CUDALABS_COMMA face CUDALABS_COMMA)
#undef CUDALABS_OLD_ACCESS
#undef CUDALABS_OLD_SURF
#undef CUDALABS_OLD_MODE
#undef CUDALABS_COMMA

#define surface __constant__ surface
