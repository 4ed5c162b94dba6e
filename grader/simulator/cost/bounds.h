#pragma once
// What an estimated time is made of: a value that travels to whoever explains it.

namespace cudalabs::sim {

/// The bounds whose sum the estimate is, in nanoseconds.
struct CostBounds {
  double launch = 0;   ///< starting a kernel at all
  double issue = 0;    ///< machine instructions over issue slots
  double doubles = 0;  ///< double-precision instructions over their units
  double shared = 0;   ///< shared-memory wavefronts, and lines that L1 serves
  double l2 = 0;       ///< sectors between L1 and L2
  double memory = 0;   ///< bytes over memory bandwidth
  double atomics = 0;  ///< those that wait for each other in one place of L2
  double latency = 0;  ///< waiting that the resident warps cannot hide
  [[nodiscard]] double total() const {
    return launch + issue + doubles + shared + l2 + memory + atomics + latency;
  }
};

}  // namespace cudalabs::sim
