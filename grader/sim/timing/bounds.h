#pragma once
// The parts of an estimated time, as a plain value.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudalabs::sim {

/// The parts of an estimated time, in nanoseconds: what the warps waited for (docs/estimate.md).
struct CostBounds {
  double launch = 0;   ///< kernel launch overhead
  double issue = 0;    ///< machine instructions, and waits for their units
  double doubles = 0;  ///< the same for double precision
  double shared = 0;   ///< the pipe of shared memory and L1
  double l2 = 0;       ///< bandwidth to L2
  double memory = 0;   ///< memory bandwidth
  double atomics = 0;  ///< atomics that contend for one place of L2
  double latency = 0;  ///< transfers, chains and barriers that the resident warps cannot hide
  [[nodiscard]] double total() const {
    return launch + issue + doubles + shared + l2 + memory + atomics + latency;
  }
  CostBounds& operator+=(const CostBounds& other);
};

/// A part with its name in documents and messages.
struct CostPart {
  double CostBounds::*value;
  const char* name;
};
inline constexpr std::array<CostPart, 8> kCostParts{
    CostPart{&CostBounds::launch, "launch"},   CostPart{&CostBounds::issue, "issue"},
    CostPart{&CostBounds::doubles, "doubles"}, CostPart{&CostBounds::shared, "shared"},
    CostPart{&CostBounds::l2, "l2"},           CostPart{&CostBounds::memory, "memory"},
    CostPart{&CostBounds::atomics, "atomics"}, CostPart{&CostBounds::latency, "latency"}};

inline CostBounds& CostBounds::operator+=(const CostBounds& other) {
  for (const CostPart& part : kCostParts) this->*part.value += other.*part.value;
  return *this;
}

/// The part of a launch's time that passed because of one source line: its instructions, what they queued
/// for, and the waits for their results, which other lines may have needed.
struct LineTime {
  std::string file;
  std::uint32_t line = 0;
  double ns = 0;
};

/// How a launch fills the card, by the profile's limits and the timing model.
struct Utilization {
  std::uint32_t registers = 0;   ///< of a thread
  bool registers_known = false;  ///< ptxas's number, not a prediction
  // Resident warps of a multiprocessor, as parts of the most that it holds.
  double occupancy = 0;           ///< that the limits allow
  double achieved_occupancy = 0;  ///< on average, while it has any
  // Used parts of the peak bandwidths.
  double memory = 0, l2 = 0;
  double wavefront_bytes = 128;  ///< of shared memory that a wavefront can access, as wavefronts are counted
};

struct Estimate {
  CostBounds bounds;
  Utilization use;
  std::vector<LineTime> lines;  ///< if they were asked for; without CostBounds::launch
};

/// The largest part.
inline const CostPart& largest_part(const CostBounds& bounds) {
  const CostPart* most = &kCostParts.front();
  for (const CostPart& part : kCostParts) {
    if (bounds.*part.value > bounds.*most->value) most = &part;
  }
  return *most;
}

}  // namespace cudalabs::sim
