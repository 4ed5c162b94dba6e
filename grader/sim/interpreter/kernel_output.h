#pragma once
// What the kernels of a launch print, and what its limits made them lose. A kernel that calls printf() or
// malloc() runs on one worker (Program::needs_block_order).

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "grader/sim/base/types.h"
#include "grader/sim/executable/source_place.h"

namespace cudalabs::sim {

/// The most arguments of a kernel's printf(), by the CUDA C++ Programming Guide.
inline constexpr int kMostPrintArguments = 32;

class KernelOutput {
 public:
  explicit KernelOutput(const KernelLimits& limits);

  /// A call of printf(). The oldest calls are lost when the buffer is full, as on a card.
  void print(std::string text);
  /// A call of printf() with more arguments than CUDA passes.
  void argument_lost(const SourcePlace& place);
  /// A call of malloc() that returned NULL.
  void refuse_heap() { ++refused_; }
  /// A call of cudaDeviceSynchronize() by a kernel that kernels launched so deep.
  void refuse_wait(std::uint32_t depth) { too_deep_ = depth; }
  [[nodiscard]] std::uint64_t heap_bytes() const { return limits_.heap_bytes; }

  /// What was printed since the last call.
  [[nodiscard]] std::string take_printed();
  [[nodiscard]] std::vector<LaunchNote> notes(const std::string& kernel) const;

 private:
  KernelLimits limits_;
  std::deque<std::string> calls_;
  std::uint64_t bytes_ = 0, lost_ = 0, refused_ = 0;
  std::optional<std::uint32_t> too_deep_;
  SourcePlace too_long_;  ///< of the first such printf()
  bool argument_lost_ = false;
};

}  // namespace cudalabs::sim
