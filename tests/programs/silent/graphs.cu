// Graphs: searches, paths, components, ranks, colours.
#include "silent.cuh"

struct Graph {
  int nodes;
  std::vector<int> offsets, targets, weights;
  std::vector<std::vector<int>> out;
};

/// Undirected; nodes from `cut` on are apart from the others.
static Graph make(int nodes, int degree, int cut) {
  Graph g{nodes, {0}, {}, {}, std::vector<std::vector<int>>(nodes)};
  unsigned seed = 11;
  const auto join = [&](int a, int b) {
    if (a == b || std::count(g.out[a].begin(), g.out[a].end(), b)) return;
    g.out[a].push_back(b);
    g.out[b].push_back(a);
  };
  for (int v = 0; v < nodes; ++v) {
    const int low = v < cut ? 0 : cut, many = v < cut ? cut : nodes - cut;
    if (v + 1 < low + many) join(v, v + 1);
    for (int d = 0; d < degree; ++d) {
      seed = seed * 1664525u + 1013904223u;
      if (seed >> 31) join(v, low + (seed >> 8) % many);
    }
  }
  for (int v = 0; v < nodes; ++v) {
    for (int t : g.out[v]) {
      g.targets.push_back(t);
      g.weights.push_back(1 + (v + t) * 7 % 10);
    }
    g.offsets.push_back(g.targets.size());
  }
  return g;
}
static const Graph kGraph = make(150, 2, 120);
static constexpr int kFar = 1 << 20;

static std::vector<int> distances(bool weighted) {
  std::vector<int> d(kGraph.nodes, kFar);
  d[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < kGraph.nodes; ++v)
      for (int e = kGraph.offsets[v]; e < kGraph.offsets[v + 1]; ++e) {
        const int through = d[v] + (weighted ? kGraph.weights[e] : 1), t = kGraph.targets[e];
        if (d[v] < kFar && through < d[t]) d[t] = through, changed = true;
      }
  }
  return d;
}
static std::vector<int> start() {
  std::vector<int> d(kGraph.nodes, kFar);
  d[0] = 0;
  return d;
}
/// The graph on the card.
struct OnCard {
  Array<int> offsets{kGraph.offsets}, targets{kGraph.targets}, weights{kGraph.weights};
};

/// All nodes of a level at once: many write the same level to one neighbour, which nobody of this launch
/// reads plainly.
namespace bfs_by_levels {
__global__ void expand(const int* offsets, const int* targets, const int* levels, int* next, int* changed, int level, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || levels[v] != level) return;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
    if (levels[targets[e]] != kFar) continue;
    next[targets[e]] = level + 1;
    *changed = 1;
  }
}
PROGRAM(bfs_by_levels) {
  OnCard g;
  Array<int> levels(start()), next(start()), changed(1);
  for (int level = 0, more = 1; more; ++level) {
    expand<<<2, 96>>>(g.offsets, g.targets, levels, next, changed.zero(), level, kGraph.nodes);
    CUDA(cudaMemcpy(levels, next, kGraph.nodes * sizeof(int), cudaMemcpyDeviceToDevice));
    more = changed.host()[0];
  }
  return levels.host() == distances(false);
}
}  // namespace bfs_by_levels

/// A queue of the frontier: who claims a node by compare-and-swap appends it.
namespace bfs_by_queue {
__global__ void expand(const int* offsets, const int* targets, int* levels, const int* queue, int many, int* next, int* found,
                       int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= many) return;
  for (int e = offsets[queue[i]]; e < offsets[queue[i] + 1]; ++e)
    if (atomicCAS(&levels[targets[e]], kFar, level) == kFar) next[atomicAdd(found, 1)] = targets[e];
}
PROGRAM(bfs_by_queue) {
  OnCard g;
  Array<int> levels(start()), a(std::vector<int>(kGraph.nodes)), b(kGraph.nodes), found(1);
  int *from = a, *to = b, many = 1;
  for (int level = 1; many > 0; ++level, std::swap(from, to)) {
    expand<<<blocks_for(many, 32), 32>>>(g.offsets, g.targets, levels, from, many, to, found.zero(), level);
    many = found.host()[0];
  }
  return levels.host() == distances(false);
}
}  // namespace bfs_by_queue

/// In one block, the queue in shared memory, levels divided by barriers.
namespace bfs_in_a_block {
__global__ void search(const int* offsets, const int* targets, int* levels, int n) {
  __shared__ int queue[2][160], many[2];
  const int t = threadIdx.x;
  for (int v = t; v < n; v += blockDim.x) levels[v] = v == 0 ? 0 : kFar;
  if (t == 0) queue[0][0] = 0, many[0] = 1, many[1] = 0;
  __syncthreads();
  for (int level = 1, now = 0; many[now] > 0; ++level, now ^= 1) {
    for (int i = t; i < many[now]; i += blockDim.x) {
      const int v = queue[now][i];
      for (int e = offsets[v]; e < offsets[v + 1]; ++e)
        if (atomicCAS(&levels[targets[e]], kFar, level) == kFar) queue[now ^ 1][atomicAdd(&many[now ^ 1], 1)] = targets[e];
    }
    __syncthreads();
    if (t == 0) many[now] = 0;
    __syncthreads();
  }
}
PROGRAM(bfs_in_a_block) {
  OnCard g;
  Array<int> levels(kGraph.nodes);
  search<<<1, 64>>>(g.offsets, g.targets, levels, kGraph.nodes);
  return levels.host() == distances(false);
}
}  // namespace bfs_in_a_block

/// Frontiers as bits.
namespace bfs_by_bits {
__global__ void expand(const int* offsets, const int* targets, const unsigned* frontier, const unsigned* visited, unsigned* next,
                       int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || !(frontier[v / 32] >> v % 32 & 1)) return;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
    const int to = targets[e];
    if (!(visited[to / 32] >> to % 32 & 1)) atomicOr(&next[to / 32], 1u << to % 32);
  }
}
__global__ void visit(unsigned* frontier, unsigned* visited, unsigned* next, int* any) {
  const int w = threadIdx.x;
  visited[w] |= next[w];
  frontier[w] = next[w];
  if (next[w] != 0) *any = 1;
  next[w] = 0;
}
PROGRAM(bfs_by_bits) {
  OnCard g;
  std::vector<unsigned> first(5);
  first[0] = 1;
  Array<unsigned> frontier(first), visited(first), next(5);
  Array<int> any(1);
  next.zero();
  for (int more = 1; more;) {
    expand<<<2, 96>>>(g.offsets, g.targets, frontier, visited, next, kGraph.nodes);
    visit<<<1, 5>>>(frontier, visited, next, any.zero());
    more = any.host()[0];
  }
  const auto d = distances(false);
  const auto got = visited.host();
  for (int v = 0; v < kGraph.nodes; ++v)
    if ((got[v / 32] >> v % 32 & 1) != (d[v] < kFar)) return false;
  return true;
}
}  // namespace bfs_by_bits

/// Bellman and Ford from one array to the other.
namespace paths_two_arrays {
__global__ void relax(const int* offsets, const int* targets, const int* weights, const int* d, int* next, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int best = d[v];
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) best = min(best, d[targets[e]] + weights[e]);
  next[v] = best;
}
PROGRAM(paths_two_arrays) {
  OnCard g;
  Array<int> a(start()), b(kGraph.nodes);
  int *from = a, *to = b;
  for (int round = 0; round < 60; ++round, std::swap(from, to))
    relax<<<2, 96>>>(g.offsets, g.targets, g.weights, from, to, kGraph.nodes);
  std::vector<int> got(kGraph.nodes);
  CUDA(cudaMemcpy(got.data(), from, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  return got == distances(true);
}
}  // namespace paths_two_arrays

/// In one array by atomicMin alone: what others may change at that time is read by an atomic, too.
namespace paths_by_atomics {
__global__ void relax(const int* offsets, const int* targets, const int* weights, int* d, int* changed, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const int mine = atomicAdd(&d[v], 0);
  if (mine == kFar) return;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e)
    if (atomicMin(&d[targets[e]], mine + weights[e]) > mine + weights[e]) *changed = 1;
}
PROGRAM(paths_by_atomics) {
  OnCard g;
  Array<int> d(start()), changed(1);
  for (int more = 1; more;) {
    relax<<<2, 96>>>(g.offsets, g.targets, g.weights, d, changed.zero(), kGraph.nodes);
    more = changed.host()[0];
  }
  return d.host() == distances(true);
}
}  // namespace paths_by_atomics

/// Floyd and Warshall in place: in round k nobody writes row or column k, as nothing becomes shorter there.
namespace all_pairs {
__global__ void round(int* d, int k, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || j >= n) return;
  const int through = d[i * n + k] + d[k * n + j];
  if (through < d[i * n + j]) d[i * n + j] = through;
}
PROGRAM(all_pairs) {
  constexpr int n = 40;
  std::vector<int> wanted(n * n, kFar);
  for (int v = 0; v < n; ++v) {
    wanted[v * n + v] = 0;
    for (int e = kGraph.offsets[v]; e < kGraph.offsets[v + 1]; ++e)
      if (kGraph.targets[e] < n) wanted[v * n + kGraph.targets[e]] = kGraph.weights[e];
  }
  Array<int> d(wanted);
  for (int k = 0; k < n; ++k) {
    round<<<dim3(5, 5), dim3(8, 8)>>>(d, k, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wanted[i * n + j] = std::min(wanted[i * n + j], wanted[i * n + k] + wanted[k * n + j]);
  }
  return d.host() == wanted;
}
}  // namespace all_pairs

/// Smallest label of each component, by rounds.
namespace labels {
__global__ void spread(const int* offsets, const int* targets, const int* labels, int* next, int* changed, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int least = labels[v];
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) least = min(least, labels[targets[e]]);
  next[v] = least;
  if (least != labels[v]) *changed = 1;
}
PROGRAM(labels) {
  OnCard g;
  std::vector<int> own(kGraph.nodes);
  for (int v = 0; v < kGraph.nodes; ++v) own[v] = v;
  Array<int> a(own), b(kGraph.nodes), changed(1);
  int *from = a, *to = b;
  for (int more = 1; more; std::swap(from, to)) {
    spread<<<2, 96>>>(g.offsets, g.targets, from, to, changed.zero(), kGraph.nodes);
    more = changed.host()[0];
  }
  std::vector<int> got(kGraph.nodes);
  CUDA(cudaMemcpy(got.data(), from, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  for (int v = 0; v < kGraph.nodes; ++v)
    if (got[v] != (v < 120 ? 0 : 120)) return false;
  return true;
}
}  // namespace labels

/// Union by compare-and-swap; finds look through volatile loads of a loop.
namespace union_find {
__device__ int root(volatile int* parent, int v) {
  int p;
  while ((p = parent[v]) != v) v = p;
  return v;
}
__global__ void unite(const int* offsets, const int* targets, int* parent, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
    int a = v, b = targets[e];
    for (;;) {
      a = root(parent, a), b = root(parent, b);
      if (a == b) break;
      if (a < b) {
        const int held = a;
        a = b, b = held;
      }
      if (atomicCAS(&parent[a], a, b) == a) break;
    }
  }
}
__global__ void flatten(int* parent, int* out, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) out[v] = root(parent, v);
}
PROGRAM(union_find) {
  OnCard g;
  std::vector<int> own(kGraph.nodes);
  for (int v = 0; v < kGraph.nodes; ++v) own[v] = v;
  Array<int> parent(own), out(kGraph.nodes);
  unite<<<5, 32>>>(g.offsets, g.targets, parent, kGraph.nodes);
  flatten<<<5, 32>>>(parent, out, kGraph.nodes);
  const auto got = out.host();
  for (int v = 0; v < kGraph.nodes; ++v)
    if (got[v] != (v < 120 ? 0 : 120)) return false;
  return true;
}
}  // namespace union_find

static std::vector<double> ranks() {
  std::vector<double> r(kGraph.nodes, 1.0);
  for (int round = 0; round < 10; ++round) {
    std::vector<double> next(kGraph.nodes, 0.15);
    for (int v = 0; v < kGraph.nodes; ++v)
      for (int t : kGraph.out[v]) next[t] += 0.85 * r[v] / kGraph.out[v].size();
    r = next;
  }
  return r;
}

/// Ranks that nodes push to their neighbours by atomics.
namespace rank_pushed {
__global__ void push(const int* offsets, const int* targets, const double* rank, double* next, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const double part = 0.85 * rank[v] / (offsets[v + 1] - offsets[v]);
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) atomicAdd(&next[targets[e]], part);
}
__global__ void begin(double* next, int n) {
  for (int v = threadIdx.x; v < n; v += blockDim.x) next[v] = 0.15;
}
PROGRAM(rank_pushed) {
  OnCard g;
  Array<double> a(std::vector<double>(kGraph.nodes, 1.0)), b(kGraph.nodes);
  double *from = a, *to = b;
  for (int round = 0; round < 10; ++round, std::swap(from, to)) {
    begin<<<1, 64>>>(to, kGraph.nodes);
    push<<<2, 96>>>(g.offsets, g.targets, from, to, kGraph.nodes);
  }
  return near(a.host(), ranks(), 1e-9);
}
}  // namespace rank_pushed

/// Ranks pulled by a warp a node, of an undirected graph.
namespace rank_pulled {
__global__ void pull(const int* offsets, const int* targets, const double* rank, double* next) {
  const int v = blockIdx.x;
  double sum = 0;
  for (int e = offsets[v] + threadIdx.x; e < offsets[v + 1]; e += 32) {
    const int t = targets[e];
    sum += rank[t] / (offsets[t + 1] - offsets[t]);
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) next[v] = 0.15 + 0.85 * sum;
}
PROGRAM(rank_pulled) {
  OnCard g;
  Array<double> a(std::vector<double>(kGraph.nodes, 1.0)), b(kGraph.nodes);
  for (int round = 0; round < 5; ++round) {
    pull<<<kGraph.nodes, 32>>>(g.offsets, g.targets, a, b);
    pull<<<kGraph.nodes, 32>>>(g.offsets, g.targets, b, a);
  }
  return near(a.host(), ranks(), 1e-9);
}
}  // namespace rank_pulled

/// Triangles by merging the lists of two neighbours.
namespace triangles {
__global__ void count(const int* offsets, const int* targets, int* total, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = 0;
  for (int e = v < n ? offsets[v] : 0; v < n && e < offsets[v + 1]; ++e) {
    const int w = targets[e];
    for (int a = offsets[v]; w > v && a < offsets[v + 1]; ++a)
      for (int b = offsets[w]; b < offsets[w + 1]; ++b) mine += targets[a] == targets[b] && targets[a] > w;
  }
  mine = __reduce_add_sync(~0u, mine);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}
PROGRAM(triangles) {
  OnCard g;
  Array<int> total(1);
  count<<<2, 96>>>(g.offsets, g.targets, total.zero(), kGraph.nodes);
  int wanted = 0;
  const auto joined = [](int a, int b) { return std::count(kGraph.out[a].begin(), kGraph.out[a].end(), b) > 0; };
  for (int v = 0; v < kGraph.nodes; ++v)
    for (int w : kGraph.out[v])
      for (int u : kGraph.out[w]) wanted += v < w && w < u && joined(v, u);
  return total.host()[0] == wanted;
}
}  // namespace triangles

/// An independent set by priorities: states of one round are read, those of the next written.
namespace independent_set {
__device__ unsigned priority(int v) { return v * 2654435761u; }
__global__ void round(const int* offsets, const int* targets, const char* state, char* next, int* open, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  char mine = state[v];  // 0: open, 1: in, 2: out
  bool best = true, beside = false;
  for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
    const int w = targets[e];
    best = best && (state[w] == 2 || priority(w) < priority(v));
    beside = beside || state[w] == 1;
  }
  if (mine == 0) mine = beside ? 2 : best ? 1 : 0;
  next[v] = mine;
  if (mine == 0) *open = 1;
}
PROGRAM(independent_set) {
  OnCard g;
  Array<char> a(kGraph.nodes), b(kGraph.nodes);
  Array<int> open(1);
  char *from = a.zero(), *to = b;
  for (int more = 1; more; std::swap(from, to)) {
    round<<<2, 96>>>(g.offsets, g.targets, from, to, open.zero(), kGraph.nodes);
    more = open.host()[0];
  }
  std::vector<char> got(kGraph.nodes);
  CUDA(cudaMemcpy(got.data(), from, got.size(), cudaMemcpyDeviceToHost));
  for (int v = 0; v < kGraph.nodes; ++v) {
    int beside = 0;
    for (int w : kGraph.out[v]) beside += got[w] == 1;
    if (got[v] == 1 ? beside > 0 : beside == 0) return false;
  }
  return true;
}
}  // namespace independent_set

/// Edges of an order of work: who takes a node's last predecessor away may begin it.
namespace topological {
__global__ void release(const int* ready, int many, int* left, int* next, int* count, int* order, int done, int n) {
  const int i = threadIdx.x;
  if (i >= many) return;
  const int v = ready[i];
  order[done + i] = v;
  for (int w = 2 * v + 1; w <= 2 * v + 4 && w < n; ++w)  // edges to 2v+1 .. 2v+4
    if (atomicSub(&left[w], 1) == 1) next[atomicAdd(count, 1)] = w;
}
PROGRAM(topological) {
  constexpr int n = 100;
  std::vector<int> before(n);
  for (int v = 0; v < n; ++v)
    for (int w = 2 * v + 1; w <= 2 * v + 4 && w < n; ++w) ++before[w];
  Array<int> left(before), a(std::vector<int>(n, 0)), b(n), count(1), order(n);
  int *from = a, *to = b, done = 0;
  for (int many = 1; many > 0; std::swap(from, to)) {
    release<<<1, 128>>>(from, many, left, to, count.zero(), order, done, n);
    done += many;
    many = count.host()[0];
  }
  if (done != n) return false;
  std::vector<int> place(n);
  const auto got = order.host();
  for (int i = 0; i < n; ++i) place[got[i]] = i;
  for (int v = 0; v < n; ++v)
    for (int w = 2 * v + 1; w <= 2 * v + 4 && w < n; ++w)
      if (place[v] > place[w]) return false;
  return true;
}
}  // namespace topological

/// Ranks in a linked list by jumping over ever more, from array to array.
namespace list_ranking {
__global__ void jump(const int2* in, int2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int2 mine = in[i];  // the next one, and how far it is
  out[i] = mine.x < 0 ? mine : make_int2(in[mine.x].x, mine.y + in[mine.x].y);
}
PROGRAM(list_ranking) {
  constexpr int n = 101;
  std::vector<int2> list(n);
  std::vector<int> wanted(n);
  for (int i = 0, at = 0; i < n; ++i) {
    const int next = (at + 37) % n;
    list[at] = i + 1 < n ? make_int2(next, 1) : make_int2(-1, 0);
    wanted[at] = n - 1 - i;
    at = next;
  }
  Array<int2> a(list), b(n);
  int2 *from = a, *to = b;
  for (int reach = 1; reach < n; reach *= 2, std::swap(from, to)) jump<<<4, 32>>>(from, to, n);
  CUDA(cudaMemcpy(list.data(), from, n * sizeof(int2), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (list[i].y != wanted[i]) return false;
  return true;
}
}  // namespace list_ranking
