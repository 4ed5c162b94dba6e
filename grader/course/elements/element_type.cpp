#include "grader/course/elements/element_type.h"

#include <cmath>

namespace cudalabs {
namespace {

struct ElementRow {
  std::string_view spelling, stem;
  int longest;
};

constexpr ElementRow kElementRows[] = {
#define ELEMENT_TYPE(name, spelling, stem, longest, host) {spelling, stem, longest},
#include "grader/course/elements/element_types.def"
#undef ELEMENT_TYPE
};

const ElementRow& row_of(ElementType type) { return kElementRows[static_cast<std::size_t>(type)]; }

struct NamedType {
  std::string name;
  ContractType type;
};

std::vector<NamedType> make_named_types() {
  std::vector<NamedType> all;
  constexpr std::size_t kRows = std::size(kElementRows);
  for (std::size_t i = 0; i < kRows; ++i)
    all.push_back({std::string(kElementRows[i].spelling), {static_cast<ElementType>(i), 1}});
  for (std::size_t i = 0; i < kRows; ++i) {
    for (int n = 2; n <= kElementRows[i].longest; ++n) {
      const ContractType type{static_cast<ElementType>(i), n};
      all.push_back({spelling(type), type});
    }
  }
  all.push_back({"unsigned int", {ElementType::UInt32, 1}});
  all.push_back({"__half", {ElementType::Half, 1}});
  all.push_back({"__half2", {ElementType::Half, 2}});
  return all;
}

const std::vector<NamedType>& named_types() {
  static const std::vector<NamedType> all = make_named_types();
  return all;
}

}  // namespace

std::size_t size_of(ElementType type) {
  return with_type(type, []<class T>(T) { return sizeof(T); });
}

std::string_view spelling(ElementType type) { return row_of(type).spelling; }

std::string spelling(const ContractType& type) {
  const ElementRow& row = row_of(type.type);
  if (type.components == 1) return std::string(row.spelling);
  return std::string(row.stem) + std::to_string(type.components);
}

bool is_integer(ElementType type) {
  return with_type(type, []<class T>(T) { return std::is_integral_v<T>; });
}

std::optional<ContractType> contract_type(std::string_view name) {
  for (const NamedType& named : named_types())
    if (named.name == name) return named.type;
  return std::nullopt;
}

const std::vector<std::string>& contract_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const NamedType& named : named_types()) all.push_back(named.name);
    return all;
  }();
  return names;
}

ElementRange full_range(ElementType type) {
  if (type == ElementType::Bool) return {0, 1};
  return with_type(type, []<class T>(T) -> ElementRange {
    if constexpr (kIsSmallFloat<T>) {
      const double largest = std::ldexp(2 - std::ldexp(1.0, 1 - kDigits<T>), T::kBias);
      return {-largest, largest};
    } else {
      return {static_cast<double>(std::numeric_limits<T>::lowest()),
              static_cast<double>(std::numeric_limits<T>::max())};
    }
  });
}

ElementRange usual_range(ElementType type) {
  if (!is_integer(type)) return {-1, 1};
  constexpr double kSigned = 100, kUnsigned = 255;
  const ElementRange full = full_range(type);
  if (full.low < 0) return {-kSigned, kSigned};
  return {0, std::min(full.high, kUnsigned)};
}

}  // namespace cudalabs
