#pragma once
// What one multiprocessor reaches of global memory: L1, its share of the way to L2, of memory, and of the
// places where atomics meet. The shares are queues that serve one request after the other.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/simulator/cost/profile.h"
#include "grader/simulator/cost/trace.h"
#include "grader/simulator/cost/traffic.h"

namespace cudalabs::sim {

/// Time in whole parts of a clock: sums have no order, and come out the same on every machine.
using Ticks = std::int64_t;
inline constexpr double kTicks = 256;  // of a clock
inline Ticks ticks(double clocks) { return static_cast<Ticks>(std::llround(clocks * kTicks)); }

/// What a wait is for. A result of memory is waited for in several queues, and on the way.
enum WaitFor : std::uint8_t { kWay, kShared, kL2, kMemory, kAtomics, kIssue, kDoubles, kWaits };
using Parts = std::array<Ticks, kWaits>;

class Queue {
 public:
  /// When who comes at `now` begins to be served.
  Ticks enter(Ticks now, Ticks service) {
    const Ticks begins = std::max(now, free_);
    free_ = begins + service;
    served_ += service;
    return begins;
  }
  /// Part of the time until now in which it served somebody.
  [[nodiscard]] double load(Ticks now) const {
    return now > 0 ? std::min(1.0, static_cast<double>(served_) / static_cast<double>(now)) : 0;
  }
  [[nodiscard]] Ticks free() const { return free_; }

 private:
  Ticks free_ = 0, served_ = 0;
};

struct WalkedLaunch {
  std::uint64_t blocks = 1;
  double busy = 1;             ///< multiprocessors at work
  std::uint32_t resident = 1;  ///< blocks at a time on each of them
  double atomic_clocks = 0;    ///< that a request of a warp keeps the place where most atomics meet busy
  std::vector<Footprint> footprints;
  std::vector<TracedBlock> traces;  ///< in the order of the grid, at least one
};

class MemoryPath {
 public:
  /// `share`: of what the multiprocessor would do if all its blocks were whole, what it does on average.
  MemoryPath(const WalkedLaunch& launch, const DeviceProfile& profile, double share);

  /// When what a warp asked for at `now` is there. `turn`: of the block, among those of the multiprocessor.
  Ticks access(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn, bool uncached,
               Parts& parts);
  /// When all that was asked for is done.
  [[nodiscard]] Ticks done() const;
  /// From when on there is room for more requests.
  [[nodiscard]] Ticks has_room() const;
  /// The queue that is longest.
  [[nodiscard]] WaitFor longest() const;

  Queue pipe;  ///< of L1 and shared memory

 private:
  struct Line {
    std::uint8_t cached = 0;  ///< sectors that L1 has
    std::uint8_t seen = 0;    ///< those that it had once
    Ticks arrives = 0;
    /// Sectors that the multiprocessor had asked for when it last asked for some of these.
    std::int64_t asked = 0;
  };
  /// What an access asks L2 and memory for.
  struct Asked {
    int sectors = 0;
    std::int64_t from_memory = 0;
    bool waits_for_memory = false;
    unsigned lines = 0;  ///< that wait for memory
    Ticks arrives = 0;   ///< of what others have asked for
  };

  [[nodiscard]] Ticks way(const Asked& asked, Ticks now) const;
  Ticks load(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn, bool uncached,
             Parts& parts);
  Ticks store(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn);
  Ticks atomic(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn, Parts& parts);

  Asked ask(const TracedBlock& block, const TracedAccess& a, std::uint64_t turn, bool cached);
  Line& line_of(std::uint64_t line, std::uint64_t turn);
  void keep(Line& line, unsigned sectors);
  std::int64_t fresh(std::uint64_t line, int sectors);
  [[nodiscard]] Ticks in_pipe(double passes) const { return ticks(passes / profile_.wavefronts_per_clock); }
  /// Moves sectors from memory to L2, beginning at `now`.
  Ticks move(Ticks now, std::int64_t sectors);
  /// What must be written to memory for that many sectors to find room in L2.
  Ticks evict(std::int64_t sectors);

  const WalkedLaunch& launch_;
  const DeviceProfile& profile_;
  Ticks sector_ = 0, path_ = 0, atomic_ = 0;
  double dirty_ = 0;        ///< of the sectors that L2 holds for this multiprocessor, those that were written
  double kept_ = 1;         ///< of what all blocks meet, what L2 can hold
  double l2_share_ = 0;     ///< sectors that L2 can hold for this multiprocessor
  std::int64_t asked_ = 0;  // sectors, until now
  std::vector<double> left_;  // fractions of sectors, until they are whole ones
  std::size_t l1_lines_ = 0;
  std::unordered_set<std::uint64_t> common_;  // lines that several of the traced blocks meet
  std::unordered_map<std::uint64_t, Line> lines_;
  std::deque<Line*> order_;  // of those in L1, the oldest first
  Queue to_l2_, memory_, atomics_;
};

}  // namespace cudalabs::sim
