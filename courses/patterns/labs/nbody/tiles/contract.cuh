#pragma once
// nbody tiles, forces between bodies: the functions that nbody.cu must define. Do not change this file: the grader
// compiles your solution with its own copy.
//
// Body j stands at (bodies[j].x, bodies[j].y, bodies[j].z) and has the mass bodies[j].w. Point i stands at
// (points[i].x, points[i].y, points[i].z); its w means nothing here. With d = the place of body j minus that of point i,
// and s = d.x * d.x + d.y * d.y + d.z * d.z + softening, each of the m bodies adds
//     bodies[j].w * d / (s * sqrt(s))
// to acceleration[i].x, .y and .z. acceleration[i].w is 0. (In a simulation the points are the bodies themselves.)
//
// All pointers are addresses in the GPU's global memory. n and m may be 0. Each function launches its kernels and returns; it
// need not wait for them. It must leave its inputs unchanged.

constexpr float softening = 0.01f;  // keeps s away from 0

/// Straight from global memory: a thread for each point.
void nbody_global(const float4* points, const float4* bodies, float4* acceleration, int n, int m);

/// The same, by tiles of bodies in shared memory.
void nbody_tiles(const float4* points, const float4* bodies, float4* acceleration, int n, int m);
