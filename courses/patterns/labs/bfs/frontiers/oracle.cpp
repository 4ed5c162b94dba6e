// bfs frontiers, breadth-first search: the graphs, what is right, what it costs on one CPU thread, and what is often
// wrong.
#include "oracle.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Edge = std::pair<int, int>;

struct Graph {
  const int *first, *neighbours;
  int source, vertices;

  explicit Graph(const OracleCall* call)
      : first(static_cast<const int*>(call->inputs[0])),
        neighbours(static_cast<const int*>(call->inputs[1])),
        source(*static_cast<const int*>(call->inputs[2])),
        vertices(static_cast<int>(call->sizes[0])) {}
};

/// Which vertices an edge joins. Edges 0, 1, ... of a chain and a ring join each vertex to the next one.
Edge draw_edge(std::string_view shape, std::int64_t vertices, std::int64_t e, OracleRandom& random) {
  const auto edge = [](std::int64_t a, std::int64_t b) {
    return Edge{static_cast<int>(a), static_cast<int>(b)};
  };
  const std::int64_t a = random.below(vertices), b = random.below(vertices);
  if (shape == "constant") return edge(e % vertices, std::min(e % vertices + 1, vertices - 1));
  if (shape == "small_integers") {
    constexpr std::int64_t kReach = 2800;  // the timed ring has some 60 levels
    if (e < vertices) return edge(e, (e + 1) % vertices);
    const std::int64_t from = 2 * (e - vertices) % vertices;
    return edge(from, (from + 1 + b % std::min(kReach, vertices)) % vertices);
  }
  if (shape == "cancellation") {  // both ends in the same half
    const std::int64_t half = vertices / 2;
    return a < half ? edge(a, b % half) : edge(a, half + b % (vertices - half));
  }
  if (shape == "dominant" && e % 4 != 0) return edge(vertices / 3, a);
  return edge(a, b);
}

/// The depths, by a queue. Goes on for `most` levels at most.
template <class Depth>
void search(const Graph& graph, int source, int most, Depth* depth) {
  std::fill(depth, depth + graph.vertices, -1);
  std::vector<int> queue = {source};
  depth[source] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const int v = queue[next];
    if (depth[v] >= most) return;
    for (int k = graph.first[v]; k < graph.first[v + 1]; ++k) {
      const int w = graph.neighbours[k];
      if (depth[w] >= 0) continue;
      depth[w] = depth[v] + 1;
      queue.push_back(w);
    }
  }
}

}  // namespace

// Each edge is an entry at both of its ends. Of an odd number of entries the last one is a vertex that is its own
// neighbour.
extern "C" void make_inputs(const OracleInputs* call) {
  OracleRandom random(call->seed);
  const std::int64_t vertices = call->sizes[0], entries = call->sizes[1];
  auto *first = static_cast<int*>(call->inputs[0]), *neighbours = static_cast<int*>(call->inputs[1]);
  std::vector<Edge> edges;
  for (std::int64_t e = 0; e < entries / 2; ++e) {
    const Edge edge = draw_edge(call->distribution, vertices, e, random);
    edges.push_back(edge);
    edges.emplace_back(edge.second, edge.first);
  }
  if (entries % 2 != 0) edges.emplace_back(0, 0);
  std::sort(edges.begin(), edges.end());
  std::fill(first, first + vertices + 1, 0);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    ++first[edges[k].first + 1];
    neighbours[k] = edges[k].second;
  }
  for (std::int64_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
}

extern "C" void oracle(const OracleCall* call) {
  const Graph graph(call);
  search(graph, graph.source, graph.vertices, call->expected[0].integers);
}

extern "C" void baseline(const OracleCall* call) {
  const Graph graph(call);
  search(graph, graph.source, graph.vertices, static_cast<int*>(call->results[0]));
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const char* const kWords[] = {
      "a search that begins with depth 1: the source has depth 0",
      "a search that calls what it does not reach 0: without a path the depth is -1",
      "a search that ends after its first level: repeat until a level finds no new vertex",
      "a search from vertex 0 instead of `source`",
      "a search that leaves `source` out: its depth is 0",
  };
  if (which >= static_cast<int>(std::size(kWords))) return nullptr;
  const Graph graph(call);
  std::int64_t* depth = call->expected[0].integers;
  search(graph, which == 3 ? 0 : graph.source, which == 2 ? 1 : graph.vertices, depth);
  for (int v = 0; v < graph.vertices; ++v) {
    if (which == 0 && depth[v] >= 0) ++depth[v];
    if (which == 1 && depth[v] < 0) depth[v] = 0;
  }
  if (which == 4) depth[graph.source] = -1;
  return kWords[which];
}
