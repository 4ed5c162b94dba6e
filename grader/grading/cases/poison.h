#pragma once
// Fills outputs before a call, and detects writes outside of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// Fills `bytes` with elements that are not an answer. Floating-point elements are signalling NaNs with
/// random payloads or, for half of the keys, random numbers of one sign near the largest. Integers are
/// random. Every element and every key gives another value, so no memset or copy imitates it.
void fill_poison(std::span<std::byte> bytes, ElementType type, std::uint64_t key);

/// One allocation that holds guard | data | guard. The simulator itself faults on out-of-bounds accesses. On
/// a GPU the guards reveal writes just outside a buffer.
struct GuardedLayout {
  std::size_t data_bytes = 0;
  /// a multiple of 256, so that the data keeps the alignment of cudaMalloc
  std::size_t guard_bytes = 4096;

  [[nodiscard]] std::size_t data_offset() const { return guard_bytes; }
  [[nodiscard]] std::size_t total_bytes() const { return data_bytes + 2 * guard_bytes; }
  /// The whole allocation with `data` in place and guards filled from `key`.
  [[nodiscard]] std::vector<std::byte> make(std::span<const std::byte> data, std::uint64_t key) const;
  /// "out was written 8 bytes behind its end (element 1002 of 1000)", if a guard is not as `make` left it.
  [[nodiscard]] std::optional<Message> damage(std::span<const std::byte> whole, std::uint64_t key,
                                              const Parameter& parameter) const;
};

/// "input a was changed at [3][5]: it was 0.25 and is 7", if it was. `before` and `after` have the same size.
std::optional<Message> input_changed(const Parameter& parameter, const TestCase& test,
                                     std::span<const std::byte> before, std::span<const std::byte> after);

}  // namespace cudalabs
