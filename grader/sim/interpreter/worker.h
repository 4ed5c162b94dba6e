#pragma once
// A worker runs blocks one after the other, or several alternately. A launch has as many workers as the
// machine has threads.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/sim/interpreter/warp.h"
#include "grader/sim/native/native_code.h"
#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// Data that one worker keeps from block to block: tallies, and memory to reuse.
struct Worker {
  Exec exec;
  std::unordered_map<const Program*, std::unique_ptr<Tally>> tallies;
  std::vector<std::unique_ptr<Activation>> spare;
  /// By warp: the kernel's activation as the previous block left it. It already holds the warp's constants.
  std::vector<std::unique_ptr<Activation>> roots;
  // Storage of the last finished block, to be reused:
  std::vector<Warp> spare_warps;
  std::vector<std::byte> spare_shared;
  /// By warp: the kernel's initial frame, which is the same in every block except for block-specific slots.
  std::vector<std::vector<std::byte>> frames;
  std::vector<std::unique_ptr<WorkerObserver>> observers;
  std::uint64_t changes_reported = 0;  ///< of changes(), reported to the other workers
  bool blocks_wait = false;            ///< one of its blocks had to wait for others
  std::uint32_t hesitations = 0;       ///< by its warps
  std::uint64_t call_bytes = 0;        ///< frames of active calls
  Lengths lengths;                     ///< of its finished blocks

  /// Warps of the running block at one pc.
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
  /// Asks the observers which events each of them must see.
  void ask_observers();
  /// True if an observer of each access needs no more of them.
  [[nodiscard]] bool outworn() const;
  /// Increases whenever a thread may have changed memory that others see.
  [[nodiscard]] std::uint64_t changes() const;

 private:
  Tally& find_tally(const Program& program);

  const Program* last_program_ = nullptr;  ///< the last requested one
  Tally* last_tally_ = nullptr;
};

}  // namespace cudalabs::sim
