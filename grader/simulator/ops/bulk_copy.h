#pragma once
// cp.async.bulk: one thread has a unit of the card's own copy whole pieces between global and shared memory.
// As with cp.async (async_copy.h) what was asked for is done as late as a card may do it, which hides
// no mistake: what is to end a phase of an mbarrier is there when somebody asks for that phase and nothing
// else is missing; what is in a group is read, and written, when its thread waits for that.

#include <cstdint>
#include <vector>

#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

/// Copies of a block's threads that are not done.
class BulkCopies {
 public:
  struct Copy {
    const Program* program = nullptr;
    std::uint32_t instruction = 0, warp = 0, lane = 0;
    bool to_global = false;
    bool is_read = true;     ///< `data` holds it
    std::uint64_t to = 0;    ///< device address, or offset in shared memory
    std::uint32_t from = 0;  ///< offset in shared memory, of what is not read
    std::uint32_t bytes = 0;
    std::uint32_t barrier = kNone;  ///< offset of what it completes on; kNone: it is in a group
    std::uint32_t group = 0;
    std::vector<std::byte> data{};
  };

  /// Into the group that its thread fills now, if it is in one.
  void add(Exec& x, Copy copy);
  /// The lanes of the running warp begin another group.
  void commit(const Exec& x, std::uint32_t mask);
  /// They have waited until no more than `left` of their groups are on the way, or are still to be read.
  void land(Exec& x, std::uint32_t mask, std::uint32_t left, bool read_alone);
  /// Somebody asks for the phase of the mbarrier at this offset, and bytes alone are missing.
  void complete(Exec& x, std::uint32_t barrier);
  /// The block ends: what nobody waited for is done now.
  void end(Exec& x);

 private:
  std::uint32_t& closed(const Exec& x, std::uint32_t lane);

  std::vector<Copy> copies_;           ///< in the order in which they were issued
  std::vector<std::uint32_t> closed_;  ///< groups, of each thread
};

/// What a bulk copy goes between; in Inst::count.
enum class BulkWay : std::uint8_t { GlobalToShared, SharedToGlobal, SharedToShared };
/// Bits of Inst::width: which of the addresses in shared memory have lanes of 64 bits.
inline constexpr std::uint8_t kWideTo = 1, kWideFrom = 2, kWideBarrier = 4;

/// cp.async.bulk: to d + extra, from a + imm, b bytes, the mbarrier at c + target where there is one.
Handler bulk_copy_handler();
Handler bulk_commit_handler();
/// imm: groups that may be left; extra: 1 where reading them is waited for alone.
Handler bulk_wait_handler();

}  // namespace cudalabs::sim
