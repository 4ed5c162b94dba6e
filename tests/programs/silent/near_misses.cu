// What looks unordered, unwritten or divided, and is not.
#include <cooperative_groups.h>

#include "silent.cuh"

namespace cg = cooperative_groups;

/// The upper half is read while the lower one is written; a compiler may load for all lanes and choose.
namespace other_half {
__global__ void run(const int* modes, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const int v = t < 64 ? s[127 - t] : 0;
  if (t < 64) s[t] = v * 2;
  __syncthreads();
  const int w = modes[t] ? s[t ^ 64] : -1;  // modes: 0 in the upper half
  if (t < 64) s[t + 64] = 5;
  __syncthreads();
  out[t] = v + w + s[t];
}
PROGRAM(other_half) {
  std::vector<int> none(128, 0);
  Array<int> modes(none), out(128);
  run<<<1, 128>>>(modes, out);
  const auto got = out.host();
  for (int t = 0; t < 128; ++t)
    if (got[t] != (t < 64 ? 3 * (127 - t) - 1 : 4)) return false;
  return true;
}
}  // namespace other_half

/// A whole structure is copied, the padding in it with the rest; nobody wrote that.
namespace copied_with_padding {
struct Mixed {
  char letter;
  double number;
};
__global__ void make(Mixed* m) {
  m[threadIdx.x].letter = threadIdx.x;
  m[threadIdx.x].number = threadIdx.x * 0.5;
}
__global__ void reverse(const Mixed* in, Mixed* out, int n) { out[threadIdx.x] = in[n - 1 - threadIdx.x]; }
__global__ void sum(const Mixed* m, double* out) { out[threadIdx.x] = m[threadIdx.x].letter + m[threadIdx.x].number; }
PROGRAM(copied_with_padding) {
  Array<Mixed> a(64), b(64);
  Array<double> out(64);
  make<<<1, 64>>>(a);
  reverse<<<1, 64>>>(a, b, 64);
  sum<<<1, 64>>>(b, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i)
    if (got[i] != (63 - i) * 1.5) return false;
  return true;
}
}  // namespace copied_with_padding

/// The host copies structures whole, of which a kernel has written the members.
namespace members_alone {
struct Record {
  short kind;
  double value;
  char mark;
};
__global__ void make(Record* r) {
  r[threadIdx.x].kind = threadIdx.x;
  r[threadIdx.x].value = threadIdx.x / 2.0;
  r[threadIdx.x].mark = 'm';
}
PROGRAM(members_alone) {
  Array<Record> records(40);
  make<<<1, 40>>>(records);
  const auto got = records.host();
  for (int i = 0; i < 40; ++i)
    if (got[i].kind != i || got[i].value != i / 2.0 || got[i].mark != 'm') return false;
  return true;
}
}  // namespace members_alone

/// Vectors are moved whole through shared memory; their fourth element is nobody's.
namespace moved_whole {
__global__ void make(float4* p) {
  p[threadIdx.x].x = threadIdx.x;
  p[threadIdx.x].y = 1;
  p[threadIdx.x].z = 2;
}
__global__ void rotate(const float4* in, float4* out) {
  __shared__ float4 s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
__global__ void sum(const float4* p, float* out) {
  out[threadIdx.x] = p[threadIdx.x].x + p[threadIdx.x].y * p[threadIdx.x].z;
}
PROGRAM(moved_whole) {
  Array<float4> a(64), b(64);
  Array<float> out(64);
  make<<<1, 64>>>(a);
  rotate<<<1, 64>>>(a, b);
  sum<<<1, 64>>>(b, out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i)
    if (got[i] != (i + 1) % 64 + 2) return false;
  return true;
}
}  // namespace moved_whole

/// A swap of a value that may be unwritten with one that is written: only the latter is used.
namespace tail_of_a_tile {
__global__ void largest(const int* in, int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half && t + half < n) s[t] = max(s[t], s[t + half]);
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
PROGRAM(tail_of_a_tile) {
  const auto in = numbers(41, 1000);
  Array<int> a(in), out(1);
  largest<<<1, 64>>>(a, out, 41);
  return out.host()[0] == *std::max_element(in.begin(), in.end());
}
}  // namespace tail_of_a_tile

/// A pointer that leads to shared memory in some threads and to global memory in others.
namespace either_memory {
__device__ __noinline__ int sum_of(const int* p, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += p[i];
  return sum;
}
__global__ void run(const int* in, int* out) {
  __shared__ int s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 2 * in[threadIdx.x];
  __syncthreads();
  const int own[] = {1, 2, 3, static_cast<int>(threadIdx.x)};
  const int* p = threadIdx.x % 3 == 0 ? s : threadIdx.x % 3 == 1 ? in : own;
  out[threadIdx.x] = sum_of(p, 4);
}
PROGRAM(either_memory) {
  const auto in = numbers(64, 1000);
  Array<int> a(in), out(64);
  run<<<1, 64>>>(a, out);
  const auto got = out.host();
  const int sum = in[0] + in[1] + in[2] + in[3];
  for (int t = 0; t < 64; ++t)
    if (got[t] != (t % 3 == 0 ? 2 * sum : t % 3 == 1 ? sum : 6 + t)) return false;
  return true;
}
}  // namespace either_memory

/// Barriers on both sides of a branch that a block takes as a whole.
namespace whole_blocks_part {
__global__ void run(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
  if (blockIdx.x % 2 == 0) {
    __syncthreads();
    out[i] = s[63 - t];
  } else {
    __syncthreads();
    const int next = s[(t + 1) % 64];
    __syncthreads();
    s[t] = next;
    __syncthreads();
    out[i] = s[(t + 1) % 64];
  }
}
PROGRAM(whole_blocks_part) {
  const auto in = numbers(256, 1000);
  Array<int> a(in), out(256);
  run<<<4, 64>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 256; ++i)
    if (got[i] != in[i / 64 * 64 + (i / 64 % 2 ? (i + 2) % 64 : 63 - i % 64)]) return false;
  return true;
}
}  // namespace whole_blocks_part

/// The number of rounds stands in shared memory, so that all threads have the same.
namespace rounds_by_data {
__global__ void run(const int* counts, int* out) {
  __shared__ int rounds, total;
  if (threadIdx.x == 0) {
    rounds = counts[blockIdx.x];
    total = 0;
  }
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == r % blockDim.x) total += r;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
PROGRAM(rounds_by_data) {
  Array<int> counts(std::vector<int>{0, 1, 5, 80}), out(4);
  run<<<4, 64>>>(counts, out);
  return out.host() == std::vector<int>{0, 0, 10, 79 * 40};
}
}  // namespace rounds_by_data

/// Threads of other warps write other bytes of the words that are read.
namespace bytes_beside {
__global__ void run(unsigned char* out) {
  __shared__ unsigned char s[256];
  const int t = threadIdx.x;
  s[2 * t] = t;
  __syncthreads();
  s[2 * t + 1] = s[2 * ((t + 64) % 128)] + 1;  // even bytes are read, odd ones written
  __syncthreads();
  out[t] = s[2 * t] + s[2 * t + 1];
}
PROGRAM(bytes_beside) {
  Array<unsigned char> out(128);
  run<<<1, 128>>>(out);
  const auto got = out.host();
  for (int t = 0; t < 128; ++t)
    if (got[t] != static_cast<unsigned char>(t + (t + 64) % 128 + 1)) return false;
  return true;
}
}  // namespace bytes_beside

/// All write the same to one place, and read it behind the barrier.
namespace written_by_all {
struct Settings {
  int first, step;
  float factor;
};
__global__ void run(const int* in, float* out) {
  __shared__ Settings settings;
  settings.first = in[0];
  settings.step = in[1];
  settings.factor = 0.5f;
  __syncthreads();
  out[threadIdx.x] = (settings.first + settings.step * static_cast<int>(threadIdx.x)) * settings.factor;
}
PROGRAM(written_by_all) {
  Array<int> in(std::vector<int>{10, 3});
  Array<float> out(96);
  run<<<1, 96>>>(in, out);
  const auto got = out.host();
  for (int t = 0; t < 96; ++t)
    if (got[t] != (10 + 3 * t) * 0.5f) return false;
  return true;
}
}  // namespace written_by_all

/// Several warps as one tile, which meets by itself.
namespace tiles_of_warps {
__global__ void run(const int* in, int* out) {
  __shared__ cg::block_tile_memory<256> room;
  __shared__ int s[256];
  const auto block = cg::this_thread_block(room);
  const auto tile = cg::tiled_partition<64>(block);
  const int t = block.thread_rank(), first = tile.meta_group_rank() * 64;
  for (int k = 0; k < 1 + static_cast<int>(tile.meta_group_rank()); ++k) {
    s[t] = in[t] + k;
    tile.sync();
    const int other = s[first + 63 - tile.thread_rank()];
    tile.sync();
    s[t] = other;
  }
  out[t] = s[t];
}
PROGRAM(tiles_of_warps) {
  const auto in = numbers(256, 1000);
  Array<int> a(in), out(256);
  run<<<1, 256>>>(a, out);
  const auto got = out.host();
  for (int i = 0; i < 256; ++i)
    if (got[i] != in[i / 64 * 64 + 63 - i % 64] + i / 64) return false;
  return true;
}
}  // namespace tiles_of_warps

/// Two kernels on one buffer: each reads what the one before wrote, in place, a thread its own.
namespace own_elements {
__global__ void twice(int* x) { x[threadIdx.x] += x[threadIdx.x]; }
__global__ void chain(int* x) {
  int* mine = x + threadIdx.x * 4;
  for (int k = 1; k < 4; ++k) mine[k] = mine[k - 1] + k;
  for (int k = 2; k >= 0; --k) mine[k] += mine[k + 1];
}
PROGRAM(own_elements) {
  Array<int> x(numbers(128, 100));
  auto wanted = x.host();
  twice<<<1, 128>>>(x);
  chain<<<1, 32>>>(x);
  for (int& v : wanted) v *= 2;
  for (int t = 0; t < 32; ++t) {
    int* mine = &wanted[4 * t];
    for (int k = 1; k < 4; ++k) mine[k] = mine[k - 1] + k;
    for (int k = 2; k >= 0; --k) mine[k] += mine[k + 1];
  }
  return x.host() == wanted;
}
}  // namespace own_elements

/// Atomics in one phase, plain accesses in the next, by turns.
namespace by_turns {
__global__ void run(const int* in, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    if (t < 8) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[(in[t] >> round) % 8], 1);
    __syncthreads();
    for (int b = 0; b < 8; ++b) sum += bins[b] * bins[b];
    __syncthreads();
  }
  out[t] = sum;
}
PROGRAM(by_turns) {
  const auto in = numbers(64, 1000);
  Array<int> a(in), out(64);
  run<<<1, 64>>>(a, out);
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    int bins[8] = {};
    for (int v : in) ++bins[(v >> round) % 8];
    for (int b : bins) sum += b * b;
  }
  return out.host() == std::vector<int>(64, sum);
}
}  // namespace by_turns

/// The last element of each block belongs to the next one as well: both read it, nobody writes it.
namespace overlapping_reads {
__global__ void differences(const int* in, int* out, int n) {
  __shared__ int s[65];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) s[threadIdx.x] = in[i];
  if (threadIdx.x == 63 && i + 1 < n) s[64] = in[i + 1];
  __syncthreads();
  if (i + 1 < n) out[i] = s[threadIdx.x + 1] - s[threadIdx.x];
}
PROGRAM(overlapping_reads) {
  const auto in = numbers(200, 1000);
  Array<int> a(in), out(199);
  differences<<<4, 64>>>(a, out, 200);
  const auto got = out.host();
  for (int i = 0; i < 199; ++i)
    if (got[i] != in[i + 1] - in[i]) return false;
  return true;
}
}  // namespace overlapping_reads

/// Threads that have no element do the rounds with the others, and touch nothing.
namespace idle_to_the_end {
__global__ void run(int* x, int n, int rounds) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  const bool works = t < n;
  if (works) s[t] = x[t];
  for (int k = 0; k < rounds; ++k) {
    __syncthreads();
    const int next = works ? s[(t + 1) % n] : 0;
    __syncthreads();
    if (works) s[t] = next;
  }
  if (works) x[t] = s[t];
}
PROGRAM(idle_to_the_end) {
  const auto in = numbers(70, 1000);
  Array<int> x(in);
  run<<<1, 96, 70 * sizeof(int)>>>(x, 70, 5);
  const auto got = x.host();
  for (int i = 0; i < 70; ++i)
    if (got[i] != in[(i + 5) % 70]) return false;
  return true;
}
}  // namespace idle_to_the_end

/// A table made by the host's compiler, one by the card's threads, and strings in the program's text.
namespace constants_of_text {
__constant__ int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
__global__ void run(int* out) {
  const char* names[] = {"one", "three", "twenty"};
  int length = 0;
  for (const char* c = names[threadIdx.x % 3]; *c; ++c) ++length;
  out[threadIdx.x] = primes[threadIdx.x % 8] * 100 + length;
}
PROGRAM(constants_of_text) {
  Array<int> out(48);
  run<<<1, 48>>>(out);
  const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19}, lengths[] = {3, 5, 6};
  const auto got = out.host();
  for (int t = 0; t < 48; ++t)
    if (got[t] != primes[t % 8] * 100 + lengths[t % 3]) return false;
  return true;
}
}  // namespace constants_of_text
