#pragma once
// What the host has read from the card, and which of what it writes there is a copy of that. A program may
// hold its input in an array of its own that it fills through the host; only the bytes tell it from results
// that were computed there.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grader/simulator/base/types.h"
#include "grader/simulator/observers/origin_graph.h"

namespace cudalabs::sim {

class HostReads {
 public:
  static constexpr std::size_t kWord = 4;

  struct Read {
    DevicePtr from = 0;
    std::vector<std::byte> bytes;
    std::vector<OriginGraph::Node> values;  ///< by word, as they were then
    std::size_t next = 0;                   ///< up to where it was given back
  };

  /// False: there is too much, or it lies at no whole word.
  bool add(DevicePtr from, std::span<const std::byte> bytes,
           const std::function<OriginGraph::Node(DevicePtr)>& value_of);
  /// Calls copied(offset in `written`, number of the read, offset in it) for each word that was read
  /// before. Rows may have been padded in between; whole words in another order are no copy.
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
