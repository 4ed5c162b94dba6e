#pragma once
// Memory as an OriginTracker sees it: what each word of it is made of.

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/simulator/observers/origin_graph.h"
#include "grader/simulator/observers/origin_tracker.h"
#include "grader/simulator/program/source_place.h"

namespace cudalabs::sim {

constexpr std::uint32_t kOriginWord = 4;  ///< bytes that are followed as one

/// What lies in global memory, by words.
class OriginWords {
 public:
  struct Word {
    OriginGraph::Node value = OriginGraph::kUnknown;
    OriginGraph::Node leaf = OriginGraph::kUnknown;  ///< made at its last load, while `value` is unknown
    std::uint32_t site = 0;                          ///< of that load
    std::uint32_t element = 0;                       ///< 1 + its number; 0: it has none yet
    bool by_kernel = false;                          ///< was it a kernel that stored there last?
  };
  /// Null: there are too many.
  Word* at(DevicePtr address) {
    const std::uint64_t number = address / kOriginWord / kPageWords;
    if (last_ == nullptr || number != last_number_) {
      auto& page = pages_[number];
      if (!page && pages_.size() > kMostPages) {
        pages_.erase(number);
        return nullptr;
      }
      if (!page) page = std::make_unique<Page>();
      last_number_ = number;
      last_ = page.get();
    }
    return &(*last_)[address / kOriginWord % kPageWords];
  }
  [[nodiscard]] const Word* find(DevicePtr address) const {
    const auto page = pages_.find(address / kOriginWord / kPageWords);
    return page == pages_.end() ? nullptr : &(*page->second)[address / kOriginWord % kPageWords];
  }

 private:
  static constexpr std::uint64_t kPageWords = 1024;
  static constexpr std::size_t kMostPages = 1 << 14;  // 64 MiB of the card, 256 MiB here
  using Page = std::array<Word, kPageWords>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = 0;
  Page* last_ = nullptr;
};

struct OriginTracker::Memory {
  explicit Memory(std::size_t most_nodes) : graph(most_nodes) {}

  OriginGraph graph;
  OriginWords words;
  std::uint32_t elements = 0;
  std::vector<SourcePlace> sites{{}};  ///< of loads, by number; the first is for copies, which have no line

  /// What the word at `address` holds; one that was there before the call is an element.
  /// Of constant memory it always is: that it was copied there is why it counts.
  OriginGraph::Node load(DevicePtr address, std::uint32_t site, OriginGraph::Memory memory) {
    OriginWords::Word* const word = words.at(address);
    if (word == nullptr) {
      graph.give_up();
      return OriginGraph::kNothing;
    }
    if (word->value != OriginGraph::kUnknown && memory == OriginGraph::Memory::Global) return word->value;
    if (word->leaf == OriginGraph::kUnknown || word->site != site) {
      if (word->element == 0) word->element = ++elements;
      word->leaf = graph.leaf(memory, word->element - 1, site);
      word->site = site;
    }
    return word->leaf;
  }
  void store(DevicePtr address, OriginGraph::Node value, bool by_kernel) {
    OriginWords::Word* const word = words.at(address);
    if (word == nullptr) return graph.give_up();
    word->value = value;
    word->by_kernel = by_kernel;
  }
  std::size_t bytes = 0;  ///< of frames and local memory of the blocks that run
};

}  // namespace cudalabs::sim
