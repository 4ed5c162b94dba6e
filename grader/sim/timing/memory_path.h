#pragma once
// A multiprocessor's path to global memory: L1, and its share of the bandwidth to L2, of memory, and of the
// places of atomics. The shares are queues that serve one request after the other.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "grader/sim/timing/profile.h"
#include "grader/sim/timing/trace.h"
#include "grader/sim/timing/traffic.h"

namespace cudalabs::sim {

/// Time in fixed-point clocks: sums are independent of the order, and equal on every machine.
using Ticks = std::int64_t;
inline constexpr double kTicks = 256;  // of a clock
inline Ticks ticks(double clocks) { return static_cast<Ticks>(std::llround(clocks * kTicks)); }

/// Causes of a wait. A memory result has waited in several queues, and for the transfer.
enum WaitFor : std::uint8_t { kWay, kShared, kL2, kMemory, kAtomics, kIssue, kDoubles, kWaits };
using Parts = std::array<Ticks, kWaits>;

class Queue {
 public:
  /// Adds a request at `now` and returns when its service begins.
  Ticks enter(Ticks now, Ticks service) {
    const Ticks begins = std::max(now, free_);
    free_ = begins + service;
    served_ += service;
    return begins;
  }
  /// Utilization: the part of the time until `now` in which it served requests.
  [[nodiscard]] double load(Ticks now) const {
    return now > 0 ? std::min(1.0, static_cast<double>(served_) / static_cast<double>(now)) : 0;
  }
  [[nodiscard]] Ticks free() const { return free_; }

 private:
  Ticks free_ = 0, served_ = 0;
};

struct WalkedLaunch {
  std::uint64_t blocks = 1;
  double busy = 1;             ///< active multiprocessors
  std::uint32_t resident = 1;  ///< resident blocks on each of them
  bool by_line = false;        ///< tell which instructions the warps waited for
  double atomic_clocks = 0;    ///< clocks that one warp request occupies the place with most atomics
  std::vector<Footprint> footprints;
  std::vector<TracedBlock> traces;  ///< in the order of the grid, at least one
};

class MemoryPath {
 public:
  /// `share`: the average work of the multiprocessor, as a part of its work with complete blocks only.
  MemoryPath(const WalkedLaunch& launch, const DeviceProfile& profile, double share);

  /// Returns when the data requested at `now` arrives. `turn`: index of the block on the multiprocessor.
  Ticks access(const TracedBlock& block, const TracedAccess& a, Ticks now, std::uint64_t turn, bool uncached,
               Parts& parts);
  /// When all requests are complete.
  [[nodiscard]] Ticks done() const;
  /// When there is room for more requests.
  [[nodiscard]] Ticks has_room() const;
  /// Sectors moved so far.
  [[nodiscard]] double memory_sectors() const { return moved_; }
  [[nodiscard]] double l2_sectors() const { return passed_; }
  /// The longest queue.
  [[nodiscard]] WaitFor longest() const;

  Queue pipe;  ///< of L1 and shared memory

 private:
  struct Line {
    std::uint8_t cached = 0;  ///< sectors in L1
    std::uint8_t seen = 0;    ///< sectors that it had before
    Ticks arrives = 0;
    /// The multiprocessor's number of requested sectors when it last requested some of these.
    std::int64_t asked = 0;
  };
  /// An access's requests to L2 and memory.
  struct Asked {
    int sectors = 0;
    std::int64_t from_memory = 0;
    bool waits_for_memory = false;
    unsigned lines = 0;  ///< lines that wait for memory
    Ticks arrives = 0;   ///< arrival of data that others have requested
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
  /// Moves sectors from memory to L2, starting at `now`.
  Ticks move(Ticks now, std::int64_t sectors);
  /// Writes sectors back to memory so that this many fit in L2, and returns how long that takes.
  Ticks evict(std::int64_t sectors);

  const WalkedLaunch& launch_;
  const DeviceProfile& profile_;
  Ticks sector_ = 0, path_ = 0, atomic_ = 0;
  double dirty_ = 0;               ///< part of this multiprocessor's sectors in L2 that is dirty
  double kept_ = 1;                ///< part of the data of all blocks that fits in L2
  double l2_share_ = 0;            ///< sectors of L2 for this multiprocessor
  double moved_ = 0, passed_ = 0;  // sectors from and to memory, and to and from L2
  std::int64_t asked_ = 0;         // requested sectors so far
  std::vector<double> left_;       // fractions of sectors, until they add up to whole ones
  std::size_t l1_lines_ = 0;
  std::unordered_set<std::uint64_t> common_;  // lines that several traced blocks access
  std::unordered_map<std::uint64_t, Line> lines_;
  std::deque<Line*> order_;  // lines in L1, the oldest first
  Queue to_l2_, memory_, atomics_;
};

}  // namespace cudalabs::sim
