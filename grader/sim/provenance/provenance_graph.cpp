#include "grader/sim/provenance/provenance_graph.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <new>
#include <type_traits>
#include <utility>

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

using Node = ProvenanceGraph::Node;

ProvenanceGraph::ProvenanceGraph(std::size_t most_nodes)
    : most_nodes_(std::max<std::size_t>(most_nodes, 2)), records_(room_for(most_nodes_)) {}

/// Reserves address space: unused records take no memory, and used ones never move. Large pages, because
/// allocating small ones takes longer than filling them.
ProvenanceGraph::Records ProvenanceGraph::room_for(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<Record>);
  const std::size_t bytes = count * sizeof(Record);
  void* const room =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  madvise(room, bytes, MADV_HUGEPAGE);
  return {static_cast<Record*>(room), Unmapped{bytes}};
}

void ProvenanceGraph::Unmapped::operator()(Record* records) const { munmap(records, bytes); }

Node ProvenanceGraph::leaf(Memory memory, std::uint32_t element, std::uint32_t site, Node put_there) {
  return add(memory == Memory::Global ? Kind::Global : Kind::Constant, std::array{element, site, put_there});
}

Node ProvenanceGraph::chosen(Node value, Node address) {
  return address <= kNothing || address == value ? value : add(Kind::Chosen, std::array{value, address});
}

Node ProvenanceGraph::moved(Node value) {
  return value <= kNothing ? kNothing : add(Kind::Moved, std::array{value});
}

Node ProvenanceGraph::staged(Node value, std::uint32_t place) {
  if (value <= kNothing) return kNothing;
  // The two words of an eight-byte value are stored one after the other, and count as one value.
  const auto last = static_cast<Node>(size_ - 1);
  if (kind_of(last) == Kind::Staged && values_of(last)[0] == value) return last;
  any_made_staged_ = any_made_staged_ || !is_leaf(value);
  return add(Kind::Staged, std::array{value, place, staged_++});
}

Node ProvenanceGraph::shuffled(Node value) {
  if (value <= kNothing) return kNothing;
  any_shuffled_ = true;
  return add(Kind::Shuffled, std::array{value});
}

Node ProvenanceGraph::given(Node value) {
  return value <= kNothing ? kNothing : add(Kind::Given, std::array{value});
}

Node ProvenanceGraph::merge(Node a, Node b) {
  if (a <= kNothing || a == b) return b <= kNothing ? kNothing : b;
  return b <= kNothing ? a : add(Kind::Merge, std::array{a, b});
}

Node ProvenanceGraph::merge(std::span<const Node> values) {
  constexpr std::size_t kFew = 8;
  if (values.size() > kFew) {
    merged_.assign(values.begin(), values.end());
    std::ranges::sort(merged_);
    merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
    const auto first = std::ranges::upper_bound(merged_, kNothing);
    return merge_sorted({first, merged_.end()});
  }
  // Nearly always two or three values: a general sort would take longer than everything else here.
  std::array<Node, kFew> few;
  std::size_t count = 0;
  for (const Node value : values) {
    if (value <= kNothing) continue;
    std::size_t at = count;
    while (at > 0 && few[at - 1] > value) --at;
    if (at > 0 && few[at - 1] == value) continue;
    for (std::size_t k = count++; k > at; --k) few[k] = few[k - 1];
    few[at] = value;
  }
  return merge_sorted(std::span(few).first(count));
}

Node ProvenanceGraph::merge_sorted(std::span<const Node> values) {
  if (values.empty()) return kNothing;
  return values.size() == 1 ? values.front() : add(Kind::Merge, values.data(), values.size());
}

/// Merges for all lanes of a warp. The values nearly always differ, so all lanes are sorted together.
template <std::size_t Count>
void ProvenanceGraph::merge_row(const std::array<const Node*, Count>& rows, Node* merged) {
  static_assert(Count == 2 || Count == 3);
  using Row = std::array<std::int32_t, kLanes>;  // signed values compare faster, and nodes fit
  std::array<Row, Count> sorted;
  for (std::size_t k = 0; k < Count; ++k)
    std::transform(rows[k], rows[k] + kLanes, sorted[k].begin(),
                   [](Node node) { return static_cast<std::int32_t>(node); });
  const auto exchange = [](Row& a, Row& b) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::int32_t low = std::min(a[lane], b[lane]), high = std::max(a[lane], b[lane]);
      a[lane] = low;
      b[lane] = high;
    }
  };
  exchange(sorted[0], sorted[1]);
  if constexpr (Count == 3) {
    exchange(sorted[1], sorted[2]);
    exchange(sorted[0], sorted[1]);
  }
  std::int32_t same = 0;
  for (std::size_t k = 1; k < Count; ++k)
    for (std::size_t lane = 0; lane < kLanes; ++lane) same |= sorted[k - 1][lane] == sorted[k][lane] ? 1 : 0;
  const bool fits = size_ + kLanes <= most_nodes_ && used_ + kLanes * Count <= most_nodes_ * 4;
  if (same != 0 || !fits) {
    std::array<Node, Count> values;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t k = 0; k < Count; ++k) values[k] = static_cast<Node>(sorted[k][lane]);
      merged[lane] = merge(values);
    }
    return;
  }
  Record* const records = records_.get() + size_;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    records[lane].head = static_cast<std::uint32_t>(Count) << kKindBits;
    for (std::size_t k = 0; k < Count; ++k) records[lane].values[k] = static_cast<Node>(sorted[k][lane]);
    merged[lane] = static_cast<Node>(size_ + lane);
  }
  static_assert(static_cast<std::uint32_t>(Kind::Merge) == 0);
  used_ += kLanes * Count;
  size_ += kLanes;
}

void ProvenanceGraph::merge_rows(std::span<const Node* const> rows, std::uint32_t lanes, Node* merged) {
  if (lanes == kAllLanes && rows.size() == 2) return merge_row(std::array{rows[0], rows[1]}, merged);
  if (lanes == kAllLanes && rows.size() == 3) return merge_row(std::array{rows[0], rows[1], rows[2]}, merged);
  std::array<Node, 3> values;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    for (std::size_t k = 0; k < rows.size(); ++k) values[k] = rows[k][lane];
    merged[lane] = merge(std::span(values).first(rows.size()));
  }
}

std::vector<std::uint16_t> ProvenanceGraph::uses(std::span<const Node> results, std::size_t elements,
                                                 std::span<const std::uint32_t> met) const {
  if (std::ranges::any_of(results, [&](Node node) { return node != results.front(); }))
    return used_by_any(results, elements, met);
  std::vector<std::uint16_t> ways(size()), uses(elements);
  for (const Node result : results) ways[result] = 1;
  const auto add = [](std::uint16_t& to, std::uint16_t more) {
    constexpr unsigned kMax = 65534;
    to = static_cast<std::uint16_t>(std::min(kMax, unsigned{to} + more));
  };
  // A value depends only on earlier nodes. The loop runs from the last to the first, so each node is complete
  // before the nodes that it depends on.
  for (auto node = static_cast<Node>(size()); node-- > kNothing + 1;) {
    if (ways[node] == 0) continue;
    const std::span<const std::uint32_t> values = is_leaf(node) ? values_of(node) : parts_of(node);
    if (is_leaf(node)) {
      add(uses[values[0]], ways[node]);
      if (values[2] > kNothing) add(ways[values[2]], ways[node]);
    } else {
      for (std::size_t k = 0; k < values.size(); ++k) {
        // The halves of an eight-byte value are passed by separate shuffles, and count as one value.
        const auto is_other_half = [&](Node other) {
          return kind_of(other) == Kind::Shuffled && values_of(other)[0] == values_of(values[k])[0];
        };
        if (any_shuffled_ && kind_of(values[k]) == Kind::Shuffled &&
            std::ranges::any_of(values.first(k), is_other_half))
          continue;
        add(ways[values[k]], ways[node]);
      }
    }
  }
  return uses;
}

std::vector<std::uint16_t> ProvenanceGraph::used_by_any(std::span<const Node> results, std::size_t elements,
                                                        std::span<const std::uint32_t> met) const {
  std::vector<std::uint16_t> uses(elements);
  std::transform(met.begin(), met.end(), uses.begin(), [](std::uint32_t by) { return by != 0 ? 1 : 0; });
  auto left = std::ranges::count(uses, 0);
  std::vector<std::uint8_t> reached(left > 0 ? size() : 0);
  for (const Node result : results)
    if (left > 0) reached[result] = 1;
  for (auto node = static_cast<Node>(size()); left > 0 && node-- > kNothing + 1;) {
    if (reached[node] == 0) continue;
    if (!is_leaf(node)) {
      for (const Node part : parts_of(node)) reached[part] = 1;
      continue;
    }
    const std::span<const std::uint32_t> values = values_of(node);
    if (uses[values[0]] == 0) --left;
    uses[values[0]] = 1;
    if (values[2] > kNothing) reached[values[2]] = 1;
  }
  return uses;
}

std::vector<bool> ProvenanceGraph::behind(std::span<const Node> results) const {
  std::vector<bool> met(size());
  for (const Node result : results) met[result] = true;
  for (auto node = static_cast<Node>(size()); node-- > kNothing + 1;)
    if (met[node] && !is_leaf(node))
      for (const Node part : parts_of(node)) met[part] = true;
  return met;
}

ProvenanceGraph::Distances ProvenanceGraph::distances(std::span<const Node> results) const {
  // In a tree of several rounds, the second round combines what the first has stored.
  if (!any_made_staged_) return {};
  constexpr unsigned kPlaceBits = 17, kRoundBits = 29;
  constexpr std::uint32_t kMaxPlace = (1u << kPlaceBits) - 1;  // more than any block's shared memory
  constexpr std::uint32_t kMaxRounds = (1u << kRoundBits) - 1;
  struct Lies {
    /// 1 + the place of its last store, or the place of the first value that it combines; 0: none.
    std::uint64_t at : kPlaceBits;
    std::uint64_t apart : kPlaceBits;  ///< distance of the combined values; 0: it begins a tree
    std::uint64_t round : kRoundBits;  ///< the number of earlier rounds of its tree
    std::uint64_t stored : 1;
  };
  static_assert(sizeof(Lies) == sizeof(std::uint64_t));
  std::vector<Lies> lies(size());
  struct Step {
    Node node;
    std::uint32_t round;
    Distances parts;
  };
  std::vector<Step> steps;  // steps whose parts are closer together or further apart than before
  for (Node node = kNothing + 1; node < size(); ++node) {
    const Kind kind = kind_of(node);
    const std::span<const std::uint32_t> values = values_of(node);
    if (kind == Kind::Staged || kind == Kind::Chosen) {
      Lies& value = lies[values[0]];
      if (kind == Kind::Staged) {
        value.at = (values[1] + 1) & kMaxPlace;
        value.stored = 1;
      }
      lies[node] = value;
    }
    if (kind != Kind::Merge) continue;
    std::uint32_t low = ~0u, high = 0, round = 0;
    bool stored = true;  // not only another step of a thread's own sum
    for (const Node part : values) {
      const Lies there = lies[part];
      if (there.at == 0) continue;
      const auto at = static_cast<std::uint32_t>(there.at);
      stored = stored && there.stored != 0;
      round = std::max(round, static_cast<std::uint32_t>(there.round));
      low = std::min(low, at);
      high = std::max(high, at);
    }
    if (low >= high) continue;
    const std::uint32_t apart = high - low;
    lies[node] = {low & kMaxPlace, apart & kMaxPlace, (round + (stored ? 1 : 0)) & kMaxRounds, 0};
    if (!stored) continue;
    Distances parts;
    for (const Node part : values) {
      parts.growing += lies[part].apart != 0 && lies[part].apart < apart ? 1 : 0;
      parts.shrinking += lies[part].apart > apart ? 1 : 0;
    }
    if (parts.growing + parts.shrinking > 0) steps.push_back({node, round, parts});
  }
  if (steps.empty()) return {};
  const std::vector<bool> met = behind(results);
  std::map<std::ptrdiff_t, std::map<std::uint32_t, Distances>> by_launch;
  for (const Step& step : steps) {
    if (!met[step.node]) continue;
    const auto launch = std::ranges::upper_bound(launches_, step.node) - launches_.begin();
    Distances& round = by_launch[launch][step.round];
    round.growing += step.parts.growing;
    round.shrinking += step.parts.shrinking;
  }
  const auto combined = [](const auto& launch) {
    std::uint64_t all = 0;
    for (const auto& [round, parts] : launch.second) all += parts.growing + parts.shrinking;
    return all;
  };
  const auto most = std::ranges::max_element(by_launch, {}, combined);
  Distances distances;
  if (most == by_launch.end()) return distances;
  for (const auto& [round, parts] : most->second) {
    distances.growing += parts.growing > parts.shrinking ? 1 : 0;
    distances.shrinking += parts.shrinking > parts.growing ? 1 : 0;
  }
  return distances;
}

ProvenanceSlices::ProvenanceSlices(const ProvenanceGraph& graph, std::vector<Array> arrays, double parts,
                                   std::uint64_t most_visits)
    : graph_(graph),
      arrays_(std::move(arrays)),
      parts_(parts),
      visits_left_(most_visits),
      node_met_(graph.size()),
      element_met_(arrays_.size()),
      made_(graph.staged_) {}

/// Visits all nodes that `from` depends on. cross(kind, node) decides at each non-element whether to
/// continue; meet(kind, values) is called once for each element. The traversal ends early when `meet` returns
/// false. Address dependences come last, and only elements of the inputs are met there: a program's own
/// pointers, sizes and indices locate its data, but are not data.
template <class Cross, class Meet>
void ProvenanceSlices::walk(Node from, const Cross& cross, const Meet& meet) {
  using Kind = ProvenanceGraph::Kind;
  const std::uint32_t walk = ++walk_;
  stack_.assign(1, from);
  addresses_.clear();
  node_met_[from] = walk;
  const auto push = [&](std::vector<Node>& to, Node node) {
    if (node_met_[node] == walk) return;
    node_met_[node] = walk;
    to.push_back(node);
  };
  for (bool of_address = false; !stack_.empty() || !addresses_.empty();) {
    if (stack_.empty()) {
      of_address = true;
      stack_.swap(addresses_);
    }
    const Node node = stack_.back();
    stack_.pop_back();
    if (visits_left_ == 0) return;
    --visits_left_;
    const std::span<const std::uint32_t> values = graph_.values_of(node);
    const Kind kind = graph_.kind_of(node);
    if (graph_.is_leaf(node)) {
      if (element_met_[values[0]] == walk || (of_address && arrays_[values[0]] == Array::Other)) continue;
      element_met_[values[0]] = walk;
      if (!meet(kind, values)) return;
    } else if (kind == Kind::Chosen) {
      push(stack_, values[0]);
      addresses_.push_back(values[1]);  // it may still be reached as a value
    } else if (cross(kind, node)) {
      for (const Node value : graph_.parts_of(node)) push(stack_, value);
    }
  }
}

bool ProvenanceSlices::is_part(Node staged, std::size_t most) {
  Made& known = made(staged);
  if (known.of > most) return false;
  if (!known.exactly) {
    std::uint32_t met = 0;
    walk(
        staged, [](ProvenanceGraph::Kind, Node) { return true; },
        [&](ProvenanceGraph::Kind kind, std::span<const std::uint32_t>) {
          met += kind == ProvenanceGraph::Kind::Global ? 1 : 0;
          return met <= most;
        });
    known = {met, met <= most};
  }
  return known.of <= most;
}

/// How the operands of `merge` reached its thread.
void ProvenanceSlices::add_exchange(Node merge, Provenance& origins) const {
  using Kind = ProvenanceGraph::Kind;
  std::uint64_t shared = 0, lanes = 0, atomics = 0;
  const std::span<const Node> values = graph_.values_of(merge);
  for (Node value : values) {
    while (graph_.kind_of(value) == Kind::Chosen) value = graph_.values_of(value)[0];
    const Kind kind = graph_.kind_of(value);
    const bool is_given = kind == Kind::Given ||
                          (kind == Kind::Staged && graph_.kind_of(graph_.values_of(value)[0]) == Kind::Given);
    atomics += is_given ? 1 : 0;
    shared += kind == Kind::Staged && !is_given ? 1 : 0;
    lanes += kind == Kind::Shuffled ? 1 : 0;
  }
  if (atomics + shared + lanes == 0) return;
  // If all of several operands were passed by other threads, one counts as the thread's own.
  const std::uint64_t own = atomics + shared + lanes == values.size() ? 1 : 0;
  if (atomics > 0) {
    origins.by_atomics += atomics + shared + lanes - own;
  } else if (lanes > 0) {
    origins.from_lanes += shared + lanes - own;
  } else {
    origins.from_shared += shared - own;
  }
}

/// Is it an unmodified element of an input?
bool ProvenanceSlices::is_input(Node node) const {
  return graph_.kind_of(node) == ProvenanceGraph::Kind::Global &&
         arrays_[graph_.values_of(node)[0]] != Array::Other;
}

bool ProvenanceSlices::add(Node result, Provenance& origins) {
  using Kind = ProvenanceGraph::Kind;
  if (result <= ProvenanceGraph::kNothing) return false;
  std::uint64_t elements = 0, constants = 0, made_by_host = 0, from_table = 0, from_inputs = 0;
  staged_.clear();
  bool moved = false;
  walk(
      result,
      [&](Kind kind, Node node) {
        if (kind == Kind::Staged) staged_.push_back(node);
        if (kind == Kind::Merge) add_exchange(node, origins);
        moved = moved || kind == Kind::Moved;
        return true;
      },
      [&](Kind kind, std::span<const std::uint32_t> values) {
        const auto [element, site] = std::pair(values[0], values[1]);
        if (kind == Kind::Global) {
          ++elements;
          made_by_host += values[2] == ProvenanceGraph::kNothing ? 1 : 0;
          from_table += arrays_[element] == Array::Table ? 1 : 0;
          from_inputs += arrays_[element] != Array::Other ? 1 : 0;
          if (sites_.size() <= site) sites_.resize(site + 1);
          ++sites_[site];
        } else if (values[2] != ProvenanceGraph::kUnknown) {
          ++constants;
          from_inputs += is_input(values[2]) ? 1 : 0;
        }
        return true;
      });
  ++origins.results;
  origins.moved += moved ? 1 : 0;
  origins.elements += elements;
  origins.constants += constants;
  origins.made_by_host += made_by_host;
  origins.from_table += from_table;
  origins.from_inputs += from_inputs;
  if (elements == 0) return true;

  // With fewer threads for less input, each thread has a larger part. Whether the timed case has enough
  // threads is judged by its bytes.
  constexpr double kLargerParts = 3, kEnoughParts = 64;
  const auto most = static_cast<std::size_t>(std::max(
      1.0, static_cast<double>(elements) * std::max(kLargerParts / std::max(parts_, 1.0), 1 / kEnoughParts)));
  // Classify the staged values first: each needs a traversal of its own.
  for (const Node node : staged_) {
    if (exhausted()) return true;
    is_part(node, most);
  }
  walk(
      result, [&](Kind kind, Node node) { return kind != Kind::Staged || made(node).of > most; },
      [&](Kind kind, std::span<const std::uint32_t> values) {
        if (kind != Kind::Global) return true;
        const std::uint32_t site = values[1];
        ++origins.past_shared;
        if (past_sites_.size() <= site) past_sites_.resize(site + 1);
        ++past_sites_[site];
        return true;
      });
  return true;
}

}  // namespace cudalabs::sim
