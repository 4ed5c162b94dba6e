#pragma once
// Which slots of a frame still matter where: a value that nobody reads again need not leave its register.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grader/simulator/program/program.h"

namespace cudalabs::sim {

/// A stretch of code that is entered at its begin alone and left at its end alone, and holds no choice.
struct Stretch {
  std::uint32_t begin = 0, end = 0;  ///< indices into Program::code
};

/// Which lanes of a warp run a stretch. Some: those of NativeContext::lanes; others wait anywhere, or have
/// left.
enum class Lanes : std::uint8_t { All, Some };

/// The stretches of a program, which warps run without a look at lanes, in order of their begin.
std::vector<Stretch> stretches(const Program& program);

class Liveness {
 public:
  explicit Liveness(const Program& program);
  /// True if the value of `slot` may be read by what follows `code[at]`, itself included. `at`: where a
  /// stretch begins, or follows one.
  [[nodiscard]] bool wanted(std::uint32_t at, std::uint32_t slot) const;

 private:
  using Bits = std::vector<std::uint64_t>;                   ///< 64 slots a word
  std::unordered_map<std::uint32_t, std::uint32_t> number_;  ///< of each slot that is named
  std::unordered_map<std::uint32_t, Bits> wanted_;           ///< by instruction
};

}  // namespace cudalabs::sim
