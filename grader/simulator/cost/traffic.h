#pragma once
// What the estimate needs to know of a launch's memory accesses beyond the counters.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "grader/simulator/cost/profile.h"
#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

/// Sectors of global memory that were loaded, or stored: how often in the blocks looked at, how many
/// different ones in each of them (summed), and how many different ones the whole launch can have met: the
/// address ranges that the blocks looked at span, in sectors.
struct Reuse {
  double accessed = 0, by_block = 0, spanned = 0;
  double lines = 0;  ///< of 128 bytes, summed over the accesses of the blocks looked at
};

struct Traffic {
  Reuse loads, stores;
  // Only where the card's shared memory is not that of the counters.
  double wavefronts = 0;  ///< in its own banks
  double sectors = 0;     ///< of global memory, by the lanes that are served together
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
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  void add_to(Traffic& traffic) const;

  /// First and last sector that an instruction met.
  struct Span {
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
  };
  using Spans = std::map<std::pair<const Program*, std::uint32_t>, Span>;

  /// Of the blocks that are always looked at, and of those that were drawn.
  struct Sample {
    std::array<Reuse, 2> sums;  // loads, stores
    std::array<Spans, 2> spans;
  };

 private:
  [[nodiscard]] Reuse of(std::size_t kind) const;

  std::uint64_t draw_;
  std::array<Sample, 2> samples_;  // always, drawn
};

/// Counts shared wavefronts by the profile's banks, and global sectors by the lanes that it serves together.
class BankObserver : public Observer {
 public:
  explicit BankObserver(const DeviceProfile& profile) : profile_(profile) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  void add_to(Traffic& traffic) const {
    traffic.wavefronts = static_cast<double>(wavefronts_);
    traffic.sectors = static_cast<double>(sectors_);
  }

 private:
  DeviceProfile profile_;
  std::uint64_t wavefronts_ = 0, sectors_ = 0;
};

/// Wavefronts of one access in the profile's banks. `offsets`:
/// byte offsets of 32 lanes, those outside `mask` not read.
std::uint32_t bank_wavefronts(const DeviceProfile& profile, std::uint32_t width, const std::uint32_t* offsets,
                              std::uint32_t mask);

}  // namespace cudalabs::sim
