#pragma once
// What OriginTracker finds out: values that travel to whoever judges them.

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::sim {

/// What the results of a call are made of. Elements are those of global memory that no kernel of the
/// call has written. All figures are sums over the results that were looked at.
struct Origins {
  /// Why it is not known: nobody asked, or there was more memory, or were more steps, than can be followed.
  enum class Unknown : std::uint8_t { NotAsked, Memory, Steps };
  bool known = false;
  Unknown why = Unknown::NotAsked;
  std::uint64_t words = 0;       ///< of the outputs, that were looked at
  std::uint64_t by_kernels = 0;  ///< of these, those that a kernel stored last
  std::uint64_t results = 0;     ///< words of the outputs that depend on any element
  std::uint64_t elements = 0;    ///< that each depends on
  /// Of `elements`, those of the call's inputs: the host may have left others.
  std::uint64_t from_inputs = 0;
  /// Words that threads read from shared memory: what they had stored there themselves, and what others had.
  std::uint64_t own_reads = 0, others_reads = 0;
  std::uint64_t past_shared = 0;  ///< of these, those that come to it without having passed shared memory
  std::uint64_t moved = 0;        ///< results made of what copies of single elements have put elsewhere
  /// Elements of constant memory that each depends on, of those that were put there during the call.
  std::uint64_t constants = 0;
  std::uint64_t made_by_host = 0;  ///< of `elements`, those that the host left and that are no copies
  std::uint64_t from_table = 0;    ///< of `elements`, those of the array that constant memory should hold
  std::uint64_t table = 0;         ///< words of that array
  /// Values that were computed from one of another thread, by how it came: read from shared memory, by a
  /// shuffle, or by an atomic operation.
  std::uint64_t from_shared = 0, from_lanes = 0, by_atomics = 0;
  std::uint64_t growing_distances = 0, shrinking_distances = 0;  ///< OriginGraph::Distances
  /// Loads by threads of shared and global memory, and those of what the same thread had among its last ones.
  std::uint64_t loads = 0, loads_again = 0;
  /// Where most of `past_shared` are loaded; empty if nowhere, or if the PTX has no lines.
  std::string file;
  std::uint32_t line = 0;
  /// By input and word, what became of it: 0: it was never loaded; 1: it was, and no result is made of it;
  /// 1 + n: it comes into a result n times (65534: or more), where there are several results once.
  std::vector<std::vector<std::uint16_t>> uses;
  /// Which loaded the most of `elements`, and those that loaded half as many: names as LaunchRecord's.
  std::vector<std::string> kernels;
};

}  // namespace cudalabs::sim
