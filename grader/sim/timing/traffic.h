#pragma once
// Properties of a launch's memory accesses that the estimate needs besides the counters.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/sampled_blocks.h"

namespace cudalabs::sim {

/// Sectors of global memory that were loaded, or stored. `accessed`: accesses in the sampled blocks;
/// `by_block`: distinct sectors in each of them, summed; `spanned`: an upper bound for the distinct sectors
/// of the whole launch, the address ranges that the sampled blocks span.
struct Reuse {
  double accessed = 0, by_block = 0, spanned = 0;
  double lines = 0;  ///< of 128 bytes, summed over the accesses of the sampled blocks
};

/// A range of global memory, in sectors, that instructions span. `fresh`: of the sectors that a block
/// accesses for the first time, the part that no other block has accessed before.
struct Footprint {
  std::uint64_t first = 0, last = 0;
  double fresh = 1;
  double met = 0;  ///< distinct sectors that the launch accesses, at most those in the range
};

struct Traffic {
  std::vector<Footprint> footprints;  ///< disjoint and sorted
  bool odd = false;                   ///< the drawn blocks count instead of the fixed ones
};

/// Samples blocks: all of a small grid, about 16 fixed ones of a large grid. So its cost does not grow with
/// the launch, and its result does not depend on the number of workers. A program that knows the fixed blocks
/// could make them cheap: therefore as many others are drawn at random, and they count if they are much more
/// expensive. Otherwise nothing depends on the draw.
class ReuseObserver : public Observer {
 public:
  /// `draw`: 0: no random blocks.
  explicit ReuseObserver(std::uint64_t draw = 0) : draw_(draw) {}
  explicit ReuseObserver(OneBlock) : draw_(0), one_(true) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  [[nodiscard]] Traffic traffic() const;

  /// First and last sector that an instruction accessed.
  struct Span {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    double met = 0;  ///< sectors that it was the first of its block to access
  };
  using Spans = std::map<std::pair<const Program*, std::uint32_t>, Span>;

  /// Data of the fixed blocks, or of the drawn ones.
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
  std::array<Sample, 2> samples_;  // fixed, drawn
};

}  // namespace cudalabs::sim
