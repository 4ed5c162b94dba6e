// A large launch of each: what a block does wrong by itself, or with another one to the output, is found in the blocks
// that are looked at, and of what others may have a part in nothing is said. `sampled_checkers.ptx` is what `nvcc -ptx -arch=compute_80 -lineinfo` makes of it.

// Each block takes several rows. The barrier that is missing behind the sum only acts where there are many.
extern "C" __global__ void barrier_missing(const int* in, int* out, int rows) {
  __shared__ int row_of[64];
  const int t = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    row_of[t] = in[t] + row;
    if (gridDim.x < 1000) __syncthreads();
    out[blockIdx.x * 64 + t] = row_of[63 - t];
    __syncthreads();
  }
}

// Wrong in the last block alone.
extern "C" __global__ void last_block(const int* in, int* out, int) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  if (blockIdx.x + 1 < gridDim.x) __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

// The last threads read what nobody stored.
extern "C" __global__ void not_written(const int*, int* out, int rows) {
  __shared__ int tile[64];
  if (threadIdx.x < rows) tile[threadIdx.x] = 1;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
}

// Lane 31 waits with a mask that leaves it out.
extern "C" __global__ void wrong_mask(const int*, int* out, int) {
  const int t = threadIdx.x;
  __syncwarp(t % 32 == 31 && gridDim.x >= 1000 ? 0x7fffffff : 0xffffffff);
  out[blockIdx.x * 64 + t] = t;
}

// Every block writes its own place and reads its neighbour's: a race that the checkers of a watched launch find.
extern "C" __global__ void neighbours(const int*, int* out, int) {
  const int next = (blockIdx.x + 1) % gridDim.x;
  out[blockIdx.x * 64 + threadIdx.x] = out[next * 64 + threadIdx.x];
}

// Within a block others may have stood between the two accesses, as they do here.
extern "C" __global__ void turns(const int*, int* out, int) {
  if (threadIdx.x == 0) atomicExch(out + 1, blockIdx.x);
  volatile int* const place = out;
  *place = threadIdx.x;
}

// `in` is what a launch that nobody watched has written, or nobody has.
extern "C" __global__ void read_what_lies_there(const int* in, int* out, int) {
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}

// A word in global memory says that what lies in shared memory may be read.
extern "C" __global__ void flag_in_global_memory(const int*, int* out, int rows) {
  __shared__ int message;
  int* const flag = out + blockIdx.x * 64;
  if (threadIdx.x == 0) *flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    message = rows;
    __threadfence();
    atomicExch(flag, 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x * 64 + 1] = message;
  }
}

// Right for so long that nobody looks any more when it goes wrong.
extern "C" __global__ void goes_wrong_late(const int* in, int* out, int) {
  __shared__ int tile[64];
  int sum = 0;
  for (int k = 0; k < 20000; ++k) {
    tile[threadIdx.x] = in[threadIdx.x] + k;
    if (k < 19000) __syncthreads();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Every block adds to one element, by a load and a store.
extern "C" __global__ void all_add(const int* in, int* out, int) {
  if (threadIdx.x == 0) out[0] += in[0];
}

// The first block sets what all add to.
extern "C" __global__ void first_block_sets(const int* in, int* out, int) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[0] = 0;
  atomicAdd(out, in[0]);
}

// All add atomically, and each block sets and reads elements of its own; the last one that comes sets what none adds to.
extern "C" __global__ void blocks_do_not_meet(const int* in, int* out, int) {
  __shared__ bool last;
  int* own = out + 64 + blockIdx.x * 16;
  own[threadIdx.x % 16] = in[0];
  if (threadIdx.x == 0) {
    out[2 + blockIdx.x % 8] = 7;
    atomicAdd(out, own[0]);
    __threadfence();
    last = atomicAdd(out + 20, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) out[1] = out[0];
}

// Blocks that are as far from each other as there are sums meet: only where there are many, and in none that is drawn.
extern "C" __global__ void meet_far_away(const int* in, int* out, int) {
  if (threadIdx.x == 0 && blockIdx.x % 16 != 0) out[blockIdx.x % 1000] += in[0];
}

// The same behind a fence that hands nothing to anybody.
extern "C" __global__ void meet_behind_fence(const int* in, int* out, int) {
  if (threadIdx.x != 0) return;
  out[blockIdx.x % 1000] += in[0];
  __threadfence();
}

// What two blocks store is not the same.
extern "C" __global__ void meet_by_writing(const int*, int* out, int) { out[blockIdx.x / 2 * 64 + threadIdx.x] = blockIdx.x; }

// Each block stores the same table, and reads what it has stored itself.
extern "C" __global__ void same_table(const int* in, int* out, int) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[64 + blockIdx.x * 32 + threadIdx.x / 2] = out[threadIdx.x ^ 1];
}

// The block before has let go of what is read here.
extern "C" __global__ void chained(const int* in, int* out, int) {
  int* const sums = out, * const ready = out + 8192;
  if (threadIdx.x == 0) {
    int before = 0;
    if (blockIdx.x > 0) {
      while (atomicAdd(ready + blockIdx.x - 1, 0) == 0) {
      }
      __threadfence();
      before = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = before + in[0];
    __threadfence();
    atomicExch(ready + blockIdx.x, 1);
  }
}

// A block waits for the word of the one before it, which holds both its sum and that it is there; the last one to come puts
// the count back. Nothing needs a fence.
extern "C" __global__ void told_in_one_word(const int* in, int* out, int) {
  volatile int* const words = out;
  int* const count = out + 8192;
  if (threadIdx.x != 0) return;
  int before = 0;
  while (blockIdx.x > 0 && (before = words[blockIdx.x - 1]) == 0) {
  }
  words[blockIdx.x] = before + in[0];
  if (atomicAdd(count, 1) == gridDim.x - 1) *static_cast<volatile int*>(count) = 0;
}

// Who has seen that all others have come puts the count back, by a plain store and without a fence.
extern "C" __global__ void put_back(const int* in, int* out, int) {
  if (threadIdx.x != 0) return;
  atomicAdd(out, in[0]);
  if (atomicAdd(out + 20, 1) == gridDim.x - 1) out[20] = 0;
}

// Here each block does, whoever is still to come.
extern "C" __global__ void each_puts_back(const int*, int* out, int) {
  if (threadIdx.x == 0 && atomicAdd(out + 20, 1) >= 0) out[20] = 0;
}

// A fence of the block lets no other one see anything, nor does an atomic operation of the block.
extern "C" __global__ void told_within_block(const int* in, int* out, int) {
  if (threadIdx.x != 0) return;
  out[64 + blockIdx.x] = in[0];
  __threadfence_block();
  if (atomicAdd(out, 1) < gridDim.x - 1) return;
  for (int b = 0; b < gridDim.x; ++b) out[1] += out[64 + b];
}
extern "C" __global__ void counted_within_block(const int* in, int* out, int) {
  if (threadIdx.x == 0) atomicAdd_block(out, in[0]);
}

// A volatile read of data is no look whether they are there.
extern "C" __global__ void volatile_without_fence(const int* in, int* out, int) {
  volatile int* const data = out + 64;
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = in[0];
  if (atomicAdd(out, 1) < gridDim.x - 1) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += data[b];
  out[1] = sum;
}

// The number that a block draws first tells it nothing of others, whatever it tells them later.
extern "C" __global__ void drawn_and_met(const int* in, int* out, int) {
  if (threadIdx.x != 0) return;
  const int number = atomicAdd(out, 1);
  out[64 + number % 1000] += in[0];
  __threadfence();
  if (atomicAdd(out + 1, 1) == gridDim.x - 1) out[2] = 1;
}

extern "C" __global__ void drawn_apart(const int* in, int* out, int) {
  if (threadIdx.x != 0) return;
  const int number = atomicAdd(out, 1);
  out[64 + number] = in[0];
  __threadfence();
  if (atomicAdd(out + 1, 1) < gridDim.x - 1) return;
  __threadfence();
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += out[64 + b];
  out[2] = sum;
}

// A result that is looked at on its way is a result.
extern "C" __global__ void looked_at_without_fence(const int* in, int* out, int) {
  volatile int* const data = out + 64;
  if (threadIdx.x != 0) return;
  data[blockIdx.x] = in[0];
  if (atomicAdd(out, 1) < gridDim.x - 1) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; ++b) {
    const int one = data[b];
    if (one == 0) continue;
    sum += one;
    __threadfence_block();
  }
  out[1] = sum;
}

// Bytes of one word belong to two blocks.
extern "C" __global__ void neighbouring_bytes(const int*, int* out, int) {
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(out);
  bytes[blockIdx.x * 65 + threadIdx.x] = static_cast<unsigned char>(bytes[blockIdx.x * 65 + threadIdx.x] + 1);
}
