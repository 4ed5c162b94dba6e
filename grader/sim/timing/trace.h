#pragma once
// Step-by-step traces of some of a launch's blocks: the instructions that each warp executed, in order, and
// the lines of memory that they accessed.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/sampled_blocks.h"
#include "grader/sim/timing/profile.h"

namespace cudalabs::sim {

/// A line of 128 bytes of global memory, or of a warp's interleaved local memory.
struct TracedLine {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;  ///< accessed sectors, a bit each
  std::uint8_t partial = 0;  ///< sectors that were only partly accessed, a bit each
};

struct TracedAccess {
  AccessKind kind{};
  AccessSpace space{};
  bool loops = false;  ///< Shared: an atomic that is a loop of a load and a compare-and-swap
  /// Shared: wavefronts in the profile's banks; for an atomic that is a loop: its iterations without
  /// contention. Constant: number of distinct addresses of the lanes.
  std::uint16_t wavefronts = 0;
  std::uint16_t copied = 0;  ///< wavefronts of an asynchronous copy's shared half
  std::uint32_t word = 0;    ///< for an atomic that is a loop: its first word
  std::uint32_t first_line = 0, lines = 0;
};

/// One PTX instruction of one warp.
struct TracedStep {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into the function's body
  std::uint32_t access = kNoAccess;
  static constexpr std::uint32_t kNoAccess = 0xFFFFFFFFu;
};

struct TracedBlock {
  std::uint64_t block = 0;
  std::vector<std::vector<TracedStep>> warps;  ///< each up to where its tracing ended
  std::vector<TracedAccess> accesses;          ///< identical accesses to shared memory are stored once
  std::vector<TracedLine> lines;
  std::vector<const Program*> functions;  ///< executed functions, the kernel first
  std::uint64_t passes = 0;               ///< wavefronts of all kinds, added over the accesses
  std::uint64_t wavefronts = 0;  ///< those of `passes` to shared memory, except atomics that are loops
  std::uint64_t sectors = 0;     ///< of global memory, added over the accesses
  bool whole = false;            ///< every warp was traced to its end
  bool cut = false;              ///< not whole, because a warp exceeded the maximum number of steps
};

/// Traces the only block of a launch: for each warp, the consecutive steps with most memory traffic.
struct DearestSteps {};

/// Traces a few fixed blocks, spread over the grid, and as many random ones if there is a draw (traffic.h).
class TraceObserver : public Observer {
 public:
  TraceObserver(const DeviceProfile& profile, std::uint64_t draw) : profile_(profile), draw_(draw) {}
  TraceObserver(const DeviceProfile& profile, OneBlock) : profile_(profile), draw_(0), one_(true) {}
  TraceObserver(const DeviceProfile& profile, DearestSteps)
      : profile_(profile), draw_(0), one_(true), dearest_(true) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// The accesses of the randomly drawn blocks are much more expensive than those of the fixed ones, which a
  /// program that knows them could have made cheap.
  [[nodiscard]] bool is_odd() const;
  /// The traces in the order of the grid.
  [[nodiscard]] std::vector<TracedBlock> take(bool drawn);

 private:
  DeviceProfile profile_;
  std::uint64_t draw_;
  bool one_ = false, dearest_ = false;
  std::array<std::vector<TracedBlock>, 2> samples_;  // fixed, drawn
};

}  // namespace cudalabs::sim
