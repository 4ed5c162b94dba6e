#pragma once
// What the estimate needs to know of a launch's memory accesses beyond the counters.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/sampled_blocks.h"

namespace cudalabs::sim {

/// Sectors of global memory that were loaded, or stored: how often in the blocks looked at, how many
/// different ones in each of them (summed), and how many different ones the whole launch can have met: the
/// address ranges that the blocks looked at span, in sectors.
struct Reuse {
  double accessed = 0, by_block = 0, spanned = 0;
  double lines = 0;  ///< of 128 bytes, summed over the accesses of the blocks looked at
};

/// Sectors of global memory that instructions span between them. Of those that a block is the first to meet
/// in itself, a share is met by no other block before.
struct Footprint {
  std::uint64_t first = 0, last = 0;
  double fresh = 1;
  double met = 0;  ///< different ones that the launch meets, no more than it spans
};

struct Traffic {
  std::vector<Footprint> footprints;  ///< apart from each other, in their order
  bool odd = false;                   ///< the drawn blocks count, not the usual ones
};

/// Looks at some of the blocks closely: at all of a small grid, at about
/// 16 of a large one, always the same ones. So its cost does not grow with
/// the launch, and what it says does not depend on the number of workers.
/// Who knows them could make them cheap: as many others are drawn, and if
/// these are far dearer, they count. Otherwise nothing depends on the draw.
class ReuseObserver : public Observer {
 public:
  /// `draw`: 0: no others are drawn.
  explicit ReuseObserver(std::uint64_t draw = 0) : draw_(draw) {}
  explicit ReuseObserver(OneBlock) : draw_(0), one_(true) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  [[nodiscard]] Traffic traffic() const;

  /// First and last sector that an instruction met.
  struct Span {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    double met = 0;  ///< sectors that it was the first of its block to meet
  };
  using Spans = std::map<std::pair<const Program*, std::uint32_t>, Span>;

  /// Of the blocks that are always looked at, and of those that were drawn.
  struct Sample {
    std::array<Reuse, 2> sums;  // loads, stores
    std::array<Spans, 2> spans;
    std::uint64_t blocks = 0;
  };

 private:
  [[nodiscard]] bool is_odd(std::size_t kind) const;

  std::uint64_t draw_;
  bool one_ = false;
  std::uint64_t blocks_ = 0;
  std::array<Sample, 2> samples_;  // always, drawn
};

}  // namespace cudalabs::sim
