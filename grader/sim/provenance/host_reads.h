#pragma once
// Data that the host has read from the device, and which of the host's later writes are copies of it. A
// program may fill a device array with its input through the host; only the bytes distinguish that from
// results that the device computed.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grader/sim/base/types.h"
#include "grader/sim/provenance/provenance_graph.h"

namespace cudalabs::sim {

class HostReads {
 public:
  static constexpr std::size_t kWord = 4;

  struct Read {
    DevicePtr from = 0;
    std::vector<std::byte> bytes;
    std::vector<ProvenanceGraph::Node> values;  ///< by word, as of that read
    std::size_t next = 0;                       ///< where the next copy is expected to begin
  };

  /// False: there is too much data, or it is not aligned to a word.
  bool add(DevicePtr from, std::span<const std::byte> bytes,
           const std::function<ProvenanceGraph::Node(DevicePtr)>& value_of);
  /// Calls copied(offset in `written`, number of the read, offset in it) for each word that the host had read
  /// before. Rows may have been padded in between; words in another order do not count as a copy.
  void find(std::span<const std::byte> written,
            const std::function<void(std::size_t, std::size_t, std::size_t)>& copied);
  [[nodiscard]] const std::vector<Read>& all() const { return reads_; }

 private:
  bool place(Read& read, std::span<const std::byte> written);

  std::vector<Read> reads_;
  std::size_t kept_ = 0;   ///< bytes
  std::size_t tried_ = 0;  ///< bytes that were searched, and places
};

}  // namespace cudalabs::sim
