// What the lanes of a warp and the threads of a block do together.
#include "table.cuh"

template <class T>
__device__ void shuffles(Table& table, T value) {
  const int lane = threadIdx.x % 32;
  ROW(__shfl_sync(0xffffffffu, value, lane * 5))
  ROW(__shfl_sync(0xffffffffu, value, lane + 3, 8))
  ROW(__shfl_up_sync(0xffffffffu, value, 3))
  ROW(__shfl_up_sync(0xffffffffu, value, 1, 4))
  ROW(__shfl_down_sync(0xffffffffu, value, 5))
  ROW(__shfl_down_sync(0xffffffffu, value, 1, 16))
  ROW(__shfl_xor_sync(0xffffffffu, value, 9))
  ROW(__shfl_xor_sync(0xffffffffu, value, 2, 8))
}

template <class T>
__device__ void matches(Table& table, T value) {
  int all = -1;
  ROW(__match_any_sync(0xffffffffu, value))
  ROW(__match_all_sync(0xffffffffu, value, &all))
  ROW(all)
  const T same = T(threadIdx.x / 32);
  ROW(__match_all_sync(0xffffffffu, same, &all))
  ROW(all)
}

extern "C" __global__ void warps(unsigned long long* out) {
  Table table{out};
  const int column = threadIdx.x, lane = column % 32;
  const unsigned u = kWords[column % 16] ^ (column << 8);
  const unsigned long long ull = kLongs[column % 16] ^ ((unsigned long long)column << 30);

  shuffles(table, (int)u);
  shuffles(table, (unsigned)u);
  shuffles(table, (long)ull);
  shuffles(table, (unsigned long)ull);
  shuffles(table, (long long)ull);
  shuffles(table, (unsigned long long)ull);
  shuffles(table, (float)__uint_as_float(u));
  shuffles(table, (double)__longlong_as_double((long long)ull));
  matches(table, (int)(column % 7));
  matches(table, (unsigned)(column % 7));
  matches(table, (long)(column % 7));
  matches(table, (unsigned long)(column % 7));
  matches(table, (long long)(column % 7));
  matches(table, (unsigned long long)(column % 7));
  matches(table, (float)(column % 7));
  matches(table, (double)(column % 7));

  ROW(__all_sync(0xffffffffu, column < 100))
  ROW(__any_sync(0xffffffffu, column < 100))
  ROW(__uni_sync(0xffffffffu, column < 100))
  ROW(__ballot_sync(0xffffffffu, u & 1))
  ROW(__activemask())
  ROW(__reduce_add_sync(0xffffffffu, u))
  ROW(__reduce_add_sync(0xffffffffu, int(u)))
  ROW(__reduce_min_sync(0xffffffffu, u))
  ROW(__reduce_min_sync(0xffffffffu, int(u)))
  ROW(__reduce_max_sync(0xffffffffu, u))
  ROW(__reduce_max_sync(0xffffffffu, int(u)))
  ROW(__reduce_and_sync(0xffffffffu, u))
  ROW(__reduce_or_sync(0xffffffffu, u))
  ROW(__reduce_xor_sync(0xffffffffu, u))
  unsigned part = 0;
  if (lane % 3 == 0) {
    part = __ballot_sync(0x49249249u, lane & 2) + __reduce_add_sync(0x49249249u, unsigned(lane));
    __syncwarp(0x49249249u);
    part += __shfl_sync(0x49249249u, unsigned(lane), 9);
  }
  ROW(part)
  __syncwarp();
  ROW(__syncthreads_count(u & 1))
  ROW(__syncthreads_and(column < 300))
  ROW(__syncthreads_and(column < 255))
  ROW(__syncthreads_or(column == 77))
  ROW(__syncthreads_or(column == 300))
  __shared__ int exchange[256];
  exchange[column] = column;
  __syncthreads();
  ROW(exchange[255 - column])
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  ROW(warpSize)
  const dim3 at = threadIdx, size = blockDim;
  const uint3 block = blockIdx, grid = gridDim;
  ROW(at.x * 1000 + at.y * 100 + at.z * 10 + size.x + size.y + size.z)
  ROW(block.x * 1000 + block.y * 100 + block.z * 10 + grid.x + grid.y + grid.z)
}
