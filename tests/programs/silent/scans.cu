// Prefix sums, and what is made of them: compaction, partitions, runs.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "silent.cuh"

namespace cg = cooperative_groups;

static std::vector<int> inclusive(const std::vector<int>& in) {
  std::vector<int> out(in);
  for (std::size_t i = 1; i < out.size(); ++i) out[i] += out[i - 1];
  return out;
}
static std::vector<int> exclusive(const std::vector<int>& in) {
  std::vector<int> out(in.size());
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = out[i - 1] + in[i - 1];
  return out;
}

/// Two buffers by turns: one barrier a step.
namespace two_buffers {
__global__ void scan(const int* in, int* out) {
  __shared__ int s[2][256];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2, from ^= 1) {
    s[from ^ 1][t] = s[from][t] + (t >= step ? s[from][t - step] : 0);
    __syncthreads();
  }
  out[t] = s[from][t];
}
PROGRAM(two_buffers) {
  const auto in = numbers(256, 10);
  Array<int> a(in), out(256);
  scan<<<1, 256>>>(a, out);
  return out.host() == inclusive(in);
}
}  // namespace two_buffers

/// In place: read, meet, write, meet.
namespace in_place {
__global__ void scan(int* x, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  if (t < n) s[t] = x[t];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    int more = 0;
    if (t >= step && t < n) more = s[t - step];
    __syncthreads();
    if (t < n) s[t] += more;
    __syncthreads();
  }
  if (t < n) x[t] = s[t];
}
PROGRAM(in_place) {
  const auto in = numbers(200, 10);
  Array<int> x(in);
  scan<<<1, 256, 200 * sizeof(int)>>>(x, 200);
  return x.host() == inclusive(in);
}
}  // namespace in_place

/// Up and down a tree, with the padding that spreads its steps over the banks; the pads stay unwritten.
namespace up_and_down {
__device__ int padded(int i) { return i + i / 32; }
__global__ void scan(const int* in, int* out) {
  constexpr int n = 512;
  __shared__ int s[n + n / 32];
  const int t = threadIdx.x;
  s[padded(2 * t)] = in[2 * t];
  s[padded(2 * t + 1)] = in[2 * t + 1];
  int step = 1;
  for (int pairs = n / 2; pairs > 0; pairs /= 2, step *= 2) {
    __syncthreads();
    if (t < pairs) s[padded(step * (2 * t + 2) - 1)] += s[padded(step * (2 * t + 1) - 1)];
  }
  if (t == 0) s[padded(n - 1)] = 0;
  for (int pairs = 1; pairs < n; pairs *= 2) {
    step /= 2;
    __syncthreads();
    if (t < pairs) {
      const int left = padded(step * (2 * t + 1) - 1), right = padded(step * (2 * t + 2) - 1);
      const int held = s[left];
      s[left] = s[right];
      s[right] += held;
    }
  }
  __syncthreads();
  out[2 * t] = s[padded(2 * t)];
  out[2 * t + 1] = s[padded(2 * t + 1)];
}
PROGRAM(up_and_down) {
  const auto in = numbers(512, 10);
  Array<int> a(in), out(512);
  scan<<<1, 256>>>(a, out);
  return out.host() == exclusive(in);
}
}  // namespace up_and_down

/// Within warps by shuffles, their sums by the first warp, added by all.
namespace warps_then_block {
__device__ int warp_scan(int v) {
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(~0u, v, step);
    if (threadIdx.x % 32 >= step) v += before;
  }
  return v;
}
__global__ void scan(const int* in, int* out, int* sums, int n) {
  __shared__ int warps[8];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int v = warp_scan(i < n ? in[i] : 0);
  if (t % 32 == 31) warps[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    const int w = warp_scan(t < 8 ? warps[t] : 0);
    if (t < 8) warps[t] = w;
  }
  __syncthreads();
  if (t >= 32) v += warps[t / 32 - 1];
  if (i < n) out[i] = v;
  if (t == 255 && sums != nullptr) sums[blockIdx.x] = v;
}
__global__ void add(int* out, const int* sums, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}
PROGRAM(warps_then_block) {
  const auto in = numbers(2000, 10);
  Array<int> a(in), out(2000), sums(8), scanned(8);
  scan<<<8, 256>>>(a, out, sums, 2000);
  scan<<<1, 256>>>(sums, scanned, nullptr, 8);
  add<<<8, 256>>>(out, scanned, 2000);
  return out.host() == inclusive(in);
}
}  // namespace warps_then_block

/// Each block takes a number and waits for the sum of the one before it.
namespace chained {
__device__ int next = 0;
__global__ void scan(const int* in, int* out, int* sums, volatile int* ready, int n) {
  __shared__ int number, before, s[64];
  const int t = threadIdx.x;
  if (t == 0) number = atomicAdd(&next, 1);
  __syncthreads();
  const int i = number * 64 + t;
  s[t] = i < n ? in[i] : 0;
  for (int step = 1; step < 64; step *= 2) {
    __syncthreads();
    const int more = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += more;
  }
  __syncthreads();
  if (t == 0) {
    before = 0;
    if (number > 0) {
      while (ready[number - 1] == 0) {
      }
      __threadfence();
      before = sums[number - 1];
    }
    sums[number] = before + s[63];
    __threadfence();
    ready[number] = 1;
  }
  __syncthreads();
  if (i < n) out[i] = before + s[t];
}
PROGRAM(chained) {
  const auto in = numbers(700, 10);
  Array<int> a(in), out(700), sums(11), ready(11);
  scan<<<11, 64>>>(a, out, sums, ready.zero(), 700);
  return out.host() == inclusive(in);
}
}  // namespace chained

/// Decoupled look-back: state and sum are one word, which says by itself what it is.
namespace looked_back {
constexpr unsigned long long kPart = 1ull << 32, kWhole = 2ull << 32;
__device__ unsigned next = 0;
__global__ void scan(const int* in, int* out, volatile unsigned long long* state, int n) {
  __shared__ unsigned number;
  __shared__ int before;
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 0) number = atomicAdd(&next, 1u);
  __syncthreads();
  const int i = number * 32 + t;
  int v = i < n ? in[i] : 0;
  for (int step = 1; step < 32; step *= 2) {
    const int more = __shfl_up_sync(~0u, v, step);
    if (t >= step) v += more;
  }
  if (t == 31) total = v;
  __syncwarp();
  if (t == 0) {
    int sum = 0;
    state[number] = (number == 0 ? kWhole : kPart) | static_cast<unsigned>(total);
    for (int look = static_cast<int>(number) - 1; look >= 0;) {
      const unsigned long long seen = state[look];
      if (seen == 0) continue;
      sum += static_cast<int>(seen);
      if (seen & kWhole) break;
      --look;
    }
    if (number > 0) state[number] = kWhole | static_cast<unsigned>(sum + total);
    before = sum;
  }
  __syncwarp();
  if (i < n) out[i] = before + v;
}
PROGRAM(looked_back) {
  const auto in = numbers(500, 10);
  Array<int> a(in), out(500);
  Array<unsigned long long> state(16);
  scan<<<16, 32>>>(a, out, state.zero(), 500);
  return out.host() == inclusive(in);
}
}  // namespace looked_back

namespace of_a_group {
__global__ void scan(const int* in, int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = cg::this_grid().thread_rank();
  out[i] = cg::exclusive_scan(tile, in[i]);
}
PROGRAM(of_a_group) {
  const auto in = numbers(96, 10);
  std::vector<int> wanted(96);
  for (int i = 0; i < 96; ++i) wanted[i] = i % 32 == 0 ? 0 : wanted[i - 1] + in[i - 1];
  Array<int> a(in), out(96);
  scan<<<1, 96>>>(a, out);
  return out.host() == wanted;
}
}  // namespace of_a_group

/// Sums that begin anew at flags: pairs are joined.
namespace segmented {
__global__ void scan(const int* in, const int* heads, int* out) {
  __shared__ int sums[128], flags[128];
  const int t = threadIdx.x;
  int sum = in[t], flag = heads[t];
  for (int step = 1; step < 128; step *= 2) {
    sums[t] = sum;
    flags[t] = flag;
    __syncthreads();
    if (t >= step) {
      if (!flag) sum += sums[t - step];
      flag |= flags[t - step];
    }
    __syncthreads();
  }
  out[t] = sum;
}
PROGRAM(segmented) {
  const auto in = numbers(128, 10), heads = numbers(128, 2, 5);
  std::vector<int> wanted(in);
  for (int i = 1; i < 128; ++i)
    if (!heads[i]) wanted[i] += wanted[i - 1];
  Array<int> a(in), b(heads), out(128);
  scan<<<1, 128>>>(a, b, out);
  return out.host() == wanted;
}
}  // namespace segmented

/// What passes a test, in order: a block's places by a scan, its own by one atomic. The rest of the
/// output is never written, and not read.
namespace compacted {
__global__ void keep_odd(const int* in, int* out, int* kept, int n) {
  __shared__ int s[128];
  __shared__ int base;
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const int odd = i < n && in[i] % 2;
  s[t] = odd;
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int more = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += more;
  }
  if (t == 127) base = atomicAdd(kept, s[t]);
  __syncthreads();
  if (odd) out[base + s[t] - 1] = in[i];
}
PROGRAM(compacted) {
  const auto in = numbers(900, 1000);
  Array<int> a(in), out(900), kept(1);
  keep_odd<<<8, 128>>>(a, out, kept.zero(), 900);
  auto got = out.host(kept.host()[0]);
  std::vector<int> wanted;
  for (int v : in)
    if (v % 2) wanted.push_back(v);
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  return got == wanted;
}
}  // namespace compacted

/// One atomic a warp, by those lanes that have something.
namespace aggregated {
__global__ void keep_small(const int* in, int* out, int* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool small = i < n && in[i] < 300;
  const unsigned which = __ballot_sync(~0u, small);
  if (!small) return;
  const int leader = __ffs(which) - 1;
  int base;
  if (lane == leader) base = atomicAdd(kept, __popc(which));
  base = __shfl_sync(which, base, leader);
  out[base + __popc(which & ((1u << lane) - 1))] = in[i];
}
PROGRAM(aggregated) {
  const auto in = numbers(900, 1000);
  Array<int> a(in), out(900), kept(1);
  keep_small<<<8, 128>>>(a, out, kept.zero(), 900);
  auto got = out.host(kept.host()[0]);
  std::vector<int> wanted;
  for (int v : in)
    if (v < 300) wanted.push_back(v);
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  return got == wanted;
}
}  // namespace aggregated

/// Zeros to the front and ones behind them, both in order: the step of a radix sort.
namespace split {
__global__ void by_bit(const int* in, int* out, int bit) {
  __shared__ int zeros[128];
  const int t = threadIdx.x, v = in[t], zero = (v >> bit & 1) == 0;
  zeros[t] = zero;
  __syncthreads();
  int before = 0, all = 0;
  for (int i = 0; i < 128; ++i) {  // the plainest scan
    before += i < t ? zeros[i] : 0;
    all += zeros[i];
  }
  out[zero ? before : all + t - before] = v;
}
PROGRAM(split) {
  const auto in = numbers(128, 1000);
  std::vector<int> wanted(in);
  std::stable_partition(wanted.begin(), wanted.end(), [](int v) { return (v >> 3 & 1) == 0; });
  Array<int> a(in), out(128);
  by_bit<<<1, 128>>>(a, out, 3);
  return out.host() == wanted;
}
}  // namespace split

/// Runs of equal values: where one begins, its number and place are written; how long it is says the next.
namespace runs {
__global__ void encode(const int* in, int* values, int* begins, int* count, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  const bool head = t < n && (t == 0 || in[t] != in[t - 1]);
  s[t] = head;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    const int more = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += more;
  }
  if (head) {
    values[s[t] - 1] = in[t];
    begins[s[t] - 1] = t;
  }
  if (t == n - 1) {
    *count = s[t];
    begins[s[t]] = n;
  }
}
__global__ void lengths(const int* begins, int* out, const int* count) {
  if (threadIdx.x < *count) out[threadIdx.x] = begins[threadIdx.x + 1] - begins[threadIdx.x];
}
PROGRAM(runs) {
  const auto in = numbers(250, 2);
  Array<int> a(in), values(250), begins(251), count(1), out(250);
  encode<<<1, 256>>>(a, values, begins, count, 250);
  lengths<<<1, 256>>>(begins, out, count);
  const int n = count.host()[0];
  const auto v = values.host(n), l = out.host(n);
  std::vector<int> decoded;
  for (int i = 0; i < n; ++i) decoded.insert(decoded.end(), l[i], v[i]);
  return decoded == in;
}
}  // namespace runs

/// Along rows, then along columns of the result, in place.
namespace integral_image {
constexpr int kSide = 40;
__global__ void rows(int* image) {
  const int y = threadIdx.x;
  for (int x = 1; x < kSide; ++x) image[y * kSide + x] += image[y * kSide + x - 1];
}
__global__ void columns(int* image) {
  const int x = threadIdx.x;
  for (int y = 1; y < kSide; ++y) image[y * kSide + x] += image[(y - 1) * kSide + x];
}
PROGRAM(integral_image) {
  const auto in = numbers(kSide * kSide, 10);
  std::vector<int> wanted(in);
  for (int y = 0; y < kSide; ++y)
    for (int x = 1; x < kSide; ++x) wanted[y * kSide + x] += wanted[y * kSide + x - 1];
  for (int y = 1; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) wanted[y * kSide + x] += wanted[(y - 1) * kSide + x];
  Array<int> image(in);
  rows<<<1, kSide>>>(image);
  columns<<<1, kSide>>>(image);
  return image.host() == wanted;
}
}  // namespace integral_image

/// The largest so far, several elements a thread in registers.
namespace largest_so_far {
__global__ void scan(const int* in, int* out, int n) {
  __shared__ int most[64];
  const int t = threadIdx.x;
  int mine[4], before = -1;
  for (int k = 0; k < 4; ++k) {
    const int i = t * 4 + k;
    mine[k] = max(i < n ? in[i] : -1, k > 0 ? mine[k - 1] : -1);
  }
  most[t] = mine[3];
  __syncthreads();
  for (int other = 0; other < t; ++other) before = max(before, most[other]);
  for (int k = 0; k < 4; ++k)
    if (t * 4 + k < n) out[t * 4 + k] = max(mine[k], before);
}
PROGRAM(largest_so_far) {
  const auto in = numbers(250, 100000);
  std::vector<int> wanted(in);
  for (int i = 1; i < 250; ++i) wanted[i] = std::max(wanted[i], wanted[i - 1]);
  Array<int> a(in), out(250);
  scan<<<1, 64>>>(a, out, 250);
  return out.host() == wanted;
}
}  // namespace largest_so_far

/// Depths of brackets, and where one closes too much.
namespace brackets {
__global__ void depths(const char* text, int* depth, int* bad, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = t >= n ? 0 : text[t] == '(' ? 1 : -1;
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    const int more = t >= step ? s[t - step] : 0;
    __syncthreads();
    s[t] += more;
  }
  if (t >= n) return;
  depth[t] = s[t];
  if (s[t] < 0 || (t == n - 1 && s[t] != 0)) *bad = 1;  // whoever sees it writes the same
}
PROGRAM(brackets) {
  const char *good = "(()(()))()", *wrong = "())(()(()(";
  Array<char> a(std::vector<char>(good, good + 10)), b(std::vector<char>(wrong, wrong + 10));
  Array<int> depth(10), bad(2);
  depths<<<1, 128>>>(a, depth, bad.zero(), 10);
  const bool right = depth.host() == std::vector<int>{1, 2, 1, 2, 3, 2, 1, 0, 1, 0};
  depths<<<1, 128>>>(b, depth, bad + 1, 10);
  return right && bad.host() == std::vector<int>{0, 1};
}
}  // namespace brackets
