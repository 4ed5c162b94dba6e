// What threads of different warps and blocks let each other see in one launch: locks, flags, queues, barriers
// of their own.
#include <cuda/atomic>

#include "silent.cuh"

/// One thread of each block takes the lock.
namespace spin_lock {
__device__ int held = 0;
__global__ void count(int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&held, 0, 1) != 0) {
    }
    __threadfence();
    *total += blockIdx.x;
    __threadfence();
    atomicExch(&held, 0);
  }
}
PROGRAM(spin_lock) {
  Array<int> total(1);
  count<<<20, 64>>>(total.zero());
  return total.host()[0] == 190;
}
}  // namespace spin_lock

/// Every lane takes it, in a loop that lets the others go on.
namespace lock_of_lanes {
__global__ void push(int* lock, int* list, int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      list[*count] = blockIdx.x * blockDim.x + threadIdx.x;
      *count = *count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
PROGRAM(lock_of_lanes) {
  Array<int> lock(1), list(96), count(1);
  push<<<2, 48>>>(lock.zero(), list, count.zero());
  auto got = list.host();
  std::sort(got.begin(), got.end());
  for (int i = 0; i < 96; ++i)
    if (got[i] != i) return false;
  return count.host()[0] == 96;
}
}  // namespace lock_of_lanes

/// Locks of many accounts, taken in order of their numbers.
namespace two_locks {
__global__ void transfer(int* locks, int* balance, int n) {
  if (threadIdx.x != 0) return;
  const int from = blockIdx.x * 7 % n, to = (blockIdx.x * 3 + 1) % n;
  if (from == to) return;
  const int first = min(from, to), second = max(from, to);
  while (atomicCAS(&locks[first], 0, 1) != 0) {
  }
  while (atomicCAS(&locks[second], 0, 1) != 0) {
  }
  __threadfence();
  balance[from] -= 1;
  balance[to] += 1;
  __threadfence();
  atomicExch(&locks[second], 0);
  atomicExch(&locks[first], 0);
}
PROGRAM(two_locks) {
  Array<int> locks(5), balance(5);
  transfer<<<30, 32>>>(locks.zero(), balance.zero(), 5);
  std::vector<int> wanted(5);
  for (int b = 0; b < 30; ++b) {
    if (b * 7 % 5 == (b * 3 + 1) % 5) continue;
    --wanted[b * 7 % 5];
    ++wanted[(b * 3 + 1) % 5];
  }
  return balance.host() == wanted;
}
}  // namespace two_locks

namespace ticket_lock {
__global__ void append(int* next, volatile int* serving, int* order, int* count) {
  if (threadIdx.x != 0) return;
  const int mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  order[*count] = mine;
  *count += 1;
  __threadfence();
  *serving = mine + 1;
}
PROGRAM(ticket_lock) {
  Array<int> next(1), serving(1), order(12), count(1);
  append<<<12, 32>>>(next.zero(), serving.zero(), order, count.zero());
  const auto got = order.host();
  for (int i = 0; i < 12; ++i)
    if (got[i] != i) return false;
  return true;
}
}  // namespace ticket_lock

/// Blocks meet at a counter that only grows; as many blocks as fit at once.
namespace own_grid_barrier {
__device__ void meet(unsigned* arrived, unsigned round) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*static_cast<volatile unsigned*>(arrived) < (round + 1) * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void rotate(int* a, int* b, unsigned* arrived, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    b[i] = a[(i + 1) % n] + 1;
    meet(arrived, 2 * round);
    a[i] = b[(i + 1) % n] * 2;
    meet(arrived, 2 * round + 1);
  }
}
PROGRAM(own_grid_barrier) {
  auto wanted = numbers(256, 10);
  Array<int> a(wanted), b(256);
  Array<unsigned> arrived(1);
  rotate<<<4, 64>>>(a, b, arrived.zero(), 256);
  for (int round = 0; round < 3; ++round) {
    const auto old = wanted;
    for (int i = 0; i < 256; ++i) wanted[i] = (old[(i + 2) % 256] + 1) * 2;
  }
  return a.host() == wanted;
}
}  // namespace own_grid_barrier

/// The last to come turns the sense around, the others wait for it.
namespace sense_barrier {
__device__ int arrived = 0;
__device__ volatile int sense = 0;
__global__ void phases(int* data, int* out, int phases) {
  int mine = 0;
  for (int p = 0; p < phases; ++p) {
    if (threadIdx.x == 0) {
      data[blockIdx.x] = p + blockIdx.x;
      mine ^= 1;
      __threadfence();
      if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
        arrived = 0;
        __threadfence();
        sense = mine;
      } else {
        while (sense != mine) {
        }
      }
      __threadfence();
      int sum = 0;
      for (int b = 0; b < gridDim.x; ++b) sum += data[b];
      out[p * gridDim.x + blockIdx.x] = sum;
      __threadfence();
      mine ^= 1;
      if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
        arrived = 0;
        __threadfence();
        sense = mine;
      } else {
        while (sense != mine) {
        }
      }
      __threadfence();
    }
  }
}
PROGRAM(sense_barrier) {
  Array<int> data(4), out(12);
  phases<<<4, 32>>>(data, out, 3);
  const auto got = out.host();
  for (int i = 0; i < 12; ++i)
    if (got[i] != 6 + 4 * (i / 4)) return false;
  return true;
}
}  // namespace sense_barrier

/// One block produces into a ring, the other takes out of it; two counters say how far they are.
namespace ring_of_blocks {
constexpr int kRoom = 4;
__global__ void run(int* ring, volatile int* written, volatile int* taken, int* out, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; ++i) {
      while (i - *taken >= kRoom) {
      }
      __threadfence();
      ring[i % kRoom] = i * i;
      __threadfence();
      *written = i + 1;
    }
  } else {
    for (int i = 0; i < n; ++i) {
      while (*written <= i) {
      }
      __threadfence();
      out[i] = ring[i % kRoom];
      __threadfence();
      *taken = i + 1;
    }
  }
}
PROGRAM(ring_of_blocks) {
  Array<int> ring(kRoom), counters(2), out(30);
  counters.zero();
  run<<<2, 32>>>(ring, counters, counters + 1, out, 30);
  const auto got = out.host();
  for (int i = 0; i < 30; ++i)
    if (got[i] != i * i) return false;
  return true;
}
}  // namespace ring_of_blocks

/// Warps of one block: shared memory, a fence of the block, a volatile flag for each slot.
namespace ring_of_warps {
__global__ void run(int* out, int n) {
  __shared__ int items[2][32];
  __shared__ volatile int full[2];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) full[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const int slot = i % 2;
    if (threadIdx.x < 32) {
      while (full[slot] != 0) {
      }
      __threadfence_block();
      __syncwarp();
      items[slot][lane] = i * 100 + lane;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full[slot] = 1;
    } else {
      while (full[slot] == 0) {
      }
      __threadfence_block();
      __syncwarp();
      out[i * 32 + lane] = items[slot][31 - lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full[slot] = 0;
    }
    __syncwarp();
  }
}
PROGRAM(ring_of_warps) {
  Array<int> out(5 * 32);
  run<<<1, 64>>>(out, 5);
  const auto got = out.host();
  for (int i = 0; i < 160; ++i)
    if (got[i] != i / 32 * 100 + 31 - i % 32) return false;
  return true;
}
}  // namespace ring_of_warps

/// A stack of nodes whose head holds a tag beside the index, so that a head that came back is another one.
namespace lock_free_stack {
__device__ unsigned long long head = 0xffffffffull;
__global__ void push(int* next) {
  const unsigned mine = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long old = *static_cast<volatile unsigned long long*>(&head), seen;
  do {
    seen = old;
    next[mine] = static_cast<int>(seen);
    __threadfence();
    old = atomicCAS(&head, seen, ((seen >> 32) + 1) << 32 | mine);
  } while (old != seen);
}
__global__ void walk(const int* next, int* count, int* sum) {
  for (int at = static_cast<int>(head); at >= 0; at = next[at]) {
    *count += 1;
    *sum += at;
  }
}
PROGRAM(lock_free_stack) {
  Array<int> next(96), count(1), sum(1);
  push<<<3, 32>>>(next);
  walk<<<1, 1>>>(next, count.zero(), sum.zero());
  return count.host()[0] == 96 && sum.host()[0] == 95 * 48;
}
}  // namespace lock_free_stack

/// Work from a counter until there is none; items become more while it goes on.
namespace work_queue {
__global__ void run(int* items, int* head, int* tail, int* open, int* results) {
  if (threadIdx.x != 0) return;
  for (;;) {
    const int at = atomicAdd(head, 0);
    if (at >= *static_cast<volatile int*>(tail)) {
      if (*static_cast<volatile int*>(open) == 0) return;
      continue;
    }
    if (atomicCAS(head, at, at + 1) != at) continue;
    int item;
    while ((item = static_cast<volatile int*>(items)[at]) == 0) {
    }
    atomicAdd(results, 1);
    for (int child = 2 * item; child <= 2 * item + 1 && child < 32; ++child) {
      atomicAdd(open, 1);
      const int to = atomicAdd(tail, 1);
      static_cast<volatile int*>(items)[to] = child;
    }
    atomicSub(open, 1);
  }
}
PROGRAM(work_queue) {
  std::vector<int> first(64);
  first[0] = 1;
  Array<int> items(first), state(std::vector<int>{0, 1, 1, 0});
  run<<<3, 32>>>(items, state, state + 1, state + 2, state + 3);
  auto got = items.host();
  std::sort(got.begin(), got.end());
  for (int i = 1; i < 32; ++i)
    if (got[32 + i] != i) return false;
  return state.host()[3] == 31;
}
}  // namespace work_queue

/// Blocks that fetch their next tile themselves: thread 0 does it, and all meet before and behind it.
namespace persistent_blocks {
__global__ void square(int* x, int* next, int tiles) {
  __shared__ int tile;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    if (tile >= tiles) return;
    x[tile * 32 + threadIdx.x] *= x[tile * 32 + threadIdx.x];
    __syncthreads();
  }
}
PROGRAM(persistent_blocks) {
  auto in = numbers(32 * 10, 100);
  Array<int> x(in), next(1);
  square<<<3, 32>>>(x, next.zero(), 10);
  for (int& v : in) v *= v;
  return x.host() == in;
}
}  // namespace persistent_blocks

/// A counter before and behind two words: who reads an odd or another one reads again.
namespace sequence_lock {
__global__ void run(volatile int* data, volatile int* sequence, int* torn, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 1; i <= n; ++i) {
      *sequence = 2 * i - 1;
      __threadfence();
      data[0] = i;
      data[1] = -i;
      __threadfence();
      *sequence = 2 * i;
    }
  } else {
    for (int tries = 0; tries < 5;) {
      const int before = *sequence;
      __threadfence();
      const int a = data[0], b = data[1];
      __threadfence();
      if (before % 2 != 0 || *sequence != before) continue;
      ++tries;
      if (a + b != 0) atomicAdd(torn, 1);
    }
  }
}
PROGRAM(sequence_lock) {
  Array<int> data(2), sequence(1), torn(1);
  run<<<3, 32>>>(data.zero(), sequence.zero(), torn.zero(), 20);
  return torn.host()[0] == 0;
}
}  // namespace sequence_lock

/// Only the first makes it; the others wait until it is there.
namespace made_once {
__global__ void use(int* state, int* table, int* out) {
  if (threadIdx.x == 0) {
    if (atomicCAS(state, 0, 1) == 0) {
      for (int i = 0; i < 8; ++i) table[i] = i * i;
      __threadfence();
      atomicExch(state, 2);
    } else {
      while (atomicAdd(state, 0) != 2) {
      }
      __threadfence();
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[threadIdx.x % 8];
}
PROGRAM(made_once) {
  Array<int> state(1), table(8), out(5 * 32);
  use<<<5, 32>>>(state.zero(), table, out);
  const auto got = out.host();
  for (int i = 0; i < 160; ++i)
    if (got[i] != i % 8 * (i % 8)) return false;
  return true;
}
}  // namespace made_once

/// Words of cuda::atomic: released by one block, acquired by another.
namespace acquired {
__global__ void run(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    if (threadIdx.x == 0) ready.store(1, cuda::memory_order_release);
  } else {
    if (threadIdx.x == 0) {
      while (ready.load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    out[threadIdx.x] = data[63 - threadIdx.x];
  }
}
PROGRAM(acquired) {
  Array<int> data(64), flag(1), out(64);
  run<<<2, 64>>>(data, flag.zero(), out);
  const auto got = out.host();
  for (int i = 0; i < 64; ++i)
    if (got[i] != (63 - i) * 3) return false;
  return true;
}
}  // namespace acquired

/// A counting semaphore of cuda::atomic: at most two blocks are inside.
namespace few_at_once {
__device__ cuda::atomic<int, cuda::thread_scope_device> room{2}, inside{0}, most{0};
__global__ void enter() {
  if (threadIdx.x != 0) return;
  for (int seen = room.load();;) {
    if (seen > 0 && room.compare_exchange_weak(seen, seen - 1)) break;
    if (seen <= 0) seen = room.load();
  }
  const int now = inside.fetch_add(1) + 1;
  most.fetch_max(now);
  inside.fetch_sub(1);
  room.fetch_add(1);
}
__global__ void report(int* out) { *out = most.load(cuda::memory_order_relaxed); }
PROGRAM(few_at_once) {
  Array<int> out(1);
  enter<<<8, 32>>>();
  report<<<1, 1>>>(out);
  return out.host()[0] >= 1 && out.host()[0] <= 2;
}
}  // namespace few_at_once

/// Each block adds to what the block before it left, in their order.
namespace in_block_order {
__global__ void append(int* text, int* length, int* turn) {
  if (threadIdx.x == 0) {
    while (atomicAdd(turn, 0) != blockIdx.x) {
    }
    __threadfence();
  }
  __syncthreads();
  const int base = *length, mine = blockIdx.x % 3 + 1;
  __syncthreads();
  if (threadIdx.x < mine) text[base + threadIdx.x] = blockIdx.x;
  if (threadIdx.x == 0) *length = base + mine;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(turn, 1);
}
PROGRAM(in_block_order) {
  Array<int> text(12), length(1), turn(1);
  append<<<6, 32>>>(text, length.zero(), turn.zero());
  return text.host() == std::vector<int>{0, 1, 1, 2, 2, 2, 3, 4, 4, 5, 5, 5};
}
}  // namespace in_block_order
