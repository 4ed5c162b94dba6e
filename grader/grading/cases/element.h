#pragma once
// Maps an ElementType to a C++ type, and formats elements as text.

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

/// Calls `use` with a value of the C++ type that `type` names.
template <class Use>
decltype(auto) with_type(ElementType type, Use&& use) {
  switch (type) {
    case ElementType::Int32: return use(std::int32_t{});
    case ElementType::Int64: return use(std::int64_t{});
    case ElementType::Float32: return use(float{});
    case ElementType::Float64: return use(double{});
  }
  std::abort();
}

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
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  }
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

/// "[3][5]" for a place in row-major order; "" for a single element without a shape.
std::string index_text(std::span<const std::int64_t> index);
std::vector<std::int64_t> index_of(std::size_t place, std::span<const std::int64_t> extents);

}  // namespace cudalabs
