#pragma once
// Blocks that wait for what others do: locks, turns, barriers of all blocks, sums that look back. What they
// leave in `flags` is what they found there, so that the next launch finds it too.
#include "../cases.cuh"

/// One block after the other adds to one sum, in any order.
__global__ void locked_sum(int* lock, volatile float* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + 0.5f;
  __threadfence();
  atomicExch(lock, 0);
}
/// The same by every thread of a warp.
__global__ void locked_by_lanes(int* lock, volatile float* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum = *sum + 0.5f;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
/// In the order of the blocks.
__global__ void in_turn(volatile int* turn, volatile float* sum) {
  if (threadIdx.x != 0) return;
  while (*turn != static_cast<int>(blockIdx.x)) {
  }
  __threadfence();
  *sum = *sum + 0.5f;
  __threadfence();
  *turn = blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : 0;
}
__global__ void in_turn_released(int* turn, float* sum) {
  if (threadIdx.x != 0) return;
  int now = 0;
  do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
  while (now != static_cast<int>(blockIdx.x));
  *sum += 0.5f;
  const int next = blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : 0;
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(turn), "r"(next) : "memory");
}
/// All blocks wait for all, again and again. They must fit on the card together.
__global__ void all_meet(int* counter, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(counter, 1);
      while (*static_cast<volatile int*>(counter) < round * static_cast<int>(gridDim.x)) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  // The last one to leave sets both counters back.
  if (threadIdx.x == 0 && atomicAdd(counter + 64, 1) == static_cast<int>(gridDim.x) - 1) {
    counter[0] = 0;
    counter[64] = 0;
  }
}
/// A sum of all blocks before each: of those that know it only as far as they have come.
__global__ void look_back(const float* in, float* out, volatile int* state, volatile float* own, volatile float* all,
                          int* left) {
  const float x = in[blockIdx.x * blockDim.x + threadIdx.x];
  const float sum = __reduce_add_sync(~0u, static_cast<unsigned>(x));
  if (threadIdx.x != 0) return;
  own[blockIdx.x] = sum;
  __threadfence();
  state[blockIdx.x] = 1;
  float before = 0;
  for (int from = static_cast<int>(blockIdx.x) - 1; from >= 0; --from) {
    int known = 0;
    while ((known = state[from]) == 0) {
    }
    __threadfence();
    before += known == 2 ? all[from] : own[from];
    if (known == 2) break;
  }
  all[blockIdx.x] = before + sum;
  __threadfence();
  state[blockIdx.x] = 2;
  out[blockIdx.x] = before + sum;
  __threadfence();
  if (atomicAdd(left, 1) != static_cast<int>(gridDim.x) - 1) return;
  for (unsigned i = 0; i < gridDim.x; ++i) state[i] = 0;
  *left = 0;
}

inline void hand_over(Cases& cases) {
  const Pool& p = cases.pool;
  int* const word = p.flags;
  cases.family = "hand_over_lock";
  for (const int blocks : {32, 132, 300, 1000}) cases.add("blocks_" + std::to_string(blocks), blocks, 256, 0, locked_sum, word, p.c);
  for (const int blocks : {1, 8, 32}) cases.add("lanes_of_" + std::to_string(blocks), blocks, 32, 0, locked_by_lanes, word, p.c);
  cases.family = "hand_over_turns";
  for (const int blocks : {32, 132, 300, 1000}) cases.add("blocks_" + std::to_string(blocks), blocks, 256, 0, in_turn, word, p.c);
  for (const int blocks : {132, 1000}) cases.add("released_" + std::to_string(blocks), blocks, 256, 0, in_turn_released, word, p.c);
  cases.family = "hand_over_meeting";
  for (const int rounds : {1, 10, 100}) cases.add("rounds_" + std::to_string(rounds), 132, 256, 0, all_meet, word, rounds);
  cases.add("of_528_rounds_10", 528, 256, 0, all_meet, word, 10);
  cases.family = "hand_over_look_back";
  for (const int blocks : {32, 256, 1024})
    cases.add("blocks_" + std::to_string(blocks), blocks, 32, 0, look_back, p.a, p.b, word + 4096, p.c + (1 << 16), p.c + (1 << 17), word + 1);
}
