#pragma once
// What an estimated time is made of: a value that travels to whoever explains it.

#include <array>

namespace cudalabs::sim {

/// What an estimated time is spent on, in nanoseconds: the parts of what the warps
/// waited for (docs/estimate.md).
struct CostBounds {
  double launch = 0;   ///< starting a kernel at all
  double issue = 0;    ///< machine instructions, and waiting for their units
  double doubles = 0;  ///< the same of double precision
  double shared = 0;   ///< the pipe of shared memory and L1
  double l2 = 0;       ///< the way to L2
  double memory = 0;   ///< memory
  double atomics = 0;  ///< those that wait for each other in one place of L2
  double latency = 0;  ///< ways, chains and barriers that the resident warps cannot hide
  [[nodiscard]] double total() const {
    return launch + issue + doubles + shared + l2 + memory + atomics + latency;
  }
  CostBounds& operator+=(const CostBounds& other);
};

/// A part by its name in documents, and what is said where it is the largest.
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
