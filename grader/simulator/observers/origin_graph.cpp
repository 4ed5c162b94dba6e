#include "grader/simulator/observers/origin_graph.h"

#include <algorithm>
#include <array>

namespace cudalabs::sim {

using Node = OriginGraph::Node;

OriginGraph::OriginGraph(std::size_t most_nodes) : most_nodes_(most_nodes) {
  // As many as a call makes usually: what is not used takes no memory.
  const std::size_t usual = std::min(most_nodes, std::size_t{1} << 21);
  kinds_.reserve(usual);
  first_.reserve(usual + 1);
  values_.reserve(usual * 3);
}

Node OriginGraph::add(Kind kind, std::span<const std::uint32_t> values) {
  if (kinds_.size() >= most_nodes_ || values_.size() >= most_nodes_ * 4) {
    full_ = true;
    return kNothing;
  }
  kinds_.push_back(kind);
  for (const std::uint32_t value : values) values_.push_back(value);
  first_.push_back(static_cast<std::uint32_t>(values_.size()));
  return static_cast<Node>(kinds_.size() - 1);
}

Node OriginGraph::leaf(Memory memory, std::uint32_t element, std::uint32_t site, Node put_there) {
  return add(memory == Memory::Global ? Kind::Global : Kind::Constant, std::array{element, site, put_there});
}

Node OriginGraph::chosen(Node value, Node address) {
  return address <= kNothing || address == value ? value : add(Kind::Chosen, std::array{value, address});
}

Node OriginGraph::moved(Node value) {
  return value <= kNothing ? kNothing : add(Kind::Moved, std::array{value});
}

Node OriginGraph::staged(Node value, std::uint32_t place) {
  // The words of a number of eight bytes are stored one after the other, and are one value.
  const auto last = static_cast<Node>(kinds_.size() - 1);
  if (kinds_[last] == Kind::Staged && values_of(last)[0] == value) return last;
  return value <= kNothing ? kNothing : add(Kind::Staged, std::array{value, place});
}

Node OriginGraph::shuffled(Node value) {
  return value <= kNothing ? kNothing : add(Kind::Shuffled, std::array{value});
}

Node OriginGraph::given(Node value) {
  return value <= kNothing ? kNothing : add(Kind::Given, std::array{value});
}

Node OriginGraph::merge(Node a, Node b) {
  if (a <= kNothing || a == b) return b <= kNothing ? kNothing : b;
  return b <= kNothing ? a : add(Kind::Merge, std::array{a, b});
}

Node OriginGraph::merge(std::span<const Node> values) {
  constexpr std::size_t kFew = 8;
  if (values.size() > kFew) {
    merged_.assign(values.begin(), values.end());
    std::ranges::sort(merged_);
    merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
    const auto first = std::ranges::upper_bound(merged_, kNothing);
    return merge_sorted({first, merged_.end()});
  }
  // Nearly always two or three: calling a sort that knows no other size takes longer than all the rest.
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

Node OriginGraph::merge_sorted(std::span<const Node> values) {
  if (values.empty()) return kNothing;
  return values.size() == 1 ? values.front() : add(Kind::Merge, values);
}

std::vector<std::uint16_t> OriginGraph::uses(std::span<const Node> results, std::size_t elements) const {
  constexpr unsigned kMost = 65534;
  std::vector<std::uint16_t> ways(size()), uses(elements);
  for (const Node result : results) ways[result] = 1;
  const bool several = !std::ranges::all_of(results, [&](Node node) { return node == results.front(); });
  const auto add = [&](std::uint16_t& to, std::uint16_t more) {
    to = static_cast<std::uint16_t>(several ? 1u : std::min(kMost, unsigned{to} + more));
  };
  // A value is made of earlier ones: from the last to the first, each is done before
  // those that it is made of.
  for (auto node = static_cast<Node>(size()); node-- > kNothing + 1;) {
    if (ways[node] == 0) continue;
    const std::span<const std::uint32_t> values = is_leaf(node) ? values_of(node) : parts_of(node);
    if (is_leaf(node)) {
      add(uses[values[0]], ways[node]);
      if (values[2] > kNothing) add(ways[values[2]], ways[node]);
    } else {
      for (std::size_t k = 0; k < values.size(); ++k) {
        // The halves of a number of eight bytes are handed over by shuffles of their own, and are one value.
        const auto is_other_half = [&](Node other) {
          return kinds_[other] == Kind::Shuffled && values_of(other)[0] == values_of(values[k])[0];
        };
        if (kinds_[values[k]] == Kind::Shuffled && std::ranges::any_of(values.first(k), is_other_half))
          continue;
        add(ways[values[k]], ways[node]);
      }
    }
  }
  return uses;
}

OriginGraph::Distances OriginGraph::distances(std::span<const Node> results) const {
  std::vector<bool> met(size());
  for (const Node result : results) met[result] = true;
  for (auto node = static_cast<Node>(size()); node-- > kNothing + 1;)
    if (met[node] && !is_leaf(node))
      for (const Node part : parts_of(node)) met[part] = true;
  constexpr std::uint32_t kNowhere = ~0u;
  std::vector<Distances> rounds;
  std::vector<std::uint32_t> round_of(size());  // by node: how many lie before it in its tree
  // Where it was stored last, or where the first lay of those that it was combined of.
  std::vector<std::uint32_t> places(size(), kNowhere);
  std::vector<bool> stored(size());
  std::vector<std::uint32_t> apart(size());  // what it was combined of; 0: it begins a tree
  for (Node node = kNothing + 1; node < size(); ++node) {
    if (is_leaf(node)) continue;
    const Kind kind = kinds_[node];
    const std::span<const Node> parts = parts_of(node);
    if (kind == Kind::Staged || kind == Kind::Chosen) {
      if (kind == Kind::Staged) {
        places[parts[0]] = values_of(node)[1];
        stored[parts[0]] = true;
      }
      places[node] = places[parts[0]];
      stored[node] = stored[parts[0]];
      apart[node] = apart[parts[0]];
      round_of[node] = round_of[parts[0]];
    }
    if (kind != Kind::Merge || !met[node]) continue;
    std::uint32_t low = kNowhere, high = 0;
    bool round = true;  // not only one step more of what a thread adds up by itself
    for (const Node part : parts) {
      if (places[part] == kNowhere) continue;
      round = round && stored[part];
      round_of[node] = std::max(round_of[node], round_of[part]);
      low = std::min(low, places[part]);
      high = std::max(high, places[part]);
    }
    if (low >= high) {
      round_of[node] = 0;
      continue;
    }
    places[node] = low;
    apart[node] = high - low;
    if (!round) continue;
    if (rounds.size() <= round_of[node]) rounds.resize(round_of[node] + 1);
    Distances& steps = rounds[round_of[node]++];
    for (const Node part : parts) {
      steps.growing += apart[part] != 0 && apart[part] < apart[node] ? 1 : 0;
      steps.shrinking += apart[part] > apart[node] ? 1 : 0;
    }
  }
  Distances distances;
  for (const Distances& steps : rounds) {
    distances.growing += steps.growing > steps.shrinking ? 1 : 0;
    distances.shrinking += steps.shrinking > steps.growing ? 1 : 0;
  }
  return distances;
}

OriginSlices::OriginSlices(const OriginGraph& graph, std::vector<Array> arrays, double parts,
                           std::uint64_t most_visits)
    : graph_(graph),
      arrays_(std::move(arrays)),
      parts_(parts),
      visits_left_(most_visits),
      node_met_(graph.size()),
      element_met_(arrays_.size()) {}

/// Visits all nodes behind `from`, asks cross(kind, node) at those that are no elements whether to
/// go on, and calls meet(kind, values) for each element that is met, once. It ends early when
/// `meet` returns false. What an address is made of comes last, and there elements of the inputs alone are
/// met: pointers, sizes and indices of a program's own say where its data lie, not what they are.
template <class Cross, class Meet>
void OriginSlices::walk(Node from, const Cross& cross, const Meet& meet) {
  using Kind = OriginGraph::Kind;
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
    const Kind kind = graph_.kinds_[node];
    if (graph_.is_leaf(node)) {
      if (element_met_[values[0]] == walk || (of_address && arrays_[values[0]] == Array::Other)) continue;
      element_met_[values[0]] = walk;
      if (!meet(kind, values)) return;
    } else if (kind == Kind::Chosen) {
      push(stack_, values[0]);
      addresses_.push_back(values[1]);  // its way as a value may come yet
    } else if (cross(kind, node)) {
      for (const Node value : graph_.parts_of(node)) push(stack_, value);
    }
  }
}

bool OriginSlices::is_part(Node staged, std::size_t most) {
  Made& made = made_[staged];
  if (made.of > most) return false;
  if (made.at_least) {
    std::uint32_t met = 0;
    walk(
        staged, [](OriginGraph::Kind, Node) { return true; },
        [&](OriginGraph::Kind kind, std::span<const std::uint32_t>) {
          met += kind == OriginGraph::Kind::Global ? 1 : 0;
          return met <= most;
        });
    made = {met, met > most};
  }
  return made.of <= most;
}

/// How the values that `merge` is computed from came to its thread.
void OriginSlices::add_exchange(Node merge, Origins& origins) const {
  using Kind = OriginGraph::Kind;
  std::uint64_t shared = 0, lanes = 0, atomics = 0;
  const std::span<const Node> values = graph_.values_of(merge);
  for (Node value : values) {
    while (graph_.kinds_[value] == Kind::Chosen) value = graph_.values_of(value)[0];
    const Kind kind = graph_.kinds_[value];
    const bool is_given = kind == Kind::Given ||
                          (kind == Kind::Staged && graph_.kinds_[graph_.values_of(value)[0]] == Kind::Given);
    atomics += is_given ? 1 : 0;
    shared += kind == Kind::Staged && !is_given ? 1 : 0;
    lanes += kind == Kind::Shuffled ? 1 : 0;
  }
  if (atomics + shared + lanes == 0) return;
  // Of several that were all handed over, one is the thread's own.
  const std::uint64_t own = atomics + shared + lanes == values.size() ? 1 : 0;
  if (atomics > 0) {
    origins.by_atomics += atomics + shared + lanes - own;
  } else if (lanes > 0) {
    origins.from_lanes += shared + lanes - own;
  } else {
    origins.from_shared += shared - own;
  }
}

/// Is it an element of an input as it is?
bool OriginSlices::is_input(Node node) const {
  return graph_.kinds_[node] == OriginGraph::Kind::Global &&
         arrays_[graph_.values_of(node)[0]] != Array::Other;
}

bool OriginSlices::add(Node result, Origins& origins) {
  using Kind = OriginGraph::Kind;
  if (result <= OriginGraph::kNothing) return false;
  std::uint64_t elements = 0, constants = 0, made_by_host = 0, from_table = 0, from_inputs = 0;
  std::vector<Node> staged;
  bool moved = false;
  walk(
      result,
      [&](Kind kind, Node node) {
        if (kind == Kind::Staged) staged.push_back(node);
        if (kind == Kind::Merge) add_exchange(node, origins);
        moved = moved || kind == Kind::Moved;
        return true;
      },
      [&](Kind kind, std::span<const std::uint32_t> values) {
        const auto [element, site] = std::pair(values[0], values[1]);
        if (kind == Kind::Global) {
          ++elements;
          made_by_host += values[2] == OriginGraph::kNothing ? 1 : 0;
          from_table += arrays_[element] == Array::Table ? 1 : 0;
          from_inputs += arrays_[element] != Array::Other ? 1 : 0;
          if (sites_.size() <= site) sites_.resize(site + 1);
          ++sites_[site];
        } else if (values[2] != OriginGraph::kUnknown) {
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

  // Where there are fewer threads for less input, each has more of it: that the timed case has enough of them
  // is seen by its bytes.
  constexpr double kLargerParts = 3, kEnoughParts = 64;
  const auto most = static_cast<std::size_t>(std::max(
      1.0, static_cast<double>(elements) * std::max(kLargerParts / std::max(parts_, 1.0), 1 / kEnoughParts)));
  // Which staged values are parts is found first: asking that is a walk of its own.
  for (const Node node : staged) {
    if (exhausted()) return true;
    is_part(node, most);
  }
  walk(
      result, [&](Kind kind, Node node) { return kind != Kind::Staged || made_[node].of > most; },
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
