#pragma once
// Liveness of frame slots: a dead value need not be stored back from its register.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// A straight piece of code: entered only at its beginning, left only at its end, and without branches.
struct Stretch {
  std::uint32_t begin = 0, end = 0;  ///< indices into Program::code
};

/// The lanes of a warp that run a stretch. Some: those of NativeContext::lanes; the others wait elsewhere, or
/// have exited.
enum class Lanes : std::uint8_t { All, Some };

/// The stretches of a program that warps can run without checking lanes, in order of their beginnings.
std::vector<Stretch> stretches(const Program& program);

class Liveness {
 public:
  explicit Liveness(const Program& program);
  /// True if an instruction from `code[at]` on may read the value of `slot`. `at`: the beginning of a
  /// stretch, or the instruction behind one.
  [[nodiscard]] bool wanted(std::uint32_t at, std::uint32_t slot) const;

 private:
  using Bits = std::vector<std::uint64_t>;                   ///< 64 slots in each word
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  ///< of each used slot
  std::unordered_map<std::uint32_t, Bits> wanted_;           ///< by instruction
};

}  // namespace cudalabs::sim
