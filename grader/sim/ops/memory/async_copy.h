#pragma once
// cp.async: an asynchronous copy from global to shared memory. The simulator writes the data to shared memory
// only when the thread waits for it; a thread that does not wait reads the old content. A device may use this
// order, and it hides no mistake.

#include <array>
#include <cstdint>
#include <vector>

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// Copies of a warp's threads that have not been waited for.
class AsyncCopies {
 public:
  static constexpr std::uint32_t kMaxBytes = 16;  ///< of a lane
  struct Copy {
    const Program* program = nullptr;
    std::uint32_t instruction = 0, width = 0;
    std::uint32_t mask = 0;  ///< lanes whose copy is pending
    std::array<std::uint32_t, kLanes> offsets{}, groups{};
    alignas(64) std::array<std::byte, kLanes * kMaxBytes> bytes{};

    /// The written bytes, for race detection: lanes without an own element may repeat a neighbour's copy, as
    /// cooperative groups do. Points into this object.
    [[nodiscard]] StoreData stored() const {
      return {program, instruction, 1, static_cast<std::uint8_t>(width), kMaxBytes, {bytes.data()}};
    }
  };

  /// Adds the copies of the lanes of `copy.mask` to their open groups.
  void add(Exec& x, const Copy& copy);
  /// Closes the lanes' open groups.
  void commit(std::uint32_t mask);
  /// Completes copies of the lanes until at most `left` of their groups are pending; kNotEvenOpen: also those
  /// of the open group.
  static constexpr std::int64_t kNotEvenOpen = -1;
  void land(Exec& x, std::uint32_t mask, std::int64_t left);

 private:
  static void put(Exec& x, const Copy& copy, std::uint32_t lanes);

  std::vector<Copy> copies_;                    ///< in the order of issue
  std::array<std::uint32_t, kLanes> groups_{};  ///< number of closed groups, by lane
};

/// cp.async of Inst::width bytes: d = base in shared memory (32-bit lanes unless `wide_shared`), extra its
/// offset; a = global base, imm its offset; b = bytes to read, or kNone for all (the rest is zero); c =
/// predicate of the lanes that read nothing, or kNone.
Handler async_copy_handler(bool wide_shared);
Handler async_commit_handler();
/// imm: as AsyncCopies::land()'s `left`.
Handler async_wait_handler();

}  // namespace cudalabs::sim
