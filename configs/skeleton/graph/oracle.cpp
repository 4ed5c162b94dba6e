// @LAB@ @VARIANT@: the graphs, the check of an answer, and the time on one CPU thread.
#include "oracle.h"

#include <algorithm>
#include <vector>

namespace {

constexpr int kColours = 64;

struct Graph {
  const int *from, *to;
  std::int64_t vertices, edges;

  explicit Graph(const OracleCall* call)
      : from(static_cast<const int*>(call->inputs[0])),
        to(static_cast<const int*>(call->inputs[1])),
        vertices(call->sizes[0]),
        edges(call->sizes[1]) {}
};

}  // namespace

// No vertex gets more than 63 edges.
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  const std::int64_t vertices = call->sizes[0], edges = call->sizes[1];
  auto *from = static_cast<int*>(call->inputs[0]), *to = static_cast<int*>(call->inputs[1]);
  std::vector<int> degree(static_cast<std::size_t>(vertices));
  for (std::int64_t e = 0; e < edges;) {
    const auto a = random.below(vertices), b = random.below(vertices);
    if (a == b || std::max(degree[a], degree[b]) + 1 >= kColours) continue;
    ++degree[a], ++degree[b];
    from[e] = static_cast<int>(a), to[e] = static_cast<int>(b);
    ++e;
  }
}

extern "C" void oracle(const OracleCall* /*call*/) {}  // there are many right answers

extern "C" const char* check(const OracleCall* call, OracleFinding* found) {
  const Graph graph(call);
  const auto* colours = static_cast<const int*>(call->results[0]);
  for (std::int64_t v = 0; v < graph.vertices; ++v) {
    if (colours[v] >= 0 && colours[v] < kColours) continue;
    *found = {0, v, 0};
    return text_of(call, "colours are numbers from 0 to 63, and vertex {} has {}", v,
                   static_cast<std::int64_t>(colours[v]));
  }
  std::int64_t wrong = 0, first = 0;
  for (std::int64_t e = graph.edges - 1; e >= 0; --e) {
    if (colours[graph.from[e]] != colours[graph.to[e]]) continue;
    ++wrong;
    first = e;
  }
  if (wrong == 0) return nullptr;
  *found = {0, graph.from[first], static_cast<double>(wrong) / static_cast<double>(graph.edges)};
  return text_of(call, "vertices {} and {} are neighbours of one colour",
                 static_cast<std::int64_t>(graph.from[first]), static_cast<std::int64_t>(graph.to[first]));
}

extern "C" void baseline(const OracleCall* call) {
  const Graph graph(call);
  auto* colours = static_cast<int*>(call->results[0]);
  std::fill(colours, colours + graph.vertices, -1);
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(graph.vertices));
  for (std::int64_t e = 0; e < graph.edges; ++e) {
    neighbours[graph.from[e]].push_back(graph.to[e]);
    neighbours[graph.to[e]].push_back(graph.from[e]);
  }
  for (std::int64_t v = 0; v < graph.vertices; ++v) {
    std::uint64_t used = 0;
    for (const int other : neighbours[v])
      if (colours[other] >= 0) used |= std::uint64_t{1} << colours[other];
    int colour = 0;
    while ((used >> colour & 1) != 0) ++colour;
    colours[v] = colour;
  }
}
