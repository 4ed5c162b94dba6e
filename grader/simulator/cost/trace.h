#pragma once
// What some of a launch's blocks did, step by step: which instructions each warp executed, in which order,
// and which lines of memory they met.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/simulator/cost/profile.h"
#include "grader/simulator/program/observer.h"
#include "grader/simulator/program/sampled_blocks.h"

namespace cudalabs::sim {

/// 128 bytes of global memory, or of local memory as the warp's lanes share it out.
struct TracedLine {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;  ///< those met, a bit each
  std::uint8_t partial = 0;  ///< those of which not every byte is
};

struct TracedAccess {
  AccessKind kind{};
  AccessSpace space{};
  bool loops = false;  ///< Shared: an atomic that is a loop of a load and a compare-and-swap
  /// Shared: in the profile's banks; of what loops: how often it does, left alone. Constant: places that the
  /// lanes read.
  std::uint16_t wavefronts = 0;
  std::uint16_t copied = 0;  ///< wavefronts of an asynchronous copy's shared half
  std::uint32_t word = 0;    ///< of what loops: the first that it meets
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
  std::vector<std::vector<TracedStep>> warps;  ///< each up to where it was no longer looked at
  std::vector<TracedAccess> accesses;          ///< of shared memory, those that are alike once
  std::vector<TracedLine> lines;
  std::vector<const Program*> functions;  ///< those that were met, the kernel first
  std::uint64_t passes = 0;               ///< wavefronts of all kinds, access by access
  std::uint64_t wavefronts = 0;           ///< of them those over shared memory, but for what loops
  std::uint64_t sectors = 0;              ///< of global memory, access by access
  bool whole = false;                     ///< every warp was looked at to its end
  bool cut = false;                       ///< it is not whole because a warp did more steps than are kept
};

/// Of a launch of which one block is run: of each warp, the steps in a row in which it does most to memory.
struct DearestSteps {};

/// Looks at a few blocks, spread over the grid, always the same ones, and as many others where
/// there is a draw (traffic.h).
class TraceObserver : public Observer {
 public:
  TraceObserver(const DeviceProfile& profile, std::uint64_t draw) : profile_(profile), draw_(draw) {}
  TraceObserver(const DeviceProfile& profile, OneBlock) : profile_(profile), draw_(0), one_(true) {}
  TraceObserver(const DeviceProfile& profile, DearestSteps)
      : profile_(profile), draw_(0), one_(true), dearest_(true) {}
  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;
  /// The drawn blocks' accesses are far dearer than those of the blocks that who knows
  /// them could have made cheap.
  [[nodiscard]] bool is_odd() const;
  /// In the order of the grid.
  [[nodiscard]] std::vector<TracedBlock> take(bool drawn);

 private:
  DeviceProfile profile_;
  std::uint64_t draw_;
  bool one_ = false, dearest_ = false;
  std::array<std::vector<TracedBlock>, 2> samples_;  // always, drawn
};

}  // namespace cudalabs::sim
