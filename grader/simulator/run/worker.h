#pragma once
// What runs blocks one after the other, or several by turns: a launch has as many as the machine has threads.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/simulator/native/native_code.h"
#include "grader/simulator/ops/exec.h"
#include "grader/simulator/run/warp.h"

namespace cudalabs::sim {

/// What one worker keeps from block to block: tallies, and memory to use again.
struct Worker {
  Exec exec;
  std::unordered_map<const Program*, std::unique_ptr<Tally>> tallies;
  std::vector<std::unique_ptr<Activation>> spare;
  /// By warp: that of the kernel, as a block before left it. A warp finds its own constants there.
  std::vector<std::unique_ptr<Activation>> roots;
  // Of the block that ended last, for their storage:
  std::vector<Warp> spare_warps;
  std::vector<std::byte> spare_shared;
  /// By warp: the kernel's frame as every block finds it, but for the slots that are its own.
  std::vector<std::vector<std::byte>> frames;
  std::vector<std::unique_ptr<WorkerObserver>> observers;
  std::uint64_t changes_told = 0;  ///< of changes(), to the other workers
  bool blocks_wait = false;        ///< one of its blocks had to wait for others
  std::uint32_t hesitations = 0;   ///< of its warps
  std::uint64_t call_bytes = 0;    ///< frames of calls under way
  Lengths lengths;                 ///< of its finished blocks

  /// Warps of the running block that stand at one place.
  struct StandingWarp {
    std::uint32_t warp = 0;
    Activation* activation = nullptr;
    std::byte* frame = nullptr;  ///< the activation's
  };
  std::vector<StandingWarp> together;

  NativeModule* native = nullptr;  ///< as in LaunchState
  NativeContext native_context;

  Tally& tally(const Program& program) {
    if (last_program_ != &program) [[unlikely]] {
      last_tally_ = &find_tally(program);
      last_program_ = &program;
    }
    return *last_tally_;
  }
  /// Asks the observers which of them must now see what.
  void ask_observers();
  /// True if one that sees each access has seen enough.
  [[nodiscard]] bool outworn() const;
  /// Grows whenever a thread may have changed memory that others see.
  [[nodiscard]] std::uint64_t changes() const;

 private:
  Tally& find_tally(const Program& program);

  const Program* last_program_ = nullptr;  ///< that was asked for
  Tally* last_tally_ = nullptr;
};

}  // namespace cudalabs::sim
