// nbody tiles: what all bodies do to each point. Read handout.md first.
//
// bodies[j] is the place (x, y, z) and the mass (w) of body j; points[i] is a place. n and m may be 0.
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Straight from global memory.

// TODO: write a kernel in which each thread adds up what all bodies add to the acceleration of one point.
//   - Read a body by one load: const float4 b = bodies[j].
//   - rsqrtf(s) is 1 / sqrt(s).

void nbody_global(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  // TODO: choose the block and the grid, and launch your kernel. A grid must not be empty: what if n is 0?
  (void)points, (void)bodies, (void)acceleration, (void)n, (void)m;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. By tiles in shared memory.

// TODO: write a kernel in which a block loads a tile of bodies, each thread one of them, and then every thread goes
// through the tile.
//   - What stands in the places of the last tile that have no body, so that they attract nobody?
//   - Which two places need __syncthreads()? Threads without a point of their own must reach them, too.

void nbody_tiles(const float4* points, const float4* bodies, float4* acceleration, int n, int m) {
  // TODO: launch your kernel.
  (void)points, (void)bodies, (void)acceleration, (void)n, (void)m;
}
