#pragma once
// What loads and atomics are for that see what other threads do: to find out how far these are, or to take
// their results.

#include <cstdint>
#include <vector>

#include "grader/simulator/hardware/dataflow.h"
#include "grader/simulator/ptx/cfg.h"

namespace cudalabs::sim {

/// Of one function. Instructions are indices into its body.
class StrongReads {
 public:
  StrongReads(const ptx::Function& function, const Dataflow& flow);

  /// Whether what it reads may have a say in where a thread goes on: by registers, by memory of the block and
  /// of the thread, as an address of what has one.
  enum class Use : std::uint8_t {
    Undecisive,
    Asks,   ///< it has, as a flag, or as a result that is read until it says by its value that it is there
    Takes,  ///< it has, and is a result that is merely looked at on its way to one of the thread's own
  };
  [[nodiscard]] Use use(std::uint32_t instruction) const;
  /// May a fence come before it, in this function or in one that it calls, and no plain store to global
  /// memory in between? Or is it one itself?
  [[nodiscard]] bool behind_fence(std::uint32_t instruction) const { return behind_fence_[instruction]; }

 private:
  struct Fate {
    bool decides = false;
    bool stored = false;  ///< made into what goes to global memory
    std::vector<std::uint32_t> branches;
  };
  [[nodiscard]] Fate fate(std::uint32_t instruction) const;
  /// Does one way out of one of the branches come back to the instruction, and another not?
  [[nodiscard]] bool repeated_by(const std::vector<std::uint32_t>& branches, std::uint32_t instruction) const;
  void find_fences();

  const ptx::Function& function_;
  const Dataflow& flow_;
  const ptx::Cfg cfg_;
  std::vector<bool> behind_fence_;
};

}  // namespace cudalabs::sim
