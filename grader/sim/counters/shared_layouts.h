#pragma once
// How the lanes of a warp lie in shared memory. Two kernels may have equal counters and differ in the pitch
// of a tile, or in how they swizzle it; their layouts then differ.

#include <cstdint>
#include <map>
#include <vector>

#include "grader/sim/base/types.h"

namespace cudalabs::sim {

struct WarpAccess;

/// Identifies an access by its width and by the distances between its lanes' elements, whatever lane has
/// which.
std::uint64_t layout_of(const WarpAccess& access);

/// Accesses by layout. Of many layouts it keeps those with the smallest numbers, so that the order of the
/// accesses does not matter.
class SharedLayouts {
 public:
  void add(std::uint64_t layout, std::uint64_t accesses);
  /// By layout.
  [[nodiscard]] std::vector<LayoutCount> counts() const;

 private:
  std::map<std::uint64_t, std::uint64_t> accesses_;
};

/// The share of accesses, 0 to 1, whose layout both have. `one` and `other` are sorted by layout. Two kernels
/// without shared memory have the same.
double common_layouts(const std::vector<LayoutCount>& one, const std::vector<LayoutCount>& other);

}  // namespace cudalabs::sim
