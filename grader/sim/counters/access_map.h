#pragma once
// For `grader explain`: the minimum cost of each source line's memory accesses and, for shared memory, the
// access with the worst bank conflict, lane by lane. The results are the same for any number of workers.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/sim/counters/access_lines.h"
#include "grader/sim/executable/observer.h"

namespace cudalabs::sim {

class AccessMap : public Observer {
 public:
  /// Costs of the accesses of one instruction, and its worst one.
  struct Site {
    std::uint64_t shared_accesses = 0, shared_ideal_wavefronts = 0, global_ideal_sectors = 0;
    SharedExample worst;
    std::uint64_t block = 0;  ///< index of worst.block
  };

  std::unique_ptr<WorkerObserver> worker(const LaunchInfo& launch) override;
  void merge(WorkerObserver& worker) override;

  /// By file and line; lines without an access to shared or global memory are left out.
  [[nodiscard]] std::vector<LineAccesses> lines() const;

 private:
  const Program* kernel_ = nullptr;
  Dim3 grid_;
  std::unordered_map<const Program*, std::vector<Site>> sites_;
};

}  // namespace cudalabs::sim
