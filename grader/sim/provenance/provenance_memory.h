#pragma once
// Memory as a ProvenanceTracker sees it: the provenance of each word.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "grader/sim/executable/source_place.h"
#include "grader/sim/provenance/host_reads.h"
#include "grader/sim/provenance/provenance_graph.h"
#include "grader/sim/provenance/provenance_tracker.h"

namespace cudalabs::sim {

constexpr std::uint32_t kProvenanceWord = 4;  ///< granularity in bytes

/// The content of global memory, by words.
class ProvenanceWords {
 public:
  struct Word {
    ProvenanceGraph::Node value = ProvenanceGraph::kUnknown;
    /// made at its last load, while `value` is unknown
    ProvenanceGraph::Node leaf = ProvenanceGraph::kUnknown;
    std::uint32_t site = 0;     ///< of that load
    std::uint32_t element = 0;  ///< 1 + its number; 0: it has none yet
    bool by_kernel = false;     ///< did a kernel store there last?
    bool by_atomic = false;     ///< was that an atomic operation?
    bool by_host = false;       ///< did the host store data of its own there?
  };
  /// Null: there are too many pages.
  Word* at(DevicePtr address) {
    const std::uint64_t number = address / kProvenanceWord / kPageWords;
    Recent& recent = recent_[number % recent_.size()];
    if (recent.page == nullptr || number != recent.number) [[unlikely]] {
      Page* const page = find_page(number);
      if (page == nullptr) return nullptr;
      recent = {number, page};
    }
    return &(*recent.page)[address / kProvenanceWord % kPageWords];
  }
  [[nodiscard]] const Word* find(DevicePtr address) const {
    const std::uint64_t number = address / kProvenanceWord / kPageWords,
                        word = address / kProvenanceWord % kPageWords;
    const Recent& recent = recent_[number % recent_.size()];
    if (recent.page != nullptr && number == recent.number) return &(*recent.page)[word];
    const auto page = pages_.find(number);
    return page == pages_.end() ? nullptr : &(*page->second)[word];
  }

  /// Marks all words from `begin` up to `end` as host data, or as no data; as cheap as the memset itself.
  void fill(DevicePtr begin, DevicePtr end, bool by_host) {
    const DevicePtr first = begin / kProvenanceWord * kProvenanceWord;
    const DevicePtr last = (end + kProvenanceWord - 1) / kProvenanceWord * kProvenanceWord;
    if (first >= last) return;
    cut(first);
    cut(last);
    fills_.erase(fills_.lower_bound(first), fills_.lower_bound(last));
    fills_[first] = {last, by_host};
    const auto inside = [&](std::uint64_t number) {
      return number >= first / kPageBytes && number <= (last - 1) / kPageBytes;
    };
    const auto set = [&](std::uint64_t number, Page& page) { fill_page(page, number, first, last, by_host); };
    if ((last - first) / kPageBytes > pages_.size()) {
      for (auto& [number, page] : pages_)
        if (inside(number)) set(number, *page);
    } else {
      for (std::uint64_t number = first / kPageBytes; inside(number); ++number)
        if (const auto page = pages_.find(number); page != pages_.end()) set(number, *page->second);
    }
  }

 private:
  struct Fill {
    DevicePtr end = 0;
    bool by_host = false;
  };
  static constexpr std::uint64_t kPageWords = 1024;
  static constexpr std::size_t kMaxPages = 1 << 14;  // 64 MiB of the device, 256 MiB here
  using Page = std::array<Word, kPageWords>;
  static constexpr std::uint64_t kPageBytes = kPageWords * kProvenanceWord;

  [[gnu::noinline]] Page* find_page(std::uint64_t number) {
    auto& page = pages_[number];
    if (!page && pages_.size() > kMaxPages) {
      pages_.erase(number);
      return nullptr;
    }
    if (!page) page = make_page(number);
    return page.get();
  }
  static void fill_page(Page& page, std::uint64_t number, DevicePtr first, DevicePtr last, bool by_host) {
    const DevicePtr begin = number * kPageBytes;
    const std::uint64_t from = first > begin ? (first - begin) / kProvenanceWord : 0;
    const std::uint64_t to = last < begin + kPageBytes ? (last - begin) / kProvenanceWord : kPageWords;
    for (std::uint64_t word = from; word < to; ++word) {
      page[word].value = by_host ? ProvenanceGraph::kUnknown : ProvenanceGraph::kNothing;
      page[word].leaf = ProvenanceGraph::kUnknown;
      page[word].by_kernel = page[word].by_atomic = false;
      page[word].by_host = by_host;
    }
  }
  std::unique_ptr<Page> make_page(std::uint64_t number) const {
    auto page = std::make_unique<Page>();
    const DevicePtr begin = number * kPageBytes, end = begin + kPageBytes;
    auto fill = fills_.upper_bound(begin);
    if (fill != fills_.begin()) --fill;
    for (; fill != fills_.end() && fill->first < end; ++fill)
      if (fill->second.end > begin)
        fill_page(*page, number, fill->first, fill->second.end, fill->second.by_host);
    return page;
  }
  /// Divides the fill at this address, so that none crosses it.
  void cut(DevicePtr at) {
    auto fill = fills_.lower_bound(at);
    if (fill == fills_.begin()) return;
    --fill;
    if (fill->second.end <= at) return;
    fills_[at] = fill->second;
    fill->second.end = at;
  }

  std::map<DevicePtr, Fill> fills_;  ///< by beginning: the initial content of pages created later
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  /// Rows of a matrix lie on several pages, and all lanes access each.
  struct Recent {
    std::uint64_t number = 0;
    Page* page = nullptr;
  };
  std::array<Recent, 64> recent_;
};

struct ProvenanceTracker::Memory {
  explicit Memory(std::size_t most_nodes) : graph(most_nodes) {}

  ProvenanceGraph graph;
  ProvenanceWords words;
  HostReads reads;
  std::uint32_t elements = 0;
  /// Sites of loads, by number; the first is for copies, which have no line and no kernel.
  struct Site {
    SourcePlace place;
    std::uint32_t kernel = 0;  ///< into kernels
  };
  std::vector<Site> sites{{}};
  std::vector<std::string> kernels{{}};

  /// The value of the word at `address`; a word from before the call is an element. A word of constant memory
  /// is always an element, because copying it there is what counts.
  ProvenanceGraph::Node load(DevicePtr address, std::uint32_t site, ProvenanceGraph::Memory memory) {
    ProvenanceWords::Word* const word = words.at(address);
    if (word == nullptr) {
      graph.give_up();
      return ProvenanceGraph::kNothing;
    }
    if (word->value != ProvenanceGraph::kUnknown && memory == ProvenanceGraph::Memory::Global)
      return word->value;
    if (word->leaf == ProvenanceGraph::kUnknown || word->site != site) {
      if (word->element == 0) word->element = ++elements;
      word->leaf = graph.leaf(memory, word->element - 1, site,
                              word->by_host                             ? ProvenanceGraph::kNothing
                              : word->value > ProvenanceGraph::kNothing ? word->value
                                                                        : ProvenanceGraph::kUnknown);
      word->site = site;
    }
    return word->leaf;
  }
  /// Did the last load of the word create this node?
  [[nodiscard]] bool is_leaf_of(DevicePtr address, ProvenanceGraph::Node node) {
    const ProvenanceWords::Word* const word = words.at(address);
    return word != nullptr && word->leaf == node;
  }
  void store(DevicePtr address, ProvenanceGraph::Node value, bool by_kernel) {
    ProvenanceWords::Word* const word = words.at(address);
    if (word == nullptr) return graph.give_up();
    word->value = value;
    word->leaf = ProvenanceGraph::kUnknown;
    word->by_kernel = by_kernel;
    word->by_atomic = false;
    word->by_host = false;
  }
  std::uint64_t own_reads = 0, others_reads = 0;  ///< Provenance
  std::size_t bytes = 0;                          ///< of frames and local memory of the blocks that run
};

}  // namespace cudalabs::sim
