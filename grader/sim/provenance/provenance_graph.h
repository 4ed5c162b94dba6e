#pragma once
// The provenance of values: a graph with an edge from each value to those that it was computed from, down to
// elements of memory. A backward slice through it (dynamic slicing: Agrawal and Horgan, PLDI 1990) gives the
// elements that a result depends on, and which of them passed through shared memory.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "grader/sim/provenance/provenance.h"

namespace cudalabs::sim {

class ProvenanceGraph {
 public:
  using Node = std::uint32_t;
  static constexpr Node kUnknown = 0;  ///< memory from before the call
  static constexpr Node kNothing = 1;  ///< depends on no element: constants, indices, parameters

  enum class Memory : std::uint8_t { Global, Constant };

  /// The graph stops growing at `most_nodes` (about 16 bytes each, at most 2^27).
  explicit ProvenanceGraph(std::size_t most_nodes);

  /// An element with a unique number, loaded by the instruction with number `site`. `put_there`: the source
  /// of a word of constant memory that was set in this call: a value, or kNothing for the host.
  Node leaf(Memory memory, std::uint32_t element, std::uint32_t site, Node put_there);
  /// A value that is stored to shared memory, at word `place` of the block's shared memory.
  Node staged(Node value, std::uint32_t place);
  /// A value received from another lane of the warp.
  Node shuffled(Node value);
  /// An operand of an atomic operation.
  Node given(Node value);
  /// A value that was loaded from an address which depends on `address`.
  Node chosen(Node value, Node address);
  /// A value that was moved elsewhere by a copy of a single element.
  Node moved(Node value);
  /// A value computed from others.
  Node merge(std::span<const Node> values);
  Node merge(Node a, Node b);
  /// Like merge() for each of `lanes` (not 0). `rows` has two or three rows; all their values in these lanes
  /// are more than kNothing. Only these lanes of `merged` are written.
  void merge_rows(std::span<const Node* const> rows, std::uint32_t lanes, Node* merged);

  /// By element, how often it contributes to the `results` (up to 65534): for a single result, the number of
  /// paths that lead there; for several, 1 if there is any path. `met`: by element, not 0 if it is already
  /// known to contribute to one of several results; may be empty.
  [[nodiscard]] std::vector<std::uint16_t> uses(std::span<const Node> results, std::size_t elements,
                                                std::span<const std::uint32_t> met = {}) const;

  /// The values from here on are computed by another launch.
  void begin_launch() { launches_.push_back(static_cast<Node>(size_)); }
  /// If `results` come from trees in shared memory: in how many rounds did the distance between most combined
  /// values grow over the previous round, and in how many did it shrink? The launch whose trees combine most
  /// values counts: a kernel that adds up the sums of the blocks may have a tree of another kind.
  struct Distances {
    std::uint64_t growing = 0, shrinking = 0;
  };
  [[nodiscard]] Distances distances(std::span<const Node> results) const;

  /// The graph is incomplete, and its answers are not usable.
  [[nodiscard]] bool full() const { return full_; }
  /// Gives up because too much memory would have to be followed.
  void give_up() { full_ = out_of_memory_ = true; }
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  friend class ProvenanceSlices;
  enum class Kind : std::uint8_t { Merge, Staged, Shuffled, Given, Chosen, Moved, Global, Constant };

  template <std::size_t Count>
  Node add(Kind kind, const std::array<std::uint32_t, Count>& values) {
    return add(kind, values.data(), Count);
  }
  Node add(Kind kind, const std::uint32_t* values, std::size_t count) {
    if (size_ >= most_nodes_ || used_ >= most_nodes_ * 4) {
      full_ = true;
      return kNothing;
    }
    Record& record = records_[size_];
    record.head = static_cast<std::uint32_t>(count) << kKindBits | static_cast<std::uint32_t>(kind);
    if (count <= kInRecord) {
      for (std::size_t k = 0; k < count; ++k) record.values[k] = values[k];
    } else {
      record.values[0] = static_cast<std::uint32_t>(longer_.size());
      longer_.insert(longer_.end(), values, values + count);
    }
    used_ += count;
    return static_cast<Node>(size_++);
  }
  /// Merges values that are sorted, distinct and more than kNothing.
  Node merge_sorted(std::span<const Node> values);
  template <std::size_t Count>
  void merge_row(const std::array<const Node*, Count>& rows, Node* merged);
  /// uses() for several results.
  [[nodiscard]] std::vector<std::uint16_t> used_by_any(std::span<const Node> results, std::size_t elements,
                                                       std::span<const std::uint32_t> met) const;
  /// By node, whether any of `results` depends on it.
  [[nodiscard]] std::vector<bool> behind(std::span<const Node> results) const;
  [[nodiscard]] Kind kind_of(Node node) const { return static_cast<Kind>(records_[node].head & kKindMask); }
  [[nodiscard]] std::span<const std::uint32_t> values_of(Node node) const {
    const Record& record = records_[node];
    const std::uint32_t count = record.head >> kKindBits;
    return {count <= kInRecord ? record.values.data() : longer_.data() + record.values[0], count};
  }
  [[nodiscard]] bool is_leaf(Node node) const {
    return kind_of(node) == Kind::Global || kind_of(node) == Kind::Constant;
  }
  /// The nodes that a non-leaf node depends on.
  [[nodiscard]] std::span<const Node> parts_of(Node node) const {
    return kind_of(node) == Kind::Staged ? values_of(node).first(1) : values_of(node);
  }

  static constexpr std::uint32_t kKindBits = 3, kKindMask = (1u << kKindBits) - 1;
  static constexpr std::size_t kInRecord = 3;
  struct Record {
    std::uint32_t head = 0;  ///< the kind, and above it how many values there are
    /// If there are more values than fit: their start in longer_. For leaves: element, site, and what was put
    /// there. For staged values: the value, the place and the number of staged values before it.
    std::array<std::uint32_t, kInRecord> values{};
  };
  struct Unmapped {
    std::size_t bytes;
    void operator()(Record* records) const;
  };
  using Records = std::unique_ptr<Record[], Unmapped>;
  static Records room_for(std::size_t count);

  std::size_t most_nodes_;
  bool full_ = false, out_of_memory_ = false, any_shuffled_ = false;
  bool any_made_staged_ = false;  ///< a computed value was stored to shared memory
  std::uint32_t staged_ = 0;      ///< nodes
  std::vector<Node> launches_;    ///< the first node of each
  /// By node, in one array: graph traversal beyond the cache size waits for memory at each node.
  Records records_;
  std::size_t size_ = 2;  ///< nodes: kUnknown and kNothing have no values
  std::vector<std::uint32_t> longer_;
  std::size_t used_ = 0;      ///< values
  std::vector<Node> merged_;  ///< while merging, to spare its allocation
};

/// Backward slices of a finished graph.
class ProvenanceSlices {
 public:
  /// By element, which array it belongs to. `parts`: at least that many parts of a result's dependencies must
  /// pass through shared memory. If a value in shared memory depends on more than three times the elements of
  /// such a part, it is a (nearly) finished result and does not count as having passed.
  /// Table: the input that constant memory should hold.
  enum class Array : std::uint8_t { Other, Input, Table };
  /// `most_visits`: the maximum number of node visits for all results together.
  ProvenanceSlices(const ProvenanceGraph& graph, std::vector<Array> arrays, double parts,
                   std::uint64_t most_visits);

  /// Adds one result. False: it depends on no element.
  bool add(ProvenanceGraph::Node result, Provenance& origins);
  /// By site: elements that bypassed shared memory.
  [[nodiscard]] const std::vector<std::uint64_t>& past_sites() const { return past_sites_; }
  /// By site: elements that the site loaded.
  [[nodiscard]] const std::vector<std::uint64_t>& sites() const { return sites_; }
  /// By element, not 0 if some added result depends on it.
  [[nodiscard]] std::span<const std::uint32_t> element_met() const { return element_met_; }
  /// The visits are used up: the last added result is incomplete.
  [[nodiscard]] bool exhausted() const { return visits_left_ == 0; }

 private:
  struct Made {
    std::uint32_t of = 0;  ///< elements
    bool exactly = false;  ///< and no more
  };
  bool is_part(ProvenanceGraph::Node staged, std::size_t most);
  Made& made(ProvenanceGraph::Node staged) { return made_[graph_.values_of(staged)[2]]; }
  void add_exchange(ProvenanceGraph::Node merge, Provenance& origins) const;
  template <class Cross, class Meet>
  void walk(ProvenanceGraph::Node from, const Cross& cross, const Meet& meet);
  [[nodiscard]] bool is_input(ProvenanceGraph::Node node) const;

  const ProvenanceGraph& graph_;
  std::vector<Array> arrays_;
  double parts_;
  std::uint32_t walk_ = 0;
  std::uint64_t visits_left_;
  std::vector<std::uint32_t> node_met_, element_met_;  ///< number of the last traversal that visited it
  std::vector<ProvenanceGraph::Node> stack_, addresses_, staged_;
  std::vector<Made> made_;  ///< of staged ones, by their number
  std::vector<std::uint64_t> past_sites_, sites_;
};

}  // namespace cudalabs::sim
