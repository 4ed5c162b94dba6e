#pragma once
// The results of ProvenanceTracker, as plain values.

#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::sim {

/// The provenance of a call's results. Elements are words of global memory that no kernel of the call has
/// written. All figures are sums over the examined results.
struct Provenance {
  /// Why the provenance is unknown: nobody requested it, or the call needed too much memory or too many
  /// steps.
  enum class Unknown : std::uint8_t { NotAsked, Memory, Steps };
  bool known = false;
  Unknown why = Unknown::NotAsked;
  std::uint64_t words = 0;         ///< examined words of the outputs
  std::uint64_t by_kernels = 0;    ///< of these, those that a kernel stored last
  std::uint64_t atomic_words = 0;  ///< of these, those that an atomic operation changed last
  std::uint64_t results = 0;       ///< words of the outputs that depend on any element
  std::uint64_t elements = 0;      ///< sum of the elements that each result depends on
  /// Those of `elements` that belong to the call's inputs: others may be host data.
  std::uint64_t from_inputs = 0;
  /// Words that threads read from shared memory: those that the same thread had stored, and those of others.
  std::uint64_t own_reads = 0, others_reads = 0;
  std::uint64_t past_shared = 0;  ///< of `elements`, those that bypassed shared memory
  std::uint64_t moved = 0;        ///< results that depend on elements moved by single-element copies
  /// Sum of the elements of constant memory that each result depends on, if they were put there during the
  /// call.
  std::uint64_t constants = 0;
  std::uint64_t made_by_host = 0;  ///< of `elements`, those that the host computed and that are not copies
  std::uint64_t from_table = 0;    ///< of `elements`, those of the array that constant memory should hold
  std::uint64_t table = 0;         ///< words of that array
  /// Values computed from another thread's value, by how it was passed: through shared memory, by a shuffle,
  /// or by an atomic operation.
  std::uint64_t from_shared = 0, from_lanes = 0, by_atomics = 0;
  std::uint64_t growing_distances = 0, shrinking_distances = 0;  ///< ProvenanceGraph::Distances
  /// The line with most of `past_shared`'s loads; empty if there are none, or if the PTX has no lines.
  std::string file;
  std::uint32_t line = 0;
  /// By input and word: 0: never loaded; 1: loaded, but no result depends on it; 1 + n: it contributes to a
  /// result n times (65534: or more); with several results, once.
  std::vector<std::vector<std::uint16_t>> uses;
  /// The kernel that loaded most of `elements`, and those that loaded at least half as many; names as in
  /// LaunchRecord.
  std::vector<std::string> kernels;
};

}  // namespace cudalabs::sim
