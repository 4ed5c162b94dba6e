#pragma once
// The parts of an estimated time, as a plain value.

#include <array>

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

/// A part with its name in documents, and the phrase for it as the largest part.
struct CostPart {
  double CostBounds::*value;
  const char* name;
  const char* phrase;
};
inline constexpr std::array<CostPart, 8> kCostParts{
    CostPart{&CostBounds::launch, "launch", "above all starting kernels"},
    CostPart{&CostBounds::issue, "issue", "above all instructions"},
    CostPart{&CostBounds::doubles, "doubles", "above all double precision"},
    CostPart{&CostBounds::shared, "shared", "above all shared memory and L1"},
    CostPart{&CostBounds::l2, "l2", "above all the way to L2"},
    CostPart{&CostBounds::memory, "memory", "above all memory"},
    CostPart{&CostBounds::atomics, "atomics", "above all atomics that meet"},
    CostPart{&CostBounds::latency, "latency", "above all latency that nothing hides"}};

inline CostBounds& CostBounds::operator+=(const CostBounds& other) {
  for (const CostPart& part : kCostParts) this->*part.value += other.*part.value;
  return *this;
}

/// The largest part.
inline const CostPart& ruling_part(const CostBounds& bounds) {
  const CostPart* most = &kCostParts.front();
  for (const CostPart& part : kCostParts) {
    if (bounds.*part.value > bounds.*most->value) most = &part;
  }
  return *most;
}

}  // namespace cudalabs::sim
