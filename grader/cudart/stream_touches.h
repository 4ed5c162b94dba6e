#pragma once
// Which memory an operation touches, and how long the call that asks for it keeps the host.

#include "grader/cudart/operations.h"
#include "grader/simulator/base/stream_operation.h"

namespace cudalabs::cudart {

/// Memory of the host that a card reaches by itself: page-locked or managed.
struct HostRange {
  std::uint64_t begin = 0, end = 0;
  bool writes = false;
};

/// What a call waits for before it returns.
enum class HostWait : std::uint8_t {
  Nothing,
  Before,  ///< for what was on the stream before; then pageable memory is read
  Done     ///< for the operation itself
};

struct Touches {
  std::vector<sim::StreamTouch> told;  ///< on the card, and in HostRanges
  std::vector<HostRange> host;
  HostWait wait = HostWait::Nothing;
  bool pageable_source = false;  ///< read while the call lasts
  /// It lies in memory of the kinds that were named, as far as can be seen: it may be done later.
  bool sound = true;
};

/// `asynchronous`: the call's name says so.
Touches touches_of(Runtime& runtime, const CopyOperation& copy, bool asynchronous);
Touches touches_of(Runtime& runtime, const SetOperation& set, bool asynchronous);
/// Of any kernel: what the host can touch at the same address.
std::vector<HostRange> managed_ranges();

/// The bytes that a copy reads from the host, in memory of their own, which the copy then names.
std::shared_ptr<std::vector<std::byte>> take_source(CopyOperation& copy);

}  // namespace cudalabs::cudart
