#pragma once
// Reads of textures and surfaces through objects: the instructions, and the conversion of their results to
// the requested type.

#include "host_defines.h"

#include "cudalabs/api/textures.h"
#include "cudalabs/vectors.h"

namespace cudalabs {

/// The four numbers that an instruction returns. `float`, `int` and `unsigned` have instructions of their
/// own.
template <class T>
struct Texel {
  T x, y, z, w;
};

/// The instruction's number type for a C++ type, and the conversion from it.
template <class T>
struct TexelOf;
#define CUDALABS_TEXEL(T, read)                                                              \
  template <>                                                                                \
  struct TexelOf<T> {                                                                        \
    using Read = read;                                                                       \
    static CUDALABS_DEVICE_MEMBER T of(const Texel<read>& v) { return static_cast<T>(v.x); } \
  };
#define CUDALABS_TEXELS(prefix, T, read)                                                     \
  template <>                                                                                \
  struct TexelOf<prefix##1> {                                                                \
    using Read = read;                                                                       \
    static CUDALABS_DEVICE_MEMBER prefix##1 of(const Texel<read>& v) {                       \
      return make_##prefix##1(static_cast<T>(v.x));                                          \
    }                                                                                        \
  };                                                                                         \
  template <>                                                                                \
  struct TexelOf<prefix##2> {                                                                \
    using Read = read;                                                                       \
    static CUDALABS_DEVICE_MEMBER prefix##2 of(const Texel<read>& v) {                       \
      return make_##prefix##2(static_cast<T>(v.x), static_cast<T>(v.y));                     \
    }                                                                                        \
  };                                                                                         \
  template <>                                                                                \
  struct TexelOf<prefix##4> {                                                                \
    using Read = read;                                                                       \
    static CUDALABS_DEVICE_MEMBER prefix##4 of(const Texel<read>& v) {                       \
      return make_##prefix##4(static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z), \
                              static_cast<T>(v.w));                                          \
    }                                                                                        \
  };
CUDALABS_TEXEL(char, int)
CUDALABS_TEXEL(signed char, int)
CUDALABS_TEXEL(unsigned char, unsigned)
CUDALABS_TEXEL(short, int)
CUDALABS_TEXEL(unsigned short, unsigned)
CUDALABS_TEXEL(int, int)
CUDALABS_TEXEL(unsigned, unsigned)
CUDALABS_TEXEL(float, float)
CUDALABS_TEXELS(char, signed char, int)
CUDALABS_TEXELS(uchar, unsigned char, unsigned)
CUDALABS_TEXELS(short, short, int)
CUDALABS_TEXELS(ushort, unsigned short, unsigned)
CUDALABS_TEXELS(int, int, int)
CUDALABS_TEXELS(uint, unsigned, unsigned)
CUDALABS_TEXELS(float, float, float)
#undef CUDALABS_TEXEL
#undef CUDALABS_TEXELS

}  // namespace cudalabs

// Parameters, assembler inputs and arguments are lists in parentheses.
#define CUDALABS_LIST(...) __VA_ARGS__
#define CUDALABS_READ_AS(name, R, letter, type, instruction, place, parameters, inputs)                    \
  CUDALABS_DEVICE void name(cudalabs::Texel<R>& v, cudaTextureObject_t object, CUDALABS_LIST parameters) { \
    asm volatile(instruction ".v4." type " {%0, %1, %2, %3}, [%[object], " place ";"                       \
                 : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                      \
                 : [object] "l"(object), CUDALABS_LIST inputs);                                            \
  }
#define CUDALABS_TEXTURE(name, instruction, from, place, parameters, inputs, arguments)       \
  namespace cudalabs {                                                                        \
  CUDALABS_READ_AS(name, float, "f", "f32." from, instruction, place, parameters, inputs)     \
  CUDALABS_READ_AS(name, int, "r", "s32." from, instruction, place, parameters, inputs)       \
  CUDALABS_READ_AS(name, unsigned, "r", "u32." from, instruction, place, parameters, inputs)  \
  }                                                                                           \
  template <class T>                                                                          \
  CUDALABS_DEVICE T name(cudaTextureObject_t object, CUDALABS_LIST parameters) {              \
    cudalabs::Texel<typename cudalabs::TexelOf<T>::Read> v;                                   \
    cudalabs::name(v, object, CUDALABS_LIST arguments);                                       \
    return cudalabs::TexelOf<T>::of(v);                                                       \
  }                                                                                           \
  template <class T>                                                                          \
  CUDALABS_DEVICE void name(T* value, cudaTextureObject_t object, CUDALABS_LIST parameters) { \
    *value = name<T>(object, CUDALABS_LIST arguments);                                        \
  }

CUDALABS_TEXTURE(tex1Dfetch, "tex.1d", "s32", "{%[x]}]", (int x), ([x] "r"(x)), (x))
CUDALABS_TEXTURE(tex1D, "tex.1d", "f32", "{%[x]}]", (float x), ([x] "f"(x)), (x))
CUDALABS_TEXTURE(tex2D, "tex.2d", "f32", "{%[x], %[y]}]", (float x, float y), ([x] "f"(x), [y] "f"(y)),
                 (x, y))
CUDALABS_TEXTURE(tex3D, "tex.3d", "f32", "{%[x], %[y], %[z], %[z]}]", (float x, float y, float z),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z)), (x, y, z))
CUDALABS_TEXTURE(tex1DLayered, "tex.a1d", "f32", "{%[layer], %[x]}]", (float x, int layer),
                 ([x] "f"(x), [layer] "r"(layer)), (x, layer))
CUDALABS_TEXTURE(tex2DLayered, "tex.a2d", "f32", "{%[layer], %[x], %[y], %[y]}]",
                 (float x, float y, int layer), ([x] "f"(x), [y] "f"(y), [layer] "r"(layer)), (x, y, layer))
CUDALABS_TEXTURE(texCubemap, "tex.cube", "f32", "{%[x], %[y], %[z], %[z]}]", (float x, float y, float z),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z)), (x, y, z))
CUDALABS_TEXTURE(texCubemapLayered, "tex.acube", "f32", "{%[layer], %[x], %[y], %[z]}]",
                 (float x, float y, float z, int layer),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer)), (x, y, z, layer))
CUDALABS_TEXTURE(tex1DLod, "tex.level.1d", "f32", "{%[x]}], %[level]", (float x, float level),
                 ([x] "f"(x), [level] "f"(level)), (x, level))
CUDALABS_TEXTURE(tex2DLod, "tex.level.2d", "f32", "{%[x], %[y]}], %[level]", (float x, float y, float level),
                 ([x] "f"(x), [y] "f"(y), [level] "f"(level)), (x, y, level))
CUDALABS_TEXTURE(tex3DLod, "tex.level.3d", "f32", "{%[x], %[y], %[z], %[z]}], %[level]",
                 (float x, float y, float z, float level),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level)), (x, y, z, level))
CUDALABS_TEXTURE(tex1DLayeredLod, "tex.level.a1d", "f32", "{%[layer], %[x]}], %[level]",
                 (float x, int layer, float level), ([x] "f"(x), [layer] "r"(layer), [level] "f"(level)),
                 (x, layer, level))
CUDALABS_TEXTURE(tex2DLayeredLod, "tex.level.a2d", "f32", "{%[layer], %[x], %[y], %[y]}], %[level]",
                 (float x, float y, int layer, float level),
                 ([x] "f"(x), [y] "f"(y), [layer] "r"(layer), [level] "f"(level)), (x, y, layer, level))
CUDALABS_TEXTURE(texCubemapLod, "tex.level.cube", "f32", "{%[x], %[y], %[z], %[z]}], %[level]",
                 (float x, float y, float z, float level),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z), [level] "f"(level)), (x, y, z, level))
CUDALABS_TEXTURE(texCubemapLayeredLod, "tex.level.acube", "f32", "{%[layer], %[x], %[y], %[z]}], %[level]",
                 (float x, float y, float z, int layer, float level),
                 ([x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer), [level] "f"(level)),
                 (x, y, z, layer, level))
CUDALABS_TEXTURE(tex1DGrad, "tex.grad.1d", "f32", "{%[x]}], {%[dx]}, {%[dy]}", (float x, float dx, float dy),
                 ([x] "f"(x), [dx] "f"(dx), [dy] "f"(dy)), (x, dx, dy))
CUDALABS_TEXTURE(tex2DGrad, "tex.grad.2d", "f32", "{%[x], %[y]}], {%[dxx], %[dxy]}, {%[dyx], %[dyy]}",
                 (float x, float y, float2 dx, float2 dy),
                 ([x] "f"(x), [y] "f"(y), [dxx] "f"(dx.x), [dxy] "f"(dx.y), [dyx] "f"(dy.x), [dyy] "f"(dy.y)),
                 (x, y, dx, dy))
CUDALABS_TEXTURE(
    tex3DGrad, "tex.grad.3d", "f32",
    "{%[x], %[y], %[z], %[z]}], {%[dxx], %[dxy], %[dxz], %[dxz]}, {%[dyx], %[dyy], %[dyz], %[dyz]}",
    (float x, float y, float z, float4 dx, float4 dy),
    ([x] "f"(x), [y] "f"(y), [z] "f"(z), [dxx] "f"(dx.x), [dxy] "f"(dx.y), [dxz] "f"(dx.z), [dyx] "f"(dy.x),
     [dyy] "f"(dy.y), [dyz] "f"(dy.z)),
    (x, y, z, dx, dy))
CUDALABS_TEXTURE(tex1DLayeredGrad, "tex.grad.a1d", "f32", "{%[layer], %[x]}], {%[dx]}, {%[dy]}",
                 (float x, int layer, float dx, float dy),
                 ([x] "f"(x), [layer] "r"(layer), [dx] "f"(dx), [dy] "f"(dy)), (x, layer, dx, dy))
CUDALABS_TEXTURE(tex2DLayeredGrad, "tex.grad.a2d", "f32",
                 "{%[layer], %[x], %[y], %[y]}], {%[dxx], %[dxy]}, {%[dyx], %[dyy]}",
                 (float x, float y, int layer, float2 dx, float2 dy),
                 ([x] "f"(x), [y] "f"(y), [layer] "r"(layer), [dxx] "f"(dx.x), [dxy] "f"(dx.y),
                  [dyx] "f"(dy.x), [dyy] "f"(dy.y)),
                 (x, y, layer, dx, dy))
CUDALABS_TEXTURE(
    texCubemapGrad, "tex.grad.cube", "f32",
    "{%[x], %[y], %[z], %[z]}], {%[dxx], %[dxy], %[dxz], %[dxz]}, {%[dyx], %[dyy], %[dyz], %[dyz]}",
    (float x, float y, float z, float4 dx, float4 dy),
    ([x] "f"(x), [y] "f"(y), [z] "f"(z), [dxx] "f"(dx.x), [dxy] "f"(dx.y), [dxz] "f"(dx.z), [dyx] "f"(dy.x),
     [dyy] "f"(dy.y), [dyz] "f"(dy.z)),
    (x, y, z, dx, dy))
CUDALABS_TEXTURE(
    texCubemapLayeredGrad, "tex.grad.acube", "f32",
    "{%[layer], %[x], %[y], %[z]}], {%[dxx], %[dxy], %[dxz], %[dxz]}, {%[dyx], %[dyy], %[dyz], %[dyz]}",
    (float x, float y, float z, int layer, float4 dx, float4 dy),
    ([x] "f"(x), [y] "f"(y), [z] "f"(z), [layer] "r"(layer), [dxx] "f"(dx.x), [dxy] "f"(dx.y),
     [dxz] "f"(dx.z), [dyx] "f"(dy.x), [dyy] "f"(dy.y), [dyz] "f"(dy.z)),
    (x, y, z, layer, dx, dy))
CUDALABS_TEXTURE(cudalabs_gather_r, "tld4.r.2d", "f32", "{%[x], %[y]}]", (float x, float y),
                 ([x] "f"(x), [y] "f"(y)), (x, y))
CUDALABS_TEXTURE(cudalabs_gather_g, "tld4.g.2d", "f32", "{%[x], %[y]}]", (float x, float y),
                 ([x] "f"(x), [y] "f"(y)), (x, y))
CUDALABS_TEXTURE(cudalabs_gather_b, "tld4.b.2d", "f32", "{%[x], %[y]}]", (float x, float y),
                 ([x] "f"(x), [y] "f"(y)), (x, y))
CUDALABS_TEXTURE(cudalabs_gather_a, "tld4.a.2d", "f32", "{%[x], %[y]}]", (float x, float y),
                 ([x] "f"(x), [y] "f"(y)), (x, y))

template <class T>
CUDALABS_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  return component == 1   ? cudalabs_gather_g<T>(object, x, y)
         : component == 2 ? cudalabs_gather_b<T>(object, x, y)
         : component == 3 ? cudalabs_gather_a<T>(object, x, y)
                          : cudalabs_gather_r<T>(object, x, y);
}
template <class T>
CUDALABS_DEVICE void tex2Dgather(T* value, cudaTextureObject_t object, float x, float y, int component = 0) {
  *value = tex2Dgather<T>(object, x, y, component);
}
#undef CUDALABS_TEXTURE
#undef CUDALABS_READ_AS

// Surfaces: elements are moved unchanged, by the instruction for their size.
namespace cudalabs {

template <unsigned bytes>
struct SurfaceWord;
template <>
struct SurfaceWord<1> {
  using Element = unsigned char;
  using Register = unsigned short;
};
template <>
struct SurfaceWord<2> {
  using Element = unsigned short;
  using Register = unsigned short;
};
template <>
struct SurfaceWord<4> {
  using Element = unsigned;
  using Register = unsigned;
};
template <>
struct SurfaceWord<8> {
  using Element = unsigned long long;
  using Register = unsigned long long;
};
/// The registers of an instruction.
template <unsigned bytes, unsigned count>
struct SurfaceWords {
  typename SurfaceWord<bytes>::Register w[count];
};

template <class T>
constexpr unsigned surface_element(decltype(T::x)*) {
  return sizeof(T::x);
}
template <class T>
constexpr unsigned surface_element(...) {
  return sizeof(T);
}
template <class T>
struct SurfaceValue {
  static constexpr unsigned bytes = surface_element<T>(nullptr), count = sizeof(T) / bytes;
  using Words = SurfaceWords<bytes, count>;
  using Element = typename SurfaceWord<bytes>::Element;
  static CUDALABS_DEVICE_MEMBER T of(const Words& words) {
    Element elements[count];
    for (unsigned i = 0; i < count; ++i) elements[i] = Element(words.w[i]);
    T value;
    __builtin_memcpy(&value, elements, sizeof(T));
    return value;
  }
  static CUDALABS_DEVICE_MEMBER Words words(const T& value) {
    Element elements[count];
    __builtin_memcpy(elements, &value, sizeof(T));
    Words result;
    for (unsigned i = 0; i < count; ++i) result.w[i] = elements[i];
    return result;
  }
};

}  // namespace cudalabs

// The instruction's name contains the boundary mode.
#define CUDALABS_OUT_1(letter) "=" letter(v.w[0])
#define CUDALABS_OUT_2(letter) CUDALABS_OUT_1(letter), "=" letter(v.w[1])
#define CUDALABS_OUT_4(letter) CUDALABS_OUT_2(letter), "=" letter(v.w[2]), "=" letter(v.w[3])
#define CUDALABS_IN_1(letter) letter(v.w[0])
#define CUDALABS_IN_2(letter) CUDALABS_IN_1(letter), letter(v.w[1])
#define CUDALABS_IN_4(letter) CUDALABS_IN_2(letter), letter(v.w[2]), letter(v.w[3])
#define CUDALABS_SLOTS_1 "{%0}"
#define CUDALABS_SLOTS_2 "{%0, %1}"
#define CUDALABS_SLOTS_4 "{%0, %1, %2, %3}"
#define CUDALABS_VECTOR_OF_1 "."
#define CUDALABS_VECTOR_OF_2 ".v2."
#define CUDALABS_VECTOR_OF_4 ".v4."
#define CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, bytes, count, type, letter)      \
  CUDALABS_DEVICE void name##read(cudalabs::SurfaceWords<bytes, count>& v, cudaSurfaceObject_t object, \
                                  CUDALABS_LIST parameters, cudaSurfaceBoundaryMode mode) {            \
    if (mode == cudaBoundaryModeClamp)                                                                 \
      asm volatile("suld.b." shape CUDALABS_VECTOR_OF_##count type ".clamp " CUDALABS_SLOTS_##count    \
                   ", [%[object], " place "];"                                                         \
                   : CUDALABS_OUT_##count(letter)                                                      \
                   : [object] "l"(object), CUDALABS_LIST inputs                                        \
                   : "memory");                                                                        \
    else if (mode == cudaBoundaryModeZero)                                                             \
      asm volatile("suld.b." shape CUDALABS_VECTOR_OF_##count type ".zero " CUDALABS_SLOTS_##count     \
                   ", [%[object], " place "];"                                                         \
                   : CUDALABS_OUT_##count(letter)                                                      \
                   : [object] "l"(object), CUDALABS_LIST inputs                                        \
                   : "memory");                                                                        \
    else                                                                                               \
      asm volatile("suld.b." shape CUDALABS_VECTOR_OF_##count type ".trap " CUDALABS_SLOTS_##count     \
                   ", [%[object], " place "];"                                                         \
                   : CUDALABS_OUT_##count(letter)                                                      \
                   : [object] "l"(object), CUDALABS_LIST inputs                                        \
                   : "memory");                                                                        \
  }                                                                                                    \
  CUDALABS_DEVICE void name##write(const cudalabs::SurfaceWords<bytes, count>& v,                      \
                                   cudaSurfaceObject_t object, CUDALABS_LIST parameters,               \
                                   cudaSurfaceBoundaryMode mode) {                                     \
    if (mode == cudaBoundaryModeClamp)                                                                 \
      asm volatile("sust.b." shape CUDALABS_VECTOR_OF_##count type ".clamp [%[object], " place         \
                                                                   "], " CUDALABS_SLOTS_##count        \
                   ";" ::CUDALABS_IN_##count(letter),                                                  \
                   [object] "l"(object), CUDALABS_LIST inputs                                          \
                   : "memory");                                                                        \
    else if (mode == cudaBoundaryModeZero)                                                             \
      asm volatile("sust.b." shape CUDALABS_VECTOR_OF_##count type ".zero [%[object], " place          \
                                                                   "], " CUDALABS_SLOTS_##count        \
                   ";" ::CUDALABS_IN_##count(letter),                                                  \
                   [object] "l"(object), CUDALABS_LIST inputs                                          \
                   : "memory");                                                                        \
    else                                                                                               \
      asm volatile("sust.b." shape CUDALABS_VECTOR_OF_##count type ".trap [%[object], " place          \
                                                                   "], " CUDALABS_SLOTS_##count        \
                   ";" ::CUDALABS_IN_##count(letter),                                                  \
                   [object] "l"(object), CUDALABS_LIST inputs                                          \
                   : "memory");                                                                        \
  }
#define CUDALABS_SURFACE(name, shape, place, parameters, inputs, arguments)                                \
  namespace cudalabs {                                                                                     \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 1, 1, "b8", "h")                           \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 2, 1, "b16", "h")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 4, 1, "b32", "r")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 8, 1, "b64", "l")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 1, 2, "b8", "h")                           \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 2, 2, "b16", "h")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 4, 2, "b32", "r")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 8, 2, "b64", "l")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 1, 4, "b8", "h")                           \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 2, 4, "b16", "h")                          \
  CUDALABS_SURFACE_SIZE(name, shape, place, parameters, inputs, 4, 4, "b32", "r")                          \
  }                                                                                                        \
  template <class T>                                                                                       \
  CUDALABS_DEVICE T name##read(cudaSurfaceObject_t object, CUDALABS_LIST parameters,                       \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                      \
    typename cudalabs::SurfaceValue<T>::Words words;                                                       \
    cudalabs::name##read(words, object, CUDALABS_LIST arguments, mode);                                    \
    return cudalabs::SurfaceValue<T>::of(words);                                                           \
  }                                                                                                        \
  template <class T>                                                                                       \
  CUDALABS_DEVICE void name##read(T* value, cudaSurfaceObject_t object, CUDALABS_LIST parameters,          \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    *value = name##read<T>(object, CUDALABS_LIST arguments, mode);                                         \
  }                                                                                                        \
  template <class T>                                                                                       \
  CUDALABS_DEVICE void name##write(T value, cudaSurfaceObject_t object, CUDALABS_LIST parameters,          \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
    cudalabs::name##write(cudalabs::SurfaceValue<T>::words(value), object, CUDALABS_LIST arguments, mode); \
  }

CUDALABS_SURFACE(surf1D, "1d", "{%[x]}", (int x), ([x] "r"(x)), (x))
CUDALABS_SURFACE(surf2D, "2d", "{%[x], %[y]}", (int x, int y), ([x] "r"(x), [y] "r"(y)), (x, y))
CUDALABS_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z),
                 ([x] "r"(x), [y] "r"(y), [z] "r"(z)), (x, y, z))
CUDALABS_SURFACE(surf1DLayered, "a1d", "{%[layer], %[x]}", (int x, int layer),
                 ([x] "r"(x), [layer] "r"(layer)), (x, layer))
CUDALABS_SURFACE(surf2DLayered, "a2d", "{%[layer], %[x], %[y], %[y]}", (int x, int y, int layer),
                 ([x] "r"(x), [y] "r"(y), [layer] "r"(layer)), (x, y, layer))
// The faces of a cubemap are its layers.
CUDALABS_SURFACE(surfCubemap, "a2d", "{%[face], %[x], %[y], %[y]}", (int x, int y, int face),
                 ([x] "r"(x), [y] "r"(y), [face] "r"(face)), (x, y, face))
CUDALABS_SURFACE(surfCubemapLayered, "a2d", "{%[face], %[x], %[y], %[y]}", (int x, int y, int face),
                 ([x] "r"(x), [y] "r"(y), [face] "r"(face)), (x, y, face))

#undef CUDALABS_SURFACE
#undef CUDALABS_SURFACE_SIZE
#undef CUDALABS_OUT_1
#undef CUDALABS_OUT_2
#undef CUDALABS_OUT_4
#undef CUDALABS_IN_1
#undef CUDALABS_IN_2
#undef CUDALABS_IN_4
#undef CUDALABS_SLOTS_1
#undef CUDALABS_SLOTS_2
#undef CUDALABS_SLOTS_4
#undef CUDALABS_VECTOR_OF_1
#undef CUDALABS_VECTOR_OF_2
#undef CUDALABS_VECTOR_OF_4
#undef CUDALABS_LIST
