#pragma once
// The memory that an operation accesses, and how long its call blocks the host.

#include "grader/cudart/streams/operations.h"
#include "grader/sim/base/stream_operation.h"

namespace cudalabs::cudart {

/// Host memory that a card accesses directly: page-locked or managed.
struct HostRange {
  std::uint64_t begin = 0, end = 0;
  bool writes = false;
};

/// The work that a call waits for before it returns.
enum class HostWait : std::uint8_t {
  Nothing,
  Before,  ///< the stream's earlier work; the call then reads pageable memory
  Done     ///< the operation itself
};

struct AccessSet {
  std::vector<sim::StreamTouch> told;  ///< on the card, and in HostRanges
  std::vector<HostRange> host;
  HostWait wait = HostWait::Nothing;
  bool pageable_source = false;  ///< read during the call
  /// The memory is of the declared kinds, as far as is visible: the operation may run later.
  bool sound = true;
};

/// `asynchronous`: the call's name ends in Async.
AccessSet touches_of(Runtime& runtime, const CopyOperation& copy, bool asynchronous);
AccessSet touches_of(Runtime& runtime, const SetOperation& set, bool asynchronous);
/// For any kernel: the memory that the host can access at the same address.
std::vector<HostRange> managed_ranges();

/// Copies the bytes that a copy reads from the host, and makes the copy read from that buffer.
std::shared_ptr<std::vector<std::byte>> take_source(CopyOperation& copy);

}  // namespace cudalabs::cudart
