// cuda::atomic and atomic_ref of every size, order and scope, on the device and on the host; barriers of the device and with
// a function at their end, latches, semaphores; cuda::std in kernels.
#include <cuComplex.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <algorithm>
#include <cstring>

#include "check.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

enum class Colour : int { Red, Green, Blue };
struct Pair {
  float a, b;
};

/// All operations that both sides have, on one variable each. `all` threads take part.
template <class T, cuda::thread_scope kScope>
__host__ __device__ void change(cuda::atomic<T, kScope>* cells, T i) {
  cells[0].fetch_add(i, cuda::memory_order_relaxed);
  cells[1].fetch_sub(i, cuda::memory_order_acq_rel);
  cells[2].fetch_min(i, cuda::memory_order_acquire);
  cells[3].fetch_max(i, cuda::memory_order_release);
  cells[4].fetch_and(static_cast<T>(~(T(1) << (i % 7))));
  cells[5].fetch_or(static_cast<T>(T(1) << (i % 7)));
  cells[6].fetch_xor(static_cast<T>(i * 77));
  ++cells[7];
  cells[7]--;
  cells[7] += i;
  T seen = cells[8].load(cuda::memory_order_relaxed);
  while (!cells[8].compare_exchange_weak(seen, static_cast<T>(seen * 3 + 1), cuda::memory_order_acq_rel, cuda::memory_order_relaxed)) {
  }
}
template <class T, cuda::thread_scope kScope>
__global__ void changes(cuda::atomic<T, kScope>* cells) {
  change(cells, static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x));
}
template <class T, cuda::thread_scope kScope>
static void check_changes(const char* name) {
  using Cell = cuda::atomic<T, kScope>;
  struct alignas(sizeof(Cell)) Slot {
    T value;
  };
  static_assert(sizeof(Cell) == (sizeof(T) < 4 ? 4 : sizeof(T)) && sizeof(Slot) == sizeof(Cell));
  const int blocks = kScope == cuda::thread_scope_block ? 1 : 3;
  // Maxima of a narrow type are those of its whole word: what lies behind the value must be zero.
  std::vector<Slot> start(9);
  std::memset(static_cast<void*>(start.data()), 0, start.size() * sizeof(Slot));
  const T first[9] = {1, 2, 60, 3, static_cast<T>(~T(0)), 0, 5, 6, 1};
  for (int k = 0; k < 9; ++k) start[k].value = first[k];
  Buffer<Slot> cells(start);
  changes<T, kScope><<<blocks, 40>>>(reinterpret_cast<Cell*>(cells.data));
  CUDA(cudaGetLastError());
  const auto got = cells.host();
  auto of_host = start;
  for (int i = 0; i < blocks * 40; ++i) change(reinterpret_cast<Cell*>(of_host.data()), static_cast<T>(i));
  T want[9];
  for (int k = 0; k < 9; ++k) want[k] = start[k].value;
  for (int k = 0; k < blocks * 40; ++k) {
    const T i = static_cast<T>(k);
    want[0] += i, want[1] -= i, want[2] = i < want[2] ? i : want[2], want[3] = i > want[3] ? i : want[3];
    want[4] &= static_cast<T>(~(T(1) << (i % 7))), want[5] |= static_cast<T>(T(1) << (i % 7)), want[6] ^= static_cast<T>(i * 77), want[7] += i;
    want[8] = static_cast<T>(want[8] * 3 + 1);
  }
  for (int k = 0; k < 9; ++k) {
    compare(name, got[k].value, want[k], 0, shown(k).c_str());
    compare(name, of_host[k].value, want[k], 0, ("on the host, " + shown(k)).c_str());
  }
}

struct Others {
  cuda::std::atomic<float> sum;
  cuda::atomic<double, cuda::thread_scope_device> precise;
  cuda::atomic<Colour> colour;
  cuda::atomic<Pair, cuda::thread_scope_device> pair;
  cuda::atomic<int*> pointer;
  cuda::std::atomic<bool> flag;
  cuda::std::atomic_flag taken;
};
__global__ void others(Others* o, int* winners, float* refs, int* array) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  o->sum.fetch_add(0.5f);
  o->precise += i * 0.25;
  if (i == 17) o->colour.store(Colour::Blue, cuda::std::memory_order_release);
  Pair seen = o->pair.load();
  while (!o->pair.compare_exchange_strong(seen, Pair{seen.a + 1, seen.b + 2})) {
  }
  int* const mine = o->pointer.fetch_add(2);
  *mine = i;
  if (!o->taken.test_and_set()) winners[0] += 1;
  if (!o->flag.exchange(true)) winners[1] += 1;
  cuda::atomic_ref<float, cuda::thread_scope_device> least(refs[0]), most(refs[1]);
  least.fetch_min(static_cast<float>(i * 37 % 101 - 50));
  most.fetch_max(static_cast<float>(i * 37 % 101 - 50));
  cuda::std::atomic_ref<int>(array[i % 4])++;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

/// A message: what was written before the flag is seen behind it.
__global__ void message(cuda::atomic<int, cuda::thread_scope_device>* flag, int* data, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = static_cast<int>(threadIdx.x) * 5 + 1;
    __syncthreads();
    if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release), flag->notify_all();
  } else {
    if (threadIdx.x == 0) flag->wait(0, cuda::memory_order_acquire);
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
  }
}

/// Barriers that no card has: between blocks, and with a function when all have arrived.
struct Count {
  int* phases;
  __host__ __device__ void operator()() { ++*phases; }
};
using Counting = cuda::barrier<cuda::thread_scope_block, Count>;
__global__ void meet(cuda::barrier<cuda::thread_scope_device>* all, int* values, int* out, int* phases) {
  __shared__ Counting counting;
  if (threadIdx.x == 0) new (&counting) Counting(blockDim.x, Count{phases + blockIdx.x});
  __syncthreads();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), n = static_cast<int>(gridDim.x * blockDim.x);
  int value = i;
  for (int k = 0; k < 3; ++k) {
    values[i] = value;
    auto token = all->arrive();
    all->wait(std::move(token));
    value = values[(i + 1) % n] + 1;
    all->arrive_and_wait();
    counting.arrive_and_wait();
  }
  out[i] = value;
}
__global__ void start(cuda::barrier<cuda::thread_scope_device>* all, int expected) { init(all, expected); }

__global__ void turns(int* out) {
  __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 4> permits;
  __shared__ cuda::latch<cuda::thread_scope_block>* done;
  __shared__ __align__(16) char room[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ int inside, most;
  if (threadIdx.x == 0) {
    new (&permits) cuda::counting_semaphore<cuda::thread_scope_block, 4>(2);
    done = new (room) cuda::latch<cuda::thread_scope_block>(blockDim.x);
    inside = most = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    permits.acquire();
    atomicMax(&most, atomicAdd(&inside, 1) + 1);
    atomicSub(&inside, 1);
    permits.release();
  }
  done->arrive_and_wait();
  if (threadIdx.x == 0) out[0] = most >= 1 && most <= 2, out[1] = inside;
}

/// The library's small types, computed with at run time.
template <class T>
__device__ cuda::std::tuple<T, T> both(cuda::std::span<const T> values) {
  T low = cuda::std::numeric_limits<T>::max(), high = cuda::std::numeric_limits<T>::lowest();
  for (const T v : values) low = v < low ? v : low, high = v > high ? v : high;
  return cuda::std::make_tuple(low, high);
}
__global__ void library(const int* in, int n, int* out) {
  const int t = static_cast<int>(threadIdx.x);
  cuda::std::array<int, 4> a{};
  for (cuda::std::size_t k = 0; k < a.size(); ++k) a[k] = in[(t + static_cast<int>(k)) % n];
  const auto [low, high] = both(cuda::std::span<const int>(in, static_cast<size_t>(n)));
  cuda::std::optional<int> found;
  for (const int v : a) {
    if (v % 3 == 0 && !found) found = v;
  }
  auto p = cuda::std::make_pair(low, high);
  cuda::std::swap(p.first, p.second);
  static_assert(cuda::std::is_same_v<decltype(p), cuda::std::pair<int, int>>);
  const cuda::std::uint64_t wide = static_cast<cuda::std::uint64_t>(p.first) << 32;
  out[t] = found.value_or(-1) * 1000 + (p.first - p.second) + static_cast<int>(wide >> 33);
}
__global__ void complex_numbers(cuFloatComplex a, cuFloatComplex b, cuFloatComplex* out) {
  out[0] = cuCaddf(a, b), out[1] = cuCsubf(a, b), out[2] = cuCmulf(a, b), out[3] = cuCdivf(a, b), out[4] = cuConjf(a);
  out[5] = make_cuFloatComplex(cuCabsf(a), cuCrealf(b) + cuCimagf(b));
}

int main() {
  check_changes<int, cuda::thread_scope_system>("int, system"); check_changes<unsigned, cuda::thread_scope_device>("unsigned, device");
  check_changes<long long, cuda::thread_scope_device>("long long, device"); check_changes<unsigned long, cuda::thread_scope_system>("unsigned long, system");
  check_changes<int, cuda::thread_scope_block>("int, block"); check_changes<short, cuda::thread_scope_device>("short, device");
  check_changes<unsigned char, cuda::thread_scope_device>("unsigned char, device"); check_changes<signed char, cuda::thread_scope_system>("signed char, system");
  {
    std::vector<int> room(300), none(4);
    Buffer<int> places(room), winners(none), array(none);
    Buffer<float> refs(std::vector<float>{0, 0});
    std::vector<char> bytes(sizeof(Others));
    auto* const o = new (bytes.data()) Others{0.0f, 0.0, Colour::Red, Pair{0, 0}, places.data, false, {}};
    (void)o;
    Buffer<char> on_device(bytes);
    others<<<3, 40>>>(reinterpret_cast<Others*>(on_device.data), winners, refs, array);
    CUDA(cudaDeviceSynchronize());
    bytes = on_device.host();
    auto* const after = reinterpret_cast<Others*>(bytes.data());
    EXPECT(after->sum.load() == 60 && after->precise == 0.25 * 120 * 119 / 2 && after->colour.load() == Colour::Blue);
    EXPECT(after->pair.load().a == 120 && after->pair.load().b == 240 && after->pointer.load() == places.data + 240 && after->flag);
    auto where = places.host();
    std::vector<int> seen;
    for (int i = 0; i < 240; i += 2) seen.push_back(where[i]);
    std::sort(seen.begin(), seen.end());
    for (int i = 0; i < 120; ++i) EXPECT(seen[i] == i);
    EXPECT(winners.host()[0] == 1 && winners.host()[1] == 1);
    float least = 0, most = 0;
    for (int i = 0; i < 120; ++i) least = std::min(least, i * 37 % 101 - 50.0f), most = std::max(most, i * 37 % 101 - 50.0f);
    EXPECT(refs.host()[0] == least && refs.host()[1] == most);
    EXPECT(array.host() == std::vector<int>(4, 30));
  }
  {
    Buffer<int> flag(std::vector<int>{0}), data(64), out(64);
    message<<<2, 64>>>(reinterpret_cast<cuda::atomic<int, cuda::thread_scope_device>*>(flag.data), data, out);
    const auto got = out.host();
    for (int t = 0; t < 64; ++t) EXPECT(got[t] == t * 5 + 1);
  }
  {
    Buffer<char> room(sizeof(cuda::barrier<cuda::thread_scope_device>));
    auto* const all = reinterpret_cast<cuda::barrier<cuda::thread_scope_device>*>(room.data);
    Buffer<int> values(128), out(128), phases(std::vector<int>(2));
    start<<<1, 1>>>(all, 128);
    meet<<<2, 64>>>(all, values, out, phases);
    const auto got = out.host();
    for (int i = 0; i < 128; ++i) EXPECT(got[i] == (i + 3) % 128 + 3);
    EXPECT(phases.host() == std::vector<int>(2, 3));
  }
  {
    Buffer<int> out(2);
    turns<<<1, 256>>>(out);
    EXPECT(out.host()[0] == 1 && out.host()[1] == 0);
  }
  {
    std::vector<int> in;
    for (int i = 0; i < 50; ++i) in.push_back(i * 7919 % 1000 + 1);
    Buffer<int> from(in), out(32);
    library<<<1, 32>>>(from, 50, out);
    const auto got = out.host();
    const int low = *std::min_element(in.begin(), in.end()), high = *std::max_element(in.begin(), in.end());
    for (int t = 0; t < 32; ++t) {
      int found = -1;
      for (int k = 3; k >= 0; --k) found = in[(t + k) % 50] % 3 == 0 ? in[(t + k) % 50] : found;
      EXPECT(got[t] == found * 1000 + (high - low) + high / 2);
    }
  }
  {
    Buffer<cuFloatComplex> out(6);
    const cuFloatComplex a = make_cuFloatComplex(3, -4), b = make_cuFloatComplex(1, 2);
    complex_numbers<<<1, 1>>>(a, b, out);
    const auto got = out.host();
    const float want[6][2] = {{4, -2}, {2, -6}, {11, 2}, {-1, -2}, {3, 4}, {5, 3}};
    for (int k = 0; k < 6; ++k) EXPECT(std::fabs(got[k].x - want[k][0]) < 1e-6f && std::fabs(got[k].y - want[k][1]) < 1e-6f);
    EXPECT(cuCmulf(a, b).x == 11 && cuCabs(make_cuDoubleComplex(3, -4)) == 5);
  }
  return finish();
}
