// Histograms, hash tables, sets: many threads that count or insert at places known only when they run.
#include "silent.cuh"

static const std::vector<unsigned char> kBytes = numbers<unsigned char>(3000, 251);
static std::vector<int> counted() {
  std::vector<int> counts(256);
  for (unsigned char b : kBytes) ++counts[b];
  return counts;
}

namespace in_global {
__global__ void histogram(const unsigned char* in, int* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1);
}
PROGRAM(in_global) {
  Array<unsigned char> in(kBytes);
  Array<int> bins(256);
  histogram<<<4, 128>>>(in, bins.zero(), 3000);
  return bins.host() == counted();
}
}  // namespace in_global

namespace in_shared {
__global__ void histogram(const unsigned char* in, int* bins, int n) {
  __shared__ int mine[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
}
PROGRAM(in_shared) {
  Array<unsigned char> in(kBytes);
  Array<int> bins(256);
  histogram<<<3, 96>>>(in, bins.zero(), 3000);
  return bins.host() == counted();
}
}  // namespace in_shared

/// Each warp has bins of its own.
namespace by_warp {
__global__ void histogram(const unsigned char* in, int* bins, int n) {
  __shared__ int mine[4][256];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int b = lane; b < 256; b += 32) mine[warp][b] = 0;
  __syncwarp();
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) atomicAdd(&mine[warp][in[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += 128) {
    const int sum = mine[0][b] + mine[1][b] + mine[2][b] + mine[3][b];
    if (sum != 0) atomicAdd(bins + b, sum);
  }
}
PROGRAM(by_warp) {
  Array<unsigned char> in(kBytes);
  Array<int> bins(256);
  histogram<<<3, 128>>>(in, bins.zero(), 3000);
  return bins.host() == counted();
}
}  // namespace by_warp

/// Each thread counts in bytes of its own, without atomics: neighbours share words, not bytes.
namespace bytes_of_threads {
__global__ void histogram(const unsigned char* in, int* bins, int n) {
  __shared__ unsigned char mine[16][64];
  const int t = threadIdx.x;
  for (int b = 0; b < 16; ++b) mine[b][t] = 0;
  for (int i = t; i < n; i += 64) ++mine[in[i] / 16][t];
  __syncthreads();
  if (t >= 16) return;
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += mine[t][(k + t) % 64];
  bins[t] = sum;
}
PROGRAM(bytes_of_threads) {
  Array<unsigned char> in(kBytes);
  Array<int> bins(16);
  histogram<<<1, 64>>>(in, bins, 3000);
  std::vector<int> wanted(16);
  for (unsigned char b : kBytes) ++wanted[b / 16];
  return bins.host() == wanted;
}
}  // namespace bytes_of_threads

/// Lanes with the same value find each other, and one of them adds for all.
namespace matched {
__global__ void histogram(const unsigned char* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned there = __ballot_sync(~0u, i < n);
  if (i >= n) return;
  const int bin = in[i] % 8;
  const unsigned same = __match_any_sync(there, bin);
  if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&bins[bin], __popc(same));
}
PROGRAM(matched) {
  Array<unsigned char> in(kBytes);
  Array<int> bins(8);
  histogram<<<24, 128>>>(in, bins.zero(), 3000);
  std::vector<int> wanted(8);
  for (unsigned char b : kBytes) ++wanted[b % 8];
  return bins.host() == wanted;
}
}  // namespace matched

/// No atomics at all: a thread a bin looks at everything.
namespace thread_a_bin {
__global__ void histogram(const uchar4* in, int* bins, int quads) {
  int sum = 0;
  for (int q = 0; q < quads; ++q) {
    const uchar4 v = in[q];
    sum += (v.x == threadIdx.x) + (v.y == threadIdx.x) + (v.z == threadIdx.x) + (v.w == threadIdx.x);
  }
  bins[threadIdx.x] = sum;
}
PROGRAM(thread_a_bin) {
  Array<unsigned char> in(kBytes);
  Array<int> bins(256);
  histogram<<<1, 256>>>(reinterpret_cast<uchar4*>(static_cast<unsigned char*>(in)), bins, 750);
  return bins.host() == counted();
}
}  // namespace thread_a_bin

/// Open addressing: a slot is taken by compare-and-swap, its value added to afterwards.
namespace open_table {
constexpr int kSlots = 512, kEmpty = -1;
__device__ int slot_of(int* keys, int key) {
  for (unsigned slot = key * 2654435761u % kSlots;; slot = (slot + 1) % kSlots) {
    const int held = atomicCAS(&keys[slot], kEmpty, key);
    if (held == kEmpty || held == key) return slot;
  }
}
__global__ void count(const int* words, int* keys, int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&values[slot_of(keys, words[i])], 1);
}
PROGRAM(open_table) {
  const auto words = numbers(800, 200);
  Array<int> in(words), values(kSlots), keys(std::vector<int>(kSlots, kEmpty));
  count<<<7, 128>>>(in, keys, values.zero(), 800);
  std::vector<int> got(200), wanted(200);
  const auto k = keys.host(), v = values.host();
  for (int s = 0; s < kSlots; ++s)
    if (k[s] != kEmpty) got[k[s]] += v[s];
  for (int w : words) ++wanted[w];
  return got == wanted;
}
}  // namespace open_table

/// The same in shared memory: how many different numbers are there?
namespace shared_table {
__global__ void distinct(const int* in, int* count, int n) {
  __shared__ int keys[128];
  __shared__ int found;
  const int t = threadIdx.x;
  keys[t] = -1;
  if (t == 0) found = 0;
  __syncthreads();
  for (int i = t; i < n; i += 128) {
    for (int slot = in[i] % 128;; slot = (slot + 1) % 128) {
      const int held = atomicCAS(&keys[slot], -1, in[i]);
      if (held == -1) atomicAdd(&found, 1);
      if (held == -1 || held == in[i]) break;
    }
  }
  __syncthreads();
  if (t == 0) *count = found;
}
PROGRAM(shared_table) {
  auto in = numbers(600, 90);
  Array<int> a(in), count(1);
  distinct<<<1, 128>>>(a, count, 600);
  std::sort(in.begin(), in.end());
  return count.host()[0] == std::unique(in.begin(), in.end()) - in.begin();
}
}  // namespace shared_table

/// Chains: a node is filled before it is hung in, and walked in a later launch.
namespace chained_table {
struct Node {
  int key, next;
};
__global__ void insert(const int* in, Node* nodes, int* heads, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  nodes[i].key = in[i];
  nodes[i].next = atomicExch(&heads[in[i] % 32], i);
}
__global__ void lookup(const int* asked, const Node* nodes, const int* heads, int* times) {
  int count = 0;
  for (int at = heads[asked[threadIdx.x] % 32]; at >= 0; at = nodes[at].next) count += nodes[at].key == asked[threadIdx.x];
  times[threadIdx.x] = count;
}
PROGRAM(chained_table) {
  const auto in = numbers(500, 100), asked = numbers(64, 120, 9);
  Array<int> a(in), b(asked), heads(std::vector<int>(32, -1)), times(64);
  Array<Node> nodes(500);
  insert<<<4, 128>>>(a, nodes, heads, 500);
  lookup<<<1, 64>>>(b, nodes, heads, times);
  std::vector<int> wanted;
  for (int key : asked) wanted.push_back(std::count(in.begin(), in.end(), key));
  return times.host() == wanted;
}
}  // namespace chained_table

/// Key and value in one word of 64 bits, so that nobody sees a key without its value.
namespace key_and_value {
constexpr unsigned long long kFree = ~0ull;
__global__ void insert(unsigned long long* slots, int n) {
  const unsigned key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= n) return;
  const unsigned long long entry = static_cast<unsigned long long>(key) << 32 | key * key;
  for (unsigned s = key * 40503u % 256; atomicCAS(&slots[s], kFree, entry) != kFree; s = (s + 1) % 256) {
  }
}
__global__ void find(const unsigned long long* slots, unsigned* out, int n) {
  const unsigned key = threadIdx.x;
  out[key] = 1;
  if (key >= n) return;
  unsigned s = key * 40503u % 256;
  while (slots[s] >> 32 != key) s = (s + 1) % 256;
  out[key] = static_cast<unsigned>(slots[s]);
}
PROGRAM(key_and_value) {
  Array<unsigned long long> slots(std::vector<unsigned long long>(256, kFree));
  Array<unsigned> out(256);
  insert<<<2, 128>>>(slots, 200);
  find<<<1, 256>>>(slots, out, 200);
  const auto got = out.host();
  for (unsigned key = 0; key < 256; ++key)
    if (got[key] != (key < 200 ? key * key : 1)) return false;
  return true;
}
}  // namespace key_and_value

/// Bits of a set: atomicOr, and plain reads in the next launch.
namespace bloom_filter {
__device__ unsigned hash(unsigned key, unsigned seed) { return (key ^ seed) * 2654435761u >> 20; }
__global__ void add(const unsigned* keys, unsigned* bits) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const unsigned h = hash(keys[threadIdx.x], seed * 0x9e3779b9u);
    atomicOr(&bits[h / 32], 1u << h % 32);
  }
}
__global__ void test(const unsigned* keys, const unsigned* bits, int* hits) {
  bool in = true;
  for (unsigned seed = 0; seed < 3; ++seed) {
    const unsigned h = hash(keys[threadIdx.x], seed * 0x9e3779b9u);
    in = in && (bits[h / 32] >> h % 32 & 1);
  }
  if (in) atomicAdd(hits, 1);
}
PROGRAM(bloom_filter) {
  Array<unsigned> in(numbers<unsigned>(128, 1 << 20)), other(numbers<unsigned>(128, 1 << 20, 77)), bits(128);
  Array<int> hits(2);
  bits.zero(), hits.zero();
  add<<<1, 128>>>(in, bits);
  test<<<1, 128>>>(in, bits, hits);
  test<<<1, 128>>>(other, bits, hits + 1);
  const auto got = hits.host();
  return got[0] == 128 && got[1] < 32;
}
}  // namespace bloom_filter

/// A sieve: many write the same zero to one byte.
namespace sieve {
__global__ void strike(char* prime, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  for (int multiple = i * i; i * i < n && multiple < n; multiple += i) prime[multiple] = 0;
}
PROGRAM(sieve) {
  Array<char> prime(std::vector<char>(1000, 1));
  strike<<<1, 32>>>(prime, 1000);
  const auto got = prime.host();
  return std::count(got.begin() + 2, got.end(), 1) == 168;
}
}  // namespace sieve

/// Counting sort: counts, offsets, and a place for each by an atomic on its offset.
namespace counting_sort {
__global__ void count(const int* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1);
}
__global__ void offsets(int* bins) {
  int sum = 0;
  for (int b = 0; b < 16; ++b) {
    const int here = bins[b];
    bins[b] = sum;
    sum += here;
  }
}
__global__ void place(const int* in, int* bins, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[atomicAdd(&bins[in[i]], 1)] = in[i];
}
PROGRAM(counting_sort) {
  auto in = numbers(600, 16);
  Array<int> a(in), bins(16), out(600);
  count<<<5, 128>>>(a, bins.zero(), 600);
  offsets<<<1, 1>>>(bins);
  place<<<5, 128>>>(a, bins, out, 600);
  std::sort(in.begin(), in.end());
  return out.host() == in;
}
}  // namespace counting_sort

/// Two dimensions, saturated: a counter stops at 15 by compare-and-swap.
namespace saturating {
__global__ void add(const int2* points, unsigned* cells, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* cell = &cells[points[i].y * 8 + points[i].x];
  unsigned seen = *cell;  // plain: the swap says whether it was right
  while (seen < 15) {
    const unsigned held = atomicCAS(cell, seen, seen + 1);
    if (held == seen) break;
    seen = held;
  }
}
PROGRAM(saturating) {
  const auto x = numbers(1200, 8), y = numbers(1200, 8, 3);
  std::vector<int2> points(1200);
  std::vector<unsigned> wanted(64);
  for (int i = 0; i < 1200; ++i) {
    points[i] = make_int2(x[i], y[i] * y[i] / 8);
    unsigned& cell = wanted[points[i].y * 8 + points[i].x];
    cell = std::min(cell + 1, 15u);
  }
  Array<int2> in(points);
  Array<unsigned> cells(64);
  add<<<10, 128>>>(in, cells.zero(), 1200);
  return cells.host() == wanted;
}
}  // namespace saturating

/// atomicInc wraps around: who gets 0 opens a new round.
namespace round_robin {
__global__ void deal(unsigned* turn, int* hands) { atomicAdd(&hands[atomicInc(turn, 4)], 1); }
PROGRAM(round_robin) {
  Array<unsigned> turn(1);
  Array<int> hands(5);
  turn.zero(), hands.zero();
  deal<<<5, 32>>>(turn, hands);
  return hands.host() == std::vector<int>(5, 32);
}
}  // namespace round_robin

/// The k largest: those above a threshold that atomics have moved up, in three launches.
namespace top_few {
__global__ void bits(const unsigned* in, int* above, unsigned threshold, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int many = __syncthreads_count(i < n && in[i] >= threshold);
  if (threadIdx.x == 0) atomicAdd(above, many);
}
__global__ void take(const unsigned* in, unsigned* out, int* count, unsigned threshold, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] >= threshold) out[atomicAdd(count, 1)] = in[i];
}
PROGRAM(top_few) {
  auto values = numbers<unsigned>(500, 1 << 20);
  Array<unsigned> in(values), out(500);
  Array<int> above(1);
  unsigned threshold = 0;
  for (int bit = 19; bit >= 0; --bit) {
    bits<<<4, 128>>>(in, above.zero(), threshold | 1u << bit, 500);
    if (above.host()[0] >= 10) threshold |= 1u << bit;
  }
  take<<<4, 128>>>(in, out, above.zero(), threshold, 500);
  auto got = out.host(above.host()[0]);
  std::sort(got.rbegin(), got.rend());
  std::sort(values.rbegin(), values.rend());
  values.resize(got.size());
  return got.size() >= 10 && got == values;
}
}  // namespace top_few
