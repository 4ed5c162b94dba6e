#pragma once
// Loads and stores the numbers of arrays, and formats them as text.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "grader/course/lab.h"

namespace cudalabs {

template <class T>
T load_element(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void store_element(std::span<std::byte> bytes, std::size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

/// The shortest text that distinguishes this value from its neighbours.
template <class T>
std::string element_text(T value) {
  if constexpr (kIsSmallFloat<T>) return element_text(static_cast<float>(value));
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  }
  if constexpr (!kIsSmallFloat<T>) {
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, end.ptr};
  }
}

/// "[3][5]", or "[3].y" in a vector; "" for a single element without a shape. `index`: as of index_of() in
/// the parameter's extents().
std::string index_text(const Parameter& parameter, std::span<const std::int64_t> index);
std::vector<std::int64_t> index_of(std::size_t place, std::span<const std::int64_t> extents);

}  // namespace cudalabs
