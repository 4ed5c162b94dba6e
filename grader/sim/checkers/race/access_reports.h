#pragma once
// The access that racecheck looks at, and the reports of its conflicts.

#include <cstdint>

#include "grader/sim/checkers/race/race_reports.h"
#include "grader/sim/checkers/race/race_shadow.h"

namespace cudalabs::sim {

class AccessReports : public RaceReports {
 protected:
  using RaceReports::RaceReports;

  /// Reports the current access together with the one that left the mark, unless the pair is allowed all the
  /// same.
  [[gnu::noinline]] void report(Conflict conflict, Relation relation, const Mark& mark);

  // The current access.
  const WarpAccess* access_ = nullptr;
  std::uint32_t block_ = 0, warp_ = 0, site_ = 0;
  std::uint32_t low_ = 0, high_ = 0;  ///< its lanes
  std::uint32_t reported_ = 0;        ///< conflicts that these lanes have reported, by bit
  std::uint64_t address_ = 0;
  bool shared_ = false;
};

}  // namespace cudalabs::sim
