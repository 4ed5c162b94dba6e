#pragma once
// bfs frontiers, breadth-first search: the functions that bfs.cu must define. Do not change this file: the grader
// compiles your solution with its own copy.
//
// The neighbours of vertex v are neighbours[k], for k from first[v] to first[v + 1] - 1. first[0] is 0 and
// first[vertices] is `entries`. If w is a neighbour of v, then v is one of w. A vertex may have no neighbour, may be
// its own, and may name one several times.
//
// depth[v] is the number of edges on the shortest path from `source` to v: 0 for `source` itself, and -1 where there is
// no path.
//
// The pointers are addresses in the GPU's global memory. vertices >= 1, entries >= 0, 0 <= source < vertices. Only
// `depth` may be changed.

/// Level by level, with a thread for every vertex in each.
void bfs_levels(const int* first, const int* neighbours, int source, int* depth, int vertices, int entries);

/// Level by level, with threads only for the vertices of the level, which lie in a queue.
void bfs_queues(const int* first, const int* neighbours, int source, int* depth, int vertices, int entries);
