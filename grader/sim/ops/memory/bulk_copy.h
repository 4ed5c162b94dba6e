#pragma once
// cp.async.bulk: one thread requests a copy of a whole block of memory between global and shared memory. As
// with cp.async (async_copy.h), a copy is performed as late as a device may do it, which hides no mistake. A
// copy that completes on an mbarrier's phase is performed when a thread tests that phase and only bytes are
// missing. A copy in a group is read, and written, when its thread waits for that.

#include <cstdint>
#include <vector>

#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

/// Pending copies of a block's threads.
class BulkCopies {
 public:
  struct Copy {
    const Program* program = nullptr;
    std::uint32_t instruction = 0, warp = 0, lane = 0;
    bool to_global = false;
    bool is_read = true;     ///< `data` holds the source bytes
    std::uint64_t to = 0;    ///< device address, or offset in shared memory
    std::uint32_t from = 0;  ///< offset in shared memory, unless is_read
    std::uint32_t bytes = 0;
    std::uint32_t barrier = kNone;  ///< offset of the mbarrier that it completes on; kNone: it is in a group
    std::uint32_t group = 0;
    std::vector<std::byte> data{};
  };

  /// Adds the copy, to the open group of its thread if it belongs to a group.
  void add(Exec& x, Copy copy);
  /// Closes the open groups of the running warp's lanes.
  void commit(const Exec& x, std::uint32_t mask);
  /// The lanes wait until at most `left` of their groups are pending, or, with `read_alone`, still to be
  /// read.
  void land(Exec& x, std::uint32_t mask, std::uint32_t left, bool read_alone);
  /// A thread tests the phase of the mbarrier at this offset, and only bytes are missing.
  void complete(Exec& x, std::uint32_t barrier);
  /// The block ends: performs the copies that no thread waited for.
  void end(Exec& x);

 private:
  std::uint32_t& closed(const Exec& x, std::uint32_t lane);

  std::vector<Copy> copies_;           ///< in the order of issue
  std::vector<std::uint32_t> closed_;  ///< number of closed groups, by thread
};

/// Source and destination spaces of a bulk copy; in Inst::count.
enum class BulkWay : std::uint8_t { GlobalToShared, SharedToGlobal, SharedToShared };
/// Bits of Inst::width: the addresses in shared memory that have 64-bit lanes.
inline constexpr std::uint8_t kWideTo = 1, kWideFrom = 2, kWideBarrier = 4;

/// cp.async.bulk: to d + extra, from a + imm, b bytes; the mbarrier, if any, is at c + target.
Handler bulk_copy_handler();
Handler bulk_commit_handler();
/// imm: groups that may be pending; extra: 1 to wait only for reading.
Handler bulk_wait_handler();

}  // namespace cudalabs::sim
