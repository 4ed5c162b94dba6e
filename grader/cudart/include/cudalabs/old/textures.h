#pragma once
// Texture references: variables at the top of a file that the host binds to memory, and kernels read by name.
// Here such a variable lies in constant memory and holds today's object; its host's half holds what the
// program sets. The macro at the end puts __constant__ in front of it, so programs of today must not see it.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

#ifndef cudaTextureType1D
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#endif
namespace cudalabs {

/// A setting whose default is not 0. Device memory, and under clang the host's half too, begins with zeros.
template <class Mode, int kDefault>
struct OldMode {
  int set;  ///< the value + 1; 0: the default
  __host__ __device__ OldMode& operator=(Mode mode) {
    set = static_cast<int>(mode) + 1;
    return *this;
  }
  __host__ __device__ operator Mode() const { return static_cast<Mode>(set == 0 ? kDefault : set - 1); }
};

/// What a fetch returns: the element, or a float for each of its numbers.
template <class T, int kNormalized>
struct OldFetch {
  typedef T Type;
};
#define CUDALABS_OLD_FETCH(T, Float) \
  template <>                        \
  struct OldFetch<T, 1> {            \
    typedef Float Type;              \
  };
#define CUDALABS_OLD_FETCHES(T, vector) \
  CUDALABS_OLD_FETCH(T, float)          \
  CUDALABS_OLD_FETCH(vector##1, float1) \
  CUDALABS_OLD_FETCH(vector##2, float2) \
  CUDALABS_OLD_FETCH(vector##4, float4)
CUDALABS_OLD_FETCHES(signed char, char)
CUDALABS_OLD_FETCHES(unsigned char, uchar)
CUDALABS_OLD_FETCHES(short, short)
CUDALABS_OLD_FETCHES(unsigned short, ushort)
CUDALABS_OLD_FETCH(char, float)
#undef CUDALABS_OLD_FETCHES
#undef CUDALABS_OLD_FETCH

#ifdef __NVCC__
/// A channel's bits, the number of channels and their kind.
template <class T>
struct OldChannels {
  static constexpr int kBits = 0, kCount = 0;
  static constexpr cudaChannelFormatKind kKind = cudaChannelFormatKindNone;
};
#define CUDALABS_OLD_CHANNELS(T, count, kind)                                             \
  template <>                                                                             \
  struct OldChannels<T> {                                                                 \
    static constexpr int kBits = static_cast<int>(sizeof(T)) * 8 / count, kCount = count; \
    static constexpr cudaChannelFormatKind kKind = cudaChannelFormatKind##kind;           \
  };
#define CUDALABS_OLD_VECTORS(T, vector, kind) \
  CUDALABS_OLD_CHANNELS(T, 1, kind)           \
  CUDALABS_OLD_CHANNELS(vector##1, 1, kind)   \
  CUDALABS_OLD_CHANNELS(vector##2, 2, kind)   \
  CUDALABS_OLD_CHANNELS(vector##4, 4, kind)
CUDALABS_OLD_CHANNELS(char, 1, Signed)
CUDALABS_OLD_VECTORS(signed char, char, Signed)
CUDALABS_OLD_VECTORS(unsigned char, uchar, Unsigned)
CUDALABS_OLD_VECTORS(short, short, Signed)
CUDALABS_OLD_VECTORS(unsigned short, ushort, Unsigned)
CUDALABS_OLD_VECTORS(int, int, Signed)
CUDALABS_OLD_VECTORS(unsigned int, uint, Unsigned)
CUDALABS_OLD_VECTORS(float, float, Float)
#undef CUDALABS_OLD_VECTORS
#undef CUDALABS_OLD_CHANNELS
#endif

}  // namespace cudalabs

struct textureReference {
#ifdef __NVCC__
  constexpr textureReference(int scaled, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                             cudaChannelFormatDesc desc)
      : object(0),
        normalized(scaled),
        filterMode{filter + 1},
        addressMode{{address + 1}, {address + 1}, {address + 1}},
        channelDesc(desc),
        sRGB(0),
        maxAnisotropy(0),
        mipmapFilterMode{0},
        mipmapLevelBias(0),
        minMipmapLevelClamp(0),
        maxMipmapLevelClamp(0),
        bound(0),
        offset(0) {}
#endif
  cudaTextureObject_t object;  ///< what kernels see
  int normalized;
  cudalabs::OldMode<cudaTextureFilterMode, cudaFilterModePoint> filterMode;
  cudalabs::OldMode<cudaTextureAddressMode, cudaAddressModeClamp> addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  cudalabs::OldMode<cudaTextureFilterMode, cudaFilterModePoint> mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  cudaTextureObject_t bound;  ///< the host's: to be destroyed when something else is bound
  size_t offset;              ///< bytes from a 512-byte line to the memory that is bound
};

template <class T, int texType = cudaTextureType1D, cudaTextureReadMode readMode = cudaReadModeElementType>
struct texture : textureReference {
#ifdef __NVCC__  // clang drops what a constructor gives to the host's half
  typedef cudalabs::OldChannels<T> Channels;
  constexpr texture(int scaled, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                    cudaChannelFormatDesc desc)
      : textureReference(scaled, filter, address, desc) {}
  constexpr texture(int scaled = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                    cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference(scaled, filter, address,
                         cudaChannelFormatDesc{Channels::kBits, Channels::kCount > 1 ? Channels::kBits : 0,
                                               Channels::kCount > 2 ? Channels::kBits : 0,
                                               Channels::kCount > 3 ? Channels::kBits : 0, Channels::kKind}) {
  }
#endif
};

namespace cudalabs {

const size_t kOldTextureAlignment = 512;

inline size_t old_element_bytes(const cudaChannelFormatDesc& desc) {
  return static_cast<size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
}

/// Tells kernels of a reference's new object. The host's half is also the name of the device's variable.
inline cudaError_t old_show(const textureReference& reference, cudaTextureObject_t object) {
  return cudaMemcpyToSymbol(static_cast<const void*>(&reference), &object, sizeof object,
                            offsetof(textureReference, object), cudaMemcpyHostToDevice);
}

inline cudaError_t old_bind(const textureReference& reference, const cudaResourceDesc& what,
                            cudaTextureReadMode read, size_t offset) {
  textureReference& host = const_cast<textureReference&>(reference);
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  for (int i = 0; i < 3; ++i) how.addressMode[i] = host.addressMode[i];
  how.filterMode = host.filterMode;
  how.readMode = read;
  how.sRGB = host.sRGB;
  how.normalizedCoords = host.normalized;
  how.maxAnisotropy = host.maxAnisotropy;
  cudaTextureObject_t object = 0;
  cudaError_t error = cudaCreateTextureObject(&object, &what, &how, nullptr);
  if (error != cudaSuccess) return error;
  error = old_show(reference, object);
  if (error != cudaSuccess) return error;
  if (host.bound != 0) cudaDestroyTextureObject(host.bound);
  host.bound = object;
  host.offset = offset;
  return cudaSuccess;
}

/// A pointer that stands on no line of 512 bytes is bound from the line's begin, if the program takes the
/// offset.
inline cudaError_t old_line(size_t* offset, const void* pointer, void** line, size_t* before) {
  *before = reinterpret_cast<size_t>(pointer) % kOldTextureAlignment;
  *line = const_cast<char*>(static_cast<const char*>(pointer)) - *before;
  if (offset == nullptr && *before != 0) return cudaErrorInvalidValue;
  if (offset != nullptr) *offset = *before;
  return cudaSuccess;
}

const size_t kOldWhole = ~0u;  ///< the size that stands for all of the memory

inline bool old_is_memory(const void* line, size_t byte) {
  cudaPointerAttributes found;
  return ::cudaPointerGetAttributes(&found, static_cast<const char*>(line) + byte) == cudaSuccess &&
         found.type != cudaMemoryTypeUnregistered;
}
/// Bytes from `line` to the end of its memory, at most `most`.
inline size_t old_extent(const void* line, size_t most) {
  size_t known = 0, step = kOldTextureAlignment;
  while (known + step <= most && old_is_memory(line, known + step - 1)) {
    known += step;
    step *= 2;
  }
  for (; step > 0; step /= 2) {
    if (known + step <= most && old_is_memory(line, known + step - 1)) known += step;
  }
  return known;
}

inline cudaError_t old_bind_linear(size_t* offset, const textureReference& reference, const void* pointer,
                                   const cudaChannelFormatDesc& desc, size_t bytes,
                                   cudaTextureReadMode read) {
  cudaResourceDesc what;
  std::memset(&what, 0, sizeof what);
  what.resType = cudaResourceTypeLinear;
  size_t before = 0;
  const cudaError_t error = old_line(offset, pointer, &what.res.linear.devPtr, &before);
  if (error != cudaSuccess) return error;
  const size_t element = cudalabs::old_element_bytes(desc);
  const size_t most = (size_t(1) << 27) * (element == 0 ? 1 : element);
  const bool whole = bytes == kOldWhole;
  what.res.linear.sizeInBytes = whole ? old_extent(what.res.linear.devPtr, most) : bytes + before;
  what.res.linear.desc = desc;
  return old_bind(reference, what, read, before);
}

/// Under clang a reference's own description is empty, and stands for that of its elements.
template <class T>
cudaChannelFormatDesc old_desc(const cudaChannelFormatDesc& desc) {
  return old_element_bytes(desc) == 0 ? cudaCreateChannelDesc<T>() : desc;
}

inline cudaError_t old_unbind(const textureReference& reference) {
  textureReference& host = const_cast<textureReference&>(reference);
  const cudaError_t error = old_show(reference, 0);
  if (host.bound != 0) cudaDestroyTextureObject(host.bound);
  host.bound = 0;
  return error;
}

}  // namespace cudalabs

// ---- the host's calls ----
#define CUDALABS_OLD_TEXTURE                               \
  template <class T, int kType, cudaTextureReadMode kRead> \
  cudaError_t
#define CUDALABS_OLD_REFERENCE const texture<T, kType, kRead>& reference

CUDALABS_OLD_TEXTURE cudaBindTexture(size_t* offset, CUDALABS_OLD_REFERENCE, const void* pointer,
                                     const cudaChannelFormatDesc& desc, size_t bytes = cudalabs::kOldWhole) {
  return cudalabs::old_bind_linear(offset, reference, pointer, cudalabs::old_desc<T>(desc), bytes, kRead);
}
CUDALABS_OLD_TEXTURE cudaBindTexture(size_t* offset, CUDALABS_OLD_REFERENCE, const void* pointer,
                                     size_t bytes = cudalabs::kOldWhole) {
  return cudaBindTexture(offset, reference, pointer, cudaCreateChannelDesc<T>(), bytes);
}
CUDALABS_OLD_TEXTURE cudaBindTexture2D(size_t* offset, CUDALABS_OLD_REFERENCE, const void* pointer,
                                       const cudaChannelFormatDesc& desc, size_t width, size_t height,
                                       size_t pitch) {
  cudaResourceDesc what;
  std::memset(&what, 0, sizeof what);
  what.resType = cudaResourceTypePitch2D;
  size_t before = 0;
  const cudaError_t error = cudalabs::old_line(offset, pointer, &what.res.pitch2D.devPtr, &before);
  if (error != cudaSuccess) return error;
  what.res.pitch2D.desc = cudalabs::old_desc<T>(desc);
  what.res.pitch2D.width = width + before / sizeof(T);
  what.res.pitch2D.height = height;
  what.res.pitch2D.pitchInBytes = pitch;
  return cudalabs::old_bind(reference, what, kRead, before);
}
CUDALABS_OLD_TEXTURE cudaBindTexture2D(size_t* offset, CUDALABS_OLD_REFERENCE, const void* pointer,
                                       size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, cudaCreateChannelDesc<T>(), width, height, pitch);
}
CUDALABS_OLD_TEXTURE cudaBindTextureToArray(CUDALABS_OLD_REFERENCE, cudaArray_const_t array,
                                            const cudaChannelFormatDesc&) {
  cudaResourceDesc what;
  std::memset(&what, 0, sizeof what);
  what.resType = cudaResourceTypeArray;
  what.res.array.array = const_cast<cudaArray_t>(array);
  return cudalabs::old_bind(reference, what, kRead, 0);
}
CUDALABS_OLD_TEXTURE cudaBindTextureToArray(CUDALABS_OLD_REFERENCE, cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, cudaChannelFormatDesc());
}
CUDALABS_OLD_TEXTURE cudaBindTextureToMipmappedArray(CUDALABS_OLD_REFERENCE, cudaMipmappedArray_const_t array,
                                                     const cudaChannelFormatDesc&) {
  cudaResourceDesc what;
  std::memset(&what, 0, sizeof what);
  what.resType = cudaResourceTypeMipmappedArray;
  what.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return cudalabs::old_bind(reference, what, kRead, 0);
}
CUDALABS_OLD_TEXTURE cudaUnbindTexture(CUDALABS_OLD_REFERENCE) { return cudalabs::old_unbind(reference); }
CUDALABS_OLD_TEXTURE cudaGetTextureAlignmentOffset(size_t* offset, CUDALABS_OLD_REFERENCE) {
  if (reference.bound == 0) return cudaErrorInvalidTextureBinding;
  *offset = reference.offset;
  return cudaSuccess;
}
#undef CUDALABS_OLD_TEXTURE
#undef CUDALABS_OLD_REFERENCE

// ---- the same through pointers, as the C API had them ----
template <class T, int kType, cudaTextureReadMode kRead>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, kType, kRead>* reference, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t bytes = cudalabs::kOldWhole) {
  return cudaBindTexture(offset, *reference, pointer, *desc, bytes);
}
template <class T, int kType, cudaTextureReadMode kRead>
cudaError_t cudaBindTextureToArray(const texture<T, kType, kRead>* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc) {
  return cudaBindTextureToArray(*reference, array, *desc);
}
template <class T, int kType, cudaTextureReadMode kRead>
cudaError_t cudaUnbindTexture(const texture<T, kType, kRead>* reference) {
  return cudaUnbindTexture(*reference);
}

template <class T, int kType, cudaTextureReadMode kRead>
cudaError_t cudaGetTextureReference(const textureReference** found, const texture<T, kType, kRead>* symbol) {
  *found = symbol;
  return cudaSuccess;
}

// ---- what kernels read: today's functions on the variable's object ----
#define CUDALABS_OLD_READ(function, parameters, arguments)                            \
  template <class T, cudaTextureReadMode kRead>                                       \
  __device__ inline typename cudalabs::OldFetch<T, kRead>::Type function parameters { \
    return function<typename cudalabs::OldFetch<T, kRead>::Type> arguments;           \
  }
#define CUDALABS_OLD_TEX(kType) const texture<T, kType, kRead>& t
CUDALABS_OLD_READ(tex1Dfetch, (CUDALABS_OLD_TEX(cudaTextureType1D), int x), (t.object, x))
CUDALABS_OLD_READ(tex1D, (CUDALABS_OLD_TEX(cudaTextureType1D), float x), (t.object, x))
CUDALABS_OLD_READ(tex2D, (CUDALABS_OLD_TEX(cudaTextureType2D), float x, float y), (t.object, x, y))
CUDALABS_OLD_READ(tex3D, (CUDALABS_OLD_TEX(cudaTextureType3D), float x, float y, float z),
                  (t.object, x, y, z))
CUDALABS_OLD_READ(tex1DLayered, (CUDALABS_OLD_TEX(cudaTextureType1DLayered), float x, int layer),
                  (t.object, x, layer))
CUDALABS_OLD_READ(tex2DLayered, (CUDALABS_OLD_TEX(cudaTextureType2DLayered), float x, float y, int layer),
                  (t.object, x, y, layer))
CUDALABS_OLD_READ(tex1DLod, (CUDALABS_OLD_TEX(cudaTextureType1D), float x, float level), (t.object, x, level))
CUDALABS_OLD_READ(tex2DLod, (CUDALABS_OLD_TEX(cudaTextureType2D), float x, float y, float level),
                  (t.object, x, y, level))
CUDALABS_OLD_READ(tex3DLod, (CUDALABS_OLD_TEX(cudaTextureType3D), float x, float y, float z, float level),
                  (t.object, x, y, z, level))
CUDALABS_OLD_READ(texCubemapLayered,
                  (CUDALABS_OLD_TEX(cudaTextureTypeCubemapLayered), float x, float y, float z, int layer),
                  (t.object, x, y, z, layer))
CUDALABS_OLD_READ(texCubemap, (CUDALABS_OLD_TEX(cudaTextureTypeCubemap), float x, float y, float z),
                  (t.object, x, y, z))
#undef CUDALABS_OLD_READ
#undef CUDALABS_OLD_TEX

#define texture __constant__ texture
