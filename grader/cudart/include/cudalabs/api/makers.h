#pragma once
// make_cudaExtent and similar functions, and the channels of a type.

#include "cudalabs/api/calls.h"

static __inline__ __attribute__((unused)) cudaPitchedPtr make_cudaPitchedPtr(void* d, size_t p, size_t xsz,
                                                                             size_t ysz) {
  return {d, p, xsz, ysz};
}
static __inline__ __attribute__((unused)) cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}
static __inline__ __attribute__((unused)) cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) {
  return {w, h, d};
}

namespace cudalabs {

template <class Element>
cudaChannelFormatDesc channels(int count) {
  const int bits = int(8 * sizeof(Element));
  const cudaChannelFormatKind kind = Element(0.5) > Element(0)  ? cudaChannelFormatKindFloat
                                     : Element(-1) < Element(0) ? cudaChannelFormatKindSigned
                                                                : cudaChannelFormatKindUnsigned;
  return ::cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                                 kind);
}
/// A vector's channels are its elements.
template <class T>
auto channels_of(int) -> decltype((void)T::x, cudaChannelFormatDesc{}) {
  return channels<decltype(T::x)>(int(sizeof(T) / sizeof(T::x)));
}
template <class T>
cudaChannelFormatDesc channels_of(long) {
  return channels<T>(1);
}

}  // namespace cudalabs

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudalabs::channels_of<T>(0);
}
