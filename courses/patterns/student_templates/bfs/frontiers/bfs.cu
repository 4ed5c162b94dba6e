// bfs frontiers: breadth-first search. Read handout.md first.
//
// The neighbours of vertex v are neighbours[first[v]] to neighbours[first[v + 1] - 1].
#include "contract.cuh"

// ---------------------------------------------------------------------------------------------------------------
// 1. Level by level over all vertices.

// TODO: write the kernels of one level: vertices whose depth is `level` pass level + 1 on to neighbours without a
// depth.
//   - May one thread store depth[w] while another one reads it to see whether w belongs to this level?
//   - How does the host learn that a level found no new vertex?

void bfs_levels(const int* first, const int* neighbours, int source, int* depth, int vertices, int entries) {
  // TODO: set all depths, then launch level after level. Free what you allocate.
  (void)first, (void)neighbours, (void)source, (void)depth, (void)vertices, (void)entries;
}

// ---------------------------------------------------------------------------------------------------------------
// 2. By queues.

// TODO: write a kernel in which each thread takes one vertex from the queue of this level, and puts new vertices into
// the queue of the next level.
//   - Two threads may reach a vertex at the same time. Which atomic operation tells one of them that it was first?
//   - Which one gives each thread a place of its own in the queue?

void bfs_queues(const int* first, const int* neighbours, int source, int* depth, int vertices, int entries) {
  // TODO: how many threads does a level need?
  (void)first, (void)neighbours, (void)source, (void)depth, (void)vertices, (void)entries;
}
