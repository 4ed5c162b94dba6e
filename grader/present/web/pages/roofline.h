#pragma once
// Compares versions with the limits of a GPU: the instruction roofline (Ding and Williams, 2019). It measures
// work in warp instructions, since a maximum or a transpose has no floating-point operations to count. Its
// bytes are the sectors that warps request from global memory. Shared memory limits each version in its own
// way: by its wavefronts, which bank conflicts add to.

#include <string>
#include <vector>

#include "grader/grading/score/result.h"
#include "grader/present/web/html.h"
#include "grader/sim/timing/profile.h"

namespace cudalabs {

struct RooflinePoint {
  std::string version;
  bool reference = false;
  double instructions = 0;  ///< warp instructions
  double bytes = 0;         ///< loads, stores and atomics
  double wavefronts = 0;    ///< of shared memory
  double ns = 0;            ///< the time that the kernels took

  [[nodiscard]] double intensity() const { return instructions / bytes; }  ///< warp instructions per byte
  [[nodiscard]] double rate() const { return instructions / ns; }  ///< 10^9 warp instructions per second
};

struct Roofline {
  double issue = 0;   ///< 10^9 warp instructions per second
  double memory = 0;  ///< 10^9 bytes per second
  double l2 = 0;      ///< between L2 and the multiprocessors
  double shared = 0;  ///< 10^9 wavefronts per second
  std::vector<RooflinePoint> points;

  /// The GPU's maximum rate for this intensity, if every byte comes from memory.
  [[nodiscard]] double limit(double intensity) const;
  /// The rate that the point's wavefronts of shared memory allow; 0: it has none.
  [[nodiscard]] double shared_limit(const RooflinePoint& point) const;
  /// The minimum time for the work of a point, in nanoseconds.
  [[nodiscard]] double least_ns(const RooflinePoint& point) const;
};

/// The points are the versions that have a time and used global memory, each followed by its reference if
/// that is known.
Roofline roofline_of(const GradeResult& result, const sim::DeviceProfile& peaks);

/// The figure; there must be at least one point.
html::Html roofline_figure(const Roofline& roofline);

/// The sign that identifies the version with this index in a figure, beside its name.
html::Piece version_sign(std::size_t version);

}  // namespace cudalabs
