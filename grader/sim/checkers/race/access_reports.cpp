#include "grader/sim/checkers/race/access_reports.h"

#include "grader/sim/checkers/race/stored_values.h"

namespace cudalabs::sim {

void AccessReports::report(Conflict conflict, Relation relation, const Mark& mark) {
  const Key key{conflict, relation, shared_, {site_, access_->kind}, {mark.site, mark.kind}};
  if (is_meant(key)) return;
  const std::uint32_t bit = 1u << static_cast<std::uint32_t>(conflict);
  if ((reported_ & bit) != 0) return;
  reported_ |= bit;
  std::uint32_t mine = low_, theirs = mark.low;
  if (relation == Relation::SameWarp && mine == theirs) {
    if (mark.high != mine)
      theirs = mark.high;
    else
      mine = high_;
  }
  const std::uint32_t thread = warp_ * kLanes + mine;
  Seen<Example>& seen = seen_[key];
  if (!seen.wants(block_, thread)) {  // a loop with a race reports it again and again
    ++seen.count;
    return;
  }
  seen.add(block_, thread,
           {address_, access_->width, thread, mark.block, mark.warp * kLanes + theirs,
            is_crowded(*access_, low_)});
}

}  // namespace cudalabs::sim
