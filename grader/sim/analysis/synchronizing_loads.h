#pragma once
// The purpose of synchronizing loads and atomics: polling for the progress of other threads, or reading their
// results.

#include <cstdint>
#include <vector>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/cfg.h"

namespace cudalabs::sim {

/// Analysis of one function. Instructions are indices into its body.
class SynchronizingLoads {
 public:
  SynchronizingLoads(const ptx::Function& function, const Dataflow& flow);

  /// Can the value influence a thread's control flow: through registers, through memory of the block or the
  /// thread, or as an address of such a value?
  enum class Use : std::uint8_t {
    Undecisive,
    Asks,   ///< it can, as a flag, or as a result that is read until its value shows that it is complete
    Takes,  ///< it can, but it is a result that is only tested on its way to one of the thread's own
  };
  [[nodiscard]] Use use(std::uint32_t instruction) const;
  /// Can a fence precede it, in this function or in a called one, without a plain store to global memory in
  /// between? Or is it a fence itself?
  [[nodiscard]] bool behind_fence(std::uint32_t instruction) const { return behind_fence_[instruction]; }

 private:
  struct Fate {
    bool decides = false;
    bool stored = false;  ///< used for a value that is stored to global memory
    std::vector<std::uint32_t> branches;
  };
  [[nodiscard]] Fate fate(std::uint32_t instruction) const;
  /// Does one exit of one of the branches lead back to the instruction, and another exit not?
  [[nodiscard]] bool repeated_by(const std::vector<std::uint32_t>& branches, std::uint32_t instruction) const;
  void find_fences();

  const ptx::Function& function_;
  const Dataflow& flow_;
  const ptx::Cfg cfg_;
  std::vector<bool> behind_fence_;
};

}  // namespace cudalabs::sim
