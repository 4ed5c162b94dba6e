#pragma once
// cp.async: global to shared memory in one instruction, which does not wait for what it has asked for. What
// was read is put into shared memory when its thread waits for it, and not before: who does not wait finds
// what was there. That is one of the orders in which a card may do it, and the one that hides no mistake.

#include <array>
#include <cstdint>
#include <vector>

#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

/// Copies of a warp's threads that nobody has waited for.
class AsyncCopies {
 public:
  static constexpr std::uint32_t kMostBytes = 16;  ///< of a lane
  struct Copy {
    const Program* program = nullptr;
    std::uint32_t instruction = 0, width = 0;
    std::uint32_t mask = 0;  ///< lanes that are still to land
    std::array<std::uint32_t, kLanes> offsets{}, groups{};
    alignas(64) std::array<std::byte, kLanes * kMostBytes> bytes{};

    /// What it writes, for who looks for races: lanes without an element of their own may copy a neighbour's
    /// once more, as cooperative groups do. Points into this object.
    [[nodiscard]] StoreData stored() const {
      return {program, instruction, 1, static_cast<std::uint8_t>(width), kMostBytes, {bytes.data()}};
    }
  };

  /// Of the lanes of `copy.mask`, into the groups that they fill now.
  void add(Exec& x, const Copy& copy);
  /// The lanes begin another group.
  void commit(std::uint32_t mask);
  /// The lanes have waited until no more than `left` of their groups are on the way; kNotEvenOpen: nor what
  /// is in no group yet.
  static constexpr std::int64_t kNotEvenOpen = -1;
  void land(Exec& x, std::uint32_t mask, std::int64_t left);

 private:
  static void put(Exec& x, const Copy& copy, std::uint32_t lanes);

  std::vector<Copy> copies_;                    ///< in the order in which they were issued
  std::array<std::uint32_t, kLanes> groups_{};  ///< closed, of each lane
};

/// cp.async of Inst::width bytes: d = base in shared memory (32-bit lanes unless `wide_shared`), extra its
/// offset; a = global base, imm its offset; b = bytes to read, or kNone for all (the rest is zero); c =
/// predicate of the lanes that read nothing, or kNone.
Handler async_copy_handler(bool wide_shared);
Handler async_commit_handler();
/// imm: as AsyncCopies::land()'s `left`.
Handler async_wait_handler();

}  // namespace cudalabs::sim
