#pragma once
// Outputs whose elements may stand at several places: finds for each element of the answer the place where
// the output has it. Then such an output is compared like any other.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace cudalabs {

/// Places that may be exchanged with each other: from the first to before the second.
using Run = std::pair<std::size_t, std::size_t>;

/// Returns, for each place of the answer, a place of the output in the same run. `got(i)`, `right(i)`: the
/// numbers there. `accepts(value, i)`: whether the answer may have this value at place i. An element of the
/// answer that is missing gets one of the places that hold something else.
template <class Got, class Right, class Accepts>
std::vector<std::size_t> arranged(const std::vector<Run>& runs, const Got& got, const Right& right,
                                  const Accepts& accepts) {
  std::vector<std::size_t> source(runs.empty() ? 0 : runs.back().second);
  std::iota(source.begin(), source.end(), std::size_t{0});
  for (const auto& [begin, end] : runs) {
    if (end - begin < 2) continue;
    std::vector<std::size_t> here(source.begin() + static_cast<std::ptrdiff_t>(begin),
                                  source.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<std::size_t> there = here, missing, extra;
    // NaN is no number's neighbour, so it comes last.
    const auto less = [](auto a, auto b) {
      if constexpr (std::is_floating_point_v<decltype(a)>)
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a);
      return a < b;
    };
    std::ranges::stable_sort(here, less, got);
    std::ranges::stable_sort(there, less, right);
    std::size_t a = 0, b = 0;
    while (a < here.size() && b < there.size()) {
      if (accepts(got(here[a]), there[b]))
        source[there[b++]] = here[a++];
      else if (less(got(here[a]), right(there[b])))
        extra.push_back(here[a++]);
      else
        missing.push_back(there[b++]);
    }
    extra.insert(extra.end(), here.begin() + static_cast<std::ptrdiff_t>(a), here.end());
    missing.insert(missing.end(), there.begin() + static_cast<std::ptrdiff_t>(b), there.end());
    std::ranges::sort(extra);
    for (std::size_t k = 0; k < missing.size(); ++k) source[missing[k]] = extra[k];
  }
  return source;
}

}  // namespace cudalabs
