#pragma once

#include <memory>
#include <new>
#include <vector>

namespace cudalabs {

/// For a std::vector whose elements are all written before they are read: resize() leaves new elements
/// uninitialised, where std::allocator would zero megabytes for nothing.
template <class T>
struct ForOverwrite : std::allocator<T> {
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
};

template <class T>
using UnsetVector = std::vector<T, ForOverwrite<T>>;

}  // namespace cudalabs
