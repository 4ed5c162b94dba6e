#pragma once
// Annotations for a profiler, in C++, which have no effect here.

#include <cstdint>

#include "nvToolsExt.h"

namespace nvtx3 {

struct rgb {
  using component_type = std::uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};
struct argb : rgb {
  constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
      : rgb(r, g, b), alpha(a) {}
  component_type alpha;
};

/// Accepts any arguments, and keeps none.
#define CUDALABS_MARK(name)                        \
  struct name {                                    \
    template <class... Anything>                   \
    constexpr name(const Anything&...) noexcept {} \
  };
CUDALABS_MARK(color)
CUDALABS_MARK(category)
CUDALABS_MARK(message)
CUDALABS_MARK(payload)
CUDALABS_MARK(event_attributes)
#undef CUDALABS_MARK

struct domain {
  struct global {};
};
template <class Domain>
struct named_category_in : category {
  using category::category;
};
using named_category = named_category_in<domain::global>;
template <class Domain>
struct registered_string_in : message {
  using message::message;
};
using registered_string = registered_string_in<domain::global>;

template <class Domain>
class scoped_range_in {
 public:
  template <class... Anything>
  explicit scoped_range_in(const Anything&...) noexcept {}
  ~scoped_range_in() {}
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
};
using scoped_range = scoped_range_in<domain::global>;
template <class Domain>
class unique_range_in {
 public:
  template <class... Anything>
  explicit unique_range_in(const Anything&...) noexcept {}
  ~unique_range_in() {}
  unique_range_in(unique_range_in&&) noexcept {}
};
using unique_range = unique_range_in<domain::global>;

struct range_handle {
  std::uint64_t value = 0;
};
template <class Domain = domain::global, class... Anything>
range_handle start_range_in(const Anything&...) noexcept {
  return {};
}
template <class Domain = domain::global>
void end_range_in(range_handle) noexcept {}
template <class... Anything>
range_handle start_range(const Anything&...) noexcept {
  return {};
}
inline void end_range(range_handle) noexcept {}
template <class Domain = domain::global, class... Anything>
void mark_in(const Anything&...) noexcept {}
template <class... Anything>
void mark(const Anything&...) noexcept {}

}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IN(domain) static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IF(condition) static_cast<void>(condition)
