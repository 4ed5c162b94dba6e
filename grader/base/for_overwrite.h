#pragma once

#include <cstddef>
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

// Compiled once, with optimisation: without it the destructor visits each of the elements.
extern template class std::vector<double, cudalabs::ForOverwrite<double>>;
extern template class std::vector<std::byte, cudalabs::ForOverwrite<std::byte>>;
