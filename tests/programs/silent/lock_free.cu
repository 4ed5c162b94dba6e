// More of what blocks hand to each other: without locks, with locks for many readers, through memory of the heap.
#include <cuda/atomic>
#include <cuda/barrier>

#include "silent.cuh"

/// Each block has a flag for coming and one for going; block 0 has a thread for each of them.
namespace barrier_by_flags {
__device__ void meet(volatile int* come, volatile int* go, int goal) {
  const int t = threadIdx.x, b = blockIdx.x;
  __threadfence();
  __syncthreads();
  if (t == 0) come[b] = goal;
  if (b == 0) {
    if (t < gridDim.x) {
      while (come[t] != goal) {
      }
      __threadfence();
    }
    __syncthreads();
    if (t < gridDim.x) go[t] = goal;
  }
  if (t == 0) {
    while (go[b] != goal) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void rounds(int* a, int* b, int* come, int* go, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    b[i] = a[n - 1 - i] + round;
    meet(come, go, 2 * round + 1);
    a[i] = b[(i + 40) % n] * 2;
    meet(come, go, 2 * round + 2);
  }
}
PROGRAM(barrier_by_flags) {
  auto wanted = numbers(160, 100);
  Array<int> a(wanted), b(160), come(5), go(5);
  rounds<<<5, 32>>>(a, b, come.zero(), go.zero(), 160);
  for (int round = 0; round < 3; ++round) {
    std::vector<int> next(160);
    for (int i = 0; i < 160; ++i) next[i] = wanted[159 - i] + round;
    for (int i = 0; i < 160; ++i) wanted[i] = next[(i + 40) % 160] * 2;
  }
  return a.host() == wanted;
}
}  // namespace barrier_by_flags

/// Nodes are pushed and popped in one launch; who pops reads a link that others may have changed, and the
/// swap of head and tag says whether it was right.
namespace pushed_and_popped {
constexpr unsigned kNone = 0xffffffffu;
__device__ unsigned long long head = kNone;
__device__ void push(volatile unsigned* next, unsigned node) {
  unsigned long long old = atomicAdd(&head, 0ull), seen;
  do {
    seen = old;
    next[node] = static_cast<unsigned>(seen);
    __threadfence();
    old = atomicCAS(&head, seen, ((seen >> 32) + 1) << 32 | node);
  } while (old != seen);
}
__device__ unsigned pop(volatile unsigned* next) {
  unsigned long long old = atomicAdd(&head, 0ull), seen;
  do {
    seen = old;
    const unsigned node = static_cast<unsigned>(seen);
    if (node == kNone) return kNone;
    const unsigned link = next[node];
    old = atomicCAS(&head, seen, ((seen >> 32) + 1) << 32 | link);
  } while (old != seen);
  __threadfence();
  return static_cast<unsigned>(seen);
}
__global__ void run(unsigned* next, int* values, int* taken, int rounds) {
  if (threadIdx.x % 32 != 0) return;
  const unsigned mine = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  values[mine] = mine;
  __threadfence();
  push(next, mine);
  for (int k = 0; k < rounds; ++k) {
    const unsigned node = pop(next);
    if (node == kNone) continue;
    atomicAdd(&taken[values[node]], 1);
    values[node] = (values[node] + 1) % 8;
    __threadfence();
    push(next, node);
  }
}
__global__ void sizes(const unsigned* next, int* count) {
  for (unsigned at = static_cast<unsigned>(head); at != kNone; at = next[at]) ++*count;
}
PROGRAM(pushed_and_popped) {
  Array<unsigned> next(8);
  Array<int> values(8), taken(8), count(1);
  run<<<4, 64>>>(next, values, taken.zero(), 3);
  sizes<<<1, 1>>>(next, count.zero());
  return count.host()[0] == 8;
}
}  // namespace pushed_and_popped

/// A queue of slots for many producers and consumers: each slot's number says whose turn it is.
namespace queue_of_slots {
constexpr unsigned kSlots = 8;
struct Slot {
  unsigned turn;
  int value;
};
__global__ void prepare(Slot* slots) { slots[threadIdx.x].turn = threadIdx.x; }
__global__ void run(Slot* slots, unsigned* ends, int* sum, int each) {
  if (threadIdx.x != 0) return;
  for (int k = 0; k < each; ++k) {
    const bool puts = blockIdx.x % 2 == 0;
    const unsigned ticket = atomicAdd(&ends[puts ? 0 : 1], 1u);
    Slot& slot = slots[ticket % kSlots];
    const unsigned turn = ticket / kSlots * kSlots + ticket % kSlots + (puts ? 0 : 1);
    while (*static_cast<volatile unsigned*>(&slot.turn) != turn) {
    }
    __threadfence();
    if (puts) {
      slot.value = blockIdx.x * 100 + k;
      __threadfence();
      *static_cast<volatile unsigned*>(&slot.turn) = ticket + 1;
    } else {
      atomicAdd(sum, slot.value);
      __threadfence();
      *static_cast<volatile unsigned*>(&slot.turn) = ticket + kSlots;
    }
  }
}
PROGRAM(queue_of_slots) {
  Array<Slot> slots(kSlots);
  Array<unsigned> ends(2);
  Array<int> sum(1);
  prepare<<<1, kSlots>>>(slots);
  run<<<6, 32>>>(slots, ends.zero(), sum.zero(), 10);
  return sum.host()[0] == (0 + 200 + 400) * 10 + 3 * 45;
}
}  // namespace queue_of_slots

/// Peterson's: two blocks, two wishes and a word that says who gives way.
namespace two_wishes {
__global__ void run(volatile int* wish, volatile int* turn, int* total, int rounds) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x, other = 1 - me;
  for (int k = 0; k < rounds; ++k) {
    wish[me] = 1;
    __threadfence();
    *turn = other;
    __threadfence();
    while (wish[other] == 1 && *turn == other) {
    }
    __threadfence();
    *total += me + 1;
    __threadfence();
    wish[me] = 0;
  }
}
PROGRAM(two_wishes) {
  Array<int> wish(2), turn(1), total(1);
  run<<<2, 32>>>(wish.zero(), turn.zero(), total.zero(), 10);
  return total.host()[0] == 30;
}
}  // namespace two_wishes

/// Many readers or one writer; -1 says that one writes.
namespace readers_and_writers {
__global__ void run(int* lock, int* pair, int* torn) {
  if (threadIdx.x != 0) return;
  for (int k = 0; k < 5; ++k) {
    if ((blockIdx.x + k) % 3 == 0) {
      while (atomicCAS(lock, 0, -1) != 0) {
      }
      __threadfence();
      pair[0] += 1;
      pair[1] -= 1;
      __threadfence();
      atomicExch(lock, 0);
    } else {
      for (int seen = atomicAdd(lock, 0);; seen = atomicAdd(lock, 0))
        if (seen >= 0 && atomicCAS(lock, seen, seen + 1) == seen) break;
      __threadfence();
      if (pair[0] + pair[1] != 0) atomicAdd(torn, 1);
      __threadfence();
      atomicSub(lock, 1);
    }
  }
}
PROGRAM(readers_and_writers) {
  Array<int> lock(1), pair(2), torn(1);
  run<<<6, 32>>>(lock.zero(), pair.zero(), torn.zero());
  return torn.host()[0] == 0 && pair.host()[0] == 10;
}
}  // namespace readers_and_writers

/// Two words that belong together, read without a lock and again where somebody wrote meanwhile.
namespace consistent_pairs {
__global__ void run(volatile int* data, volatile int* number, int2* out, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    for (int i = 1; i <= n; ++i) {
      *number = 2 * i - 1;
      __threadfence();
      data[0] = i;
      data[1] = -i;
      __threadfence();
      *number = 2 * i;
    }
  } else {
    int before, a, b;
    do {
      before = *number;
      __threadfence();
      a = data[0];
      b = data[1];
      __threadfence();
    } while (before % 2 != 0 || *number != before);
    out[blockIdx.x] = make_int2(a, b);
  }
}
PROGRAM(consistent_pairs) {
  Array<int> data(2), number(1);
  Array<int2> out(4);
  run<<<4, 32>>>(data.zero(), number.zero(), out.zero(), 20);
  for (const int2 pair : out.host())
    if (pair.x + pair.y != 0) return false;
  return true;
}
}  // namespace consistent_pairs

/// A node of the heap goes from one block to another, which gives it back.
namespace heap_between_blocks {
struct Node {
  int value, more[3];
};
__global__ void run(unsigned long long* box, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    Node* node = new Node;
    node->value = 42;
    for (int k = 0; k < 3; ++k) node->more[k] = k;
    __threadfence();
    atomicExch(box, reinterpret_cast<unsigned long long>(node));
  } else {
    unsigned long long got;
    while ((got = atomicExch(box, 0ull)) == 0) {
    }
    __threadfence();
    Node* node = reinterpret_cast<Node*>(got);
    *out = node->value + node->more[2];
    delete node;
  }
}
PROGRAM(heap_between_blocks) {
  Array<unsigned long long> box(1);
  Array<int> out(1);
  run<<<2, 32>>>(box.zero(), out);
  return out.host()[0] == 44;
}
}  // namespace heap_between_blocks

/// Who has something smaller looks first whether it is worth an atomic operation.
namespace looked_before {
__global__ void least(const int* in, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] < *static_cast<volatile int*>(out)) atomicMin(out, in[i]);
}
PROGRAM(looked_before) {
  const auto in = numbers(1000, 1 << 20);
  Array<int> a(in), out(std::vector<int>{1 << 20});
  least<<<4, 64>>>(a, out, 1000);
  return out.host()[0] == *std::min_element(in.begin(), in.end());
}
}  // namespace looked_before

/// Fences of cuda::atomic's own kind around relaxed words.
namespace fences_apart {
__global__ void run(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
    data[1] = 8;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    *out = data[0] * 10 + data[1];
  }
}
PROGRAM(fences_apart) {
  Array<int> data(2), flag(1), out(1);
  run<<<2, 32>>>(data, flag.zero(), out);
  return out.host()[0] == 78;
}
}  // namespace fences_apart

/// A barrier of the library for threads of all blocks.
namespace barrier_of_the_card {
using Barrier = cuda::barrier<cuda::thread_scope_device>;
__global__ void make(Barrier* barrier, int count) { init(barrier, count); }
__global__ void run(Barrier* barrier, int* data, int* out) {
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = blockIdx.x * blockIdx.x;
  barrier->arrive_and_wait();
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += data[b];
  out[blockIdx.x] = sum;
}
PROGRAM(barrier_of_the_card) {
  Array<char> memory(sizeof(Barrier));
  Barrier* barrier = reinterpret_cast<Barrier*>(static_cast<char*>(memory));
  Array<int> data(5), out(5);
  make<<<1, 1>>>(barrier, 5);
  run<<<5, 32>>>(barrier, data, out);
  return out.host() == std::vector<int>(5, 30);
}
}  // namespace barrier_of_the_card

/// The last block is found by all threads together, and a system-wide fence is one, too.
namespace last_by_vote {
__device__ unsigned arrived = 0;
__global__ void most(const int* in, int* parts, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = __reduce_max_sync(~0u, i < n ? in[i] : 0);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = mine;
    __threadfence_system();
  }
  const bool last = __syncthreads_or(threadIdx.x == 0 && atomicAdd(&arrived, 1) == gridDim.x - 1);
  if (!last) return;
  const int all = __reduce_max_sync(~0u, threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0);
  if (threadIdx.x == 0) *out = all;
}
PROGRAM(last_by_vote) {
  const auto in = numbers(500, 1 << 20);
  Array<int> a(in), parts(16), out(1);
  most<<<16, 32>>>(a, parts, out, 500);
  return out.host()[0] == *std::max_element(in.begin(), in.end());
}
}  // namespace last_by_vote

/// A flag seen by one thread; the others of its block read behind the barrier.
namespace seen_for_all {
__global__ void run(int* data, volatile int* flag, int* out) {
  const int t = threadIdx.x;
  if (blockIdx.x == 1) {
    data[t] = t * 5;
    __threadfence();
    __syncthreads();
    if (t == 0) *flag = 1;
  } else {
    if (t == 0) {
      while (*flag == 0) __nanosleep(20);
      __threadfence();
    }
    __syncthreads();
    out[t] = data[63 - t];
  }
}
PROGRAM(seen_for_all) {
  Array<int> data(64), flag(1), out(64);
  run<<<2, 64>>>(data, flag.zero(), out);
  const auto got = out.host();
  for (int t = 0; t < 64; ++t)
    if (got[t] != (63 - t) * 5) return false;
  return true;
}
}  // namespace seen_for_all

/// Bytes and halves of words, each changed atomically by itself.
namespace narrow_atomics {
__global__ void run(unsigned short* counters, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short* at = &counters[i % n];
  unsigned short old = *at, seen;
  do {
    seen = old;
    old = atomicCAS(at, seen, static_cast<unsigned short>(seen + 3));
  } while (old != seen);
}
PROGRAM(narrow_atomics) {
  Array<unsigned short> counters(6);
  run<<<3, 64>>>(counters.zero(), 6);
  return counters.host() == std::vector<unsigned short>(6, 96);
}
}  // namespace narrow_atomics
