// Merged values, and the distances of the elements that a tree combines.

#include "grader/sim/provenance/provenance_graph.h"

#include <algorithm>
#include <array>
#include <random>

#include "tests/harness/catch.h"

namespace cudalabs::sim {
namespace {

using Node = ProvenanceGraph::Node;

/// A block of 16 threads, each with its own element, which it has stored to shared memory.
struct Block {
  static constexpr std::uint32_t kThreads = 16;
  ProvenanceGraph graph{1 << 16};
  std::vector<Node> own, staged;

  Block() {
    for (std::uint32_t t = 0; t < kThreads; ++t) put(t, element(t));
  }
  Node element(std::uint32_t number) {
    return graph.leaf(ProvenanceGraph::Memory::Global, number, 0, ProvenanceGraph::kUnknown);
  }
  void put(std::uint32_t t, Node value) {
    own.resize(kThreads);
    staged.resize(kThreads);
    own[t] = value;
    staged[t] = graph.staged(value, t);
  }
  /// partial[t] += partial[other]
  void add(std::uint32_t t, std::uint32_t other) { put(t, graph.merge(own[t], staged[other])); }
  ProvenanceGraph::Distances distances() { return graph.distances(std::vector{own[0]}); }
};

}  // namespace

TEST_CASE("distances grow in a tree of neighbours, whoever works, and shrink in one of halves") {
  Block neighbours, halves;
  for (std::uint32_t step = 1; step < Block::kThreads; step *= 2)
    for (std::uint32_t t = 0; t < Block::kThreads; t += 2 * step) neighbours.add(t, t + step);
  CHECK(neighbours.distances().growing == 3);
  CHECK(neighbours.distances().shrinking == 0);
  for (std::uint32_t step = Block::kThreads / 2; step > 0; step /= 2)
    for (std::uint32_t t = 0; t < step; ++t) halves.add(t, t + step);
  CHECK(halves.distances().growing == 0);
  CHECK(halves.distances().shrinking == 3);
}

TEST_CASE("trees that follow each other are judged each by itself") {
  Block twice;
  for (int tree = 0; tree < 2; ++tree) {
    for (std::uint32_t step = 1; step < Block::kThreads; step *= 2)
      for (std::uint32_t t = 0; t < Block::kThreads; t += 2 * step) twice.add(t, t + step);
    // The last block reads the results of the others: for each thread the sum of its own and the other's.
    const Node sum = twice.graph.merge(twice.own[0], twice.element(Block::kThreads));
    for (std::uint32_t t = 0; tree == 0 && t < Block::kThreads; ++t)
      twice.put(t, twice.graph.merge(sum, twice.element(Block::kThreads + 1 + t)));
  }
  CHECK(twice.distances().growing == 3);
  CHECK(twice.distances().shrinking == 0);
}

TEST_CASE("of several launches the one whose tree combines most values counts") {
  Block neighbours;
  neighbours.graph.begin_launch();
  for (std::uint32_t step = 1; step < Block::kThreads; step *= 2)
    for (std::uint32_t t = 0; t < Block::kThreads; t += 2 * step) neighbours.add(t, t + step);
  // A second kernel adds up eight sums of blocks, of which one is here, by halves.
  neighbours.graph.begin_launch();
  for (std::uint32_t t = 1; t < 8; ++t) neighbours.put(t, neighbours.element(Block::kThreads + t));
  for (std::uint32_t step = 4; step > 0; step /= 2)
    for (std::uint32_t t = 0; t < step; ++t) neighbours.add(t, t + step);
  CHECK(neighbours.distances().growing == 3);
  CHECK(neighbours.distances().shrinking == 0);
}

TEST_CASE("a tree of four branches is one, as its threads add up three values in a round") {
  Block four;
  for (std::uint32_t step = 1; step < Block::kThreads; step *= 4)
    for (std::uint32_t t = 0; t < Block::kThreads; t += 4 * step) {
      Node sum = four.own[t];
      for (std::uint32_t k = 1; k < 4; ++k) sum = four.graph.merge(sum, four.staged[t + k * step]);
      four.put(t, sum);
    }
  CHECK(four.distances().growing == 1);
  CHECK(four.distances().shrinking == 0);
}

TEST_CASE("one round of neighbours, in which half of all steps are, makes no tree of neighbours") {
  Block first_only;
  for (std::uint32_t t = 0; t < Block::kThreads; t += 2) first_only.add(t, t + 1);
  for (std::uint32_t step = Block::kThreads / 2; step > 1; step /= 2)
    for (std::uint32_t t = 0; t < step; t += 2) first_only.add(t, t + step);
  CHECK(first_only.distances().growing == 1);
  CHECK(first_only.distances().shrinking == 2);
}

TEST_CASE("a tree beside the result, one round and what is kept in registers have no distances") {
  Block beside;
  for (std::uint32_t step = 1; step < Block::kThreads; step *= 2)
    for (std::uint32_t t = 1; t + step < Block::kThreads; t += 2 * step) beside.add(t, t + step);
  CHECK(beside.distances().growing == 0);
  Block once;
  once.add(0, 5);
  CHECK(once.distances().growing == 0);
  Block summed_by_one;
  Node sum = summed_by_one.element(Block::kThreads);
  for (std::uint32_t t = 1; t < Block::kThreads; ++t)
    sum = summed_by_one.graph.merge(sum, summed_by_one.staged[t]);
  CHECK(summed_by_one.graph.distances(std::vector{sum}).growing == 0);
}

TEST_CASE("the lanes of a warp are merged side by side as each by itself") {
  constexpr std::uint32_t kLanes = 32, kAll = ~0u;
  // The second limit leaves no room for more.
  for (const std::size_t most : {std::size_t{1} << 16, std::size_t{4 * kLanes + 20}}) {
    ProvenanceGraph side_by_side(most), one_by_one(most);
    std::array<std::array<Node, kLanes>, 3> rows;
    for (auto& row : rows)
      for (Node& node : row) {
        node = side_by_side.leaf(ProvenanceGraph::Memory::Global, 0, 0, ProvenanceGraph::kUnknown);
        CHECK(one_by_one.leaf(ProvenanceGraph::Memory::Global, 0, 0, ProvenanceGraph::kUnknown) == node);
      }
    const auto check = [&](std::vector<const Node*> operands, std::uint32_t lanes) {
      std::array<Node, kLanes> merged{}, right{};
      side_by_side.merge_rows(operands, lanes, merged.data());
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        if (((lanes >> lane) & 1) == 0) continue;
        std::vector<Node> values;
        for (const Node* row : operands) values.push_back(row[lane]);
        right[lane] = one_by_one.merge(values);
      }
      CHECK(merged == right);
      CHECK(side_by_side.size() == one_by_one.size());
      CHECK(side_by_side.full() == one_by_one.full());
      CHECK(side_by_side.uses(merged, 1) == one_by_one.uses(right, 1));
    };
    check({rows[2].data(), rows[0].data(), rows[1].data()}, kAll);
    check({rows[1].data(), rows[0].data()}, kAll);
    check({rows[1].data(), rows[0].data()}, 0x00ff0f01);
    rows[1][7] = rows[2][7];
    check({rows[2].data(), rows[0].data(), rows[1].data()}, kAll);
    rows[0][7] = rows[2][7];
    check({rows[0].data(), rows[2].data()}, kAll);
    CHECK(side_by_side.full() == (most < (std::size_t{1} << 16)));
  }
}

TEST_CASE("elements that come into any of several results are those behind them") {
  constexpr std::uint32_t kElements = 60;
  ProvenanceGraph graph(1 << 16);
  std::vector<std::vector<Node>> made_of;  // by node, as the test computes it
  std::vector<std::uint32_t> element_of;   // 1 + its element; 0 for others
  const auto keep = [&](Node node, std::vector<Node> parts, std::uint32_t element) {
    made_of.resize(graph.size());
    element_of.resize(graph.size());
    made_of[node] = std::move(parts);
    element_of[node] = element;
    return node;
  };
  std::mt19937 random(3);
  std::vector<Node> values;
  const auto any = [&] { return values[random() % values.size()]; };
  for (std::uint32_t e = 0; e < kElements; ++e) {
    const Node node = graph.leaf(ProvenanceGraph::Memory::Global, e, 0, ProvenanceGraph::kUnknown);
    values.push_back(keep(node, {}, e + 1));
  }
  // Sums of two, of three, and of more elements than one place holds, passed between threads.
  for (int k = 0; k < 400; ++k) {
    const std::size_t before = graph.size();
    std::vector<Node> parts;
    for (std::uint32_t n = 1 + static_cast<std::uint32_t>(random() % 7); n > 0; --n) parts.push_back(any());
    Node node = parts.size() == 1 ? (random() % 2 == 0 ? graph.shuffled(parts[0]) : graph.given(parts[0]))
                                  : graph.merge(parts);
    if (graph.size() != before) values.push_back(keep(node, parts, 0));
    if (random() % 4 != 0) continue;
    const Node copy = graph.staged(node, static_cast<std::uint32_t>(random() % 1000));
    if (graph.size() != made_of.size()) values.push_back(keep(copy, {node}, 0));
  }
  int partly = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Node> results{values[random() % 100], values[random() % 100]};
    if (results[0] == results[1]) continue;
    std::vector<bool> behind(graph.size());
    for (const Node result : results) behind[result] = true;
    std::vector<std::uint16_t> right(kElements);
    for (auto node = static_cast<Node>(behind.size()); node-- > 0;) {
      if (!behind[node]) continue;
      for (const Node part : made_of[node]) behind[part] = true;
      if (element_of[node] != 0) right[element_of[node] - 1] = 1;
    }
    const auto used = std::ranges::count(right, 1);
    partly += used > 2 && used < kElements ? 1 : 0;
    CHECK(graph.uses(results, kElements) == right);
    Provenance origins;
    ProvenanceSlices slices(graph, std::vector(kElements, ProvenanceSlices::Array::Input), 1, 1 << 20);
    slices.add(results[0], origins);
    CHECK(graph.uses(results, kElements, slices.element_met()) == right);
  }
  CHECK(partly > 100);
}

}  // namespace cudalabs::sim
