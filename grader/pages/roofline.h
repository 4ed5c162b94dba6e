#pragma once
// Where versions stand below what a card can do: the instruction roofline (Ding and Williams, 2019). Warp
// instructions are its work, since a maximum or a transpose has no floating-point operations to count; bytes
// are those that warps ask of global memory, in sectors.

#include <string>
#include <vector>

#include "grader/score/result.h"
#include "grader/simulator/cost/profile.h"

namespace cudalabs {

struct RooflinePoint {
  std::string version;
  bool reference = false;
  double instructions = 0;  ///< of warps
  double bytes = 0;         ///< loads, stores and atomics
  double ns = 0;            ///< the time that they took

  [[nodiscard]] double intensity() const { return instructions / bytes; }  ///< warp instructions a byte
  [[nodiscard]] double rate() const { return instructions / ns; }  ///< 10^9 warp instructions a second
};

struct Roofline {
  double issue = 0;   ///< 10^9 warp instructions a second
  double memory = 0;  ///< 10^9 bytes a second
  double l2 = 0;      ///< between L2 and the multiprocessors
  std::vector<RooflinePoint> points;

  /// What the card could do at most with this intensity, if every byte came from memory.
  [[nodiscard]] double limit(double intensity) const;
  /// The least time for the work of a point, in nanoseconds.
  [[nodiscard]] double least_ns(const RooflinePoint& point) const;
};

/// The points are the versions that have a time and went to global memory, each followed by its
/// reference, if that is known.
Roofline roofline_of(const GradeResult& result, const sim::DeviceProfile& peaks);

/// The figure; there must be a point.
std::string roofline_figure(const Roofline& roofline);

/// The signs by which versions are told apart in a figure, beside their names: of the
/// version with this index.
std::string_view version_sign(std::size_t version);

}  // namespace cudalabs
