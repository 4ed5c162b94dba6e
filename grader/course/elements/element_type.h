#pragma once
// The types of a parameter's elements: their names in CUDA, and how the host holds them.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grader/course/elements/small_float.h"

namespace cudalabs {

enum class ElementType : std::uint8_t {
#define ELEMENT_TYPE(name, spelling, stem, longest, host) name,
#include "grader/course/elements/element_types.def"
#undef ELEMENT_TYPE
};

std::size_t size_of(ElementType type);
std::string_view spelling(ElementType type);  ///< "float"
bool is_integer(ElementType type);

/// A type of the contract: numbers of one type, several if it is a vector.
struct ContractType {
  ElementType type = ElementType::Float32;
  int components = 1;
  friend bool operator==(const ContractType&, const ContractType&) = default;
};
std::string spelling(const ContractType& type);  ///< "float4"
/// "float4", "unsigned int" or "__half": CUDA has several names for some.
std::optional<ContractType> contract_type(std::string_view name);
/// All names, each type under its usual one first.
const std::vector<std::string>& contract_type_names();

/// The range that inputs of this type are drawn from if the lab gives none, and the numbers that it holds.
struct ElementRange {
  double low = 0, high = 0;
};
ElementRange usual_range(ElementType type);
ElementRange full_range(ElementType type);

template <class T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, HalfFloat> || std::is_same_v<T, BFloat16>;
template <class T>
inline constexpr bool kIsFloat = std::is_floating_point_v<T> || kIsSmallFloat<T>;
/// What the host computes with.
template <class T>
using ValueOf = std::conditional_t<kIsSmallFloat<T>, float, T>;

/// An unsigned integer of the same size.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Bits of the significand, and the smallest exponent of a normal number in [0.5, 1) * 2^exponent.
template <class T>
inline constexpr int kDigits = std::numeric_limits<T>::digits;
template <>
inline constexpr int kDigits<HalfFloat> = HalfFloat::kFractionBits + 1;
template <>
inline constexpr int kDigits<BFloat16> = BFloat16::kFractionBits + 1;
template <class T>
inline constexpr int kMinExponent = std::numeric_limits<T>::min_exponent;
template <>
inline constexpr int kMinExponent<HalfFloat> = 2 - HalfFloat::kBias;
template <>
inline constexpr int kMinExponent<BFloat16> = 2 - BFloat16::kBias;

/// Calls `use` with a value of the host's type for `type`.
template <class Use>
decltype(auto) with_type(ElementType type, Use&& use) {
  switch (type) {
#define ELEMENT_TYPE(name, spelling, stem, longest, host) \
  case ElementType::name:                                 \
    return use(host{});
#include "grader/course/elements/element_types.def"
#undef ELEMENT_TYPE
  }
  std::abort();
}

}  // namespace cudalabs
