#include "grader/sim/timing/contention.h"

#include <algorithm>
#include <bit>

#include "grader/sim/executable/atomic_access.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/ptx/ir.h"

namespace cudalabs::sim {
namespace {

// Measured on an H200 (docs/estimate.md, "Atomics"), in hundredths of a clock.
constexpr std::uint64_t kSectorOfFloats = 113;  // for up to 8 lanes, each with a distinct element
constexpr std::uint64_t kSectorOfDoubles = 226;
constexpr std::uint64_t kAgain = 135;  // the same sector for another lane of one element
/// Sums one after the other on one element, without other work.
constexpr std::uint64_t kFloat = 340;

constexpr std::uint64_t kPlaceBytes = 256;

class ContentionWorker : public WorkerObserver {
 public:
  [[nodiscard]] bool every_access() const override { return false; }
  [[nodiscard]] bool only_global() const override { return true; }

  void access(const WarpAccess& a) override {
    if (a.kind != AccessKind::Atomic || a.space != AccessSpace::Global) return;
    const ptx::Type type = a.program->function->body[a.program->source[a.instruction]].type();
    const std::uint64_t one = ptx::is_float(type) ? kFloat : kAgain;
    const std::uint64_t sector = type == ptx::Type::F64 ? kSectorOfDoubles : kSectorOfFloats;
    for (std::uint32_t left = atomic_lanes(a); left != 0;) left = meet(a, left, one, sector);
  }

  ContentionObserver::Busy busy{};

 private:
  /// Removes the lanes from `left` that access the same place as the first of them.
  std::uint32_t meet(const WarpAccess& a, std::uint32_t left, std::uint64_t one, std::uint64_t sector) {
    const std::uint64_t place = a.addresses[std::countr_zero(left)] / kPlaceBytes;
    std::array<std::uint8_t, kPlaceBytes / 2> at{};  // lanes by element; the smallest element has two bytes
    std::array<std::uint8_t, kPlaceBytes / kSectorBytes> most{};  // by sector: lanes of its busiest element
    for (std::uint32_t mask = left; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      const std::uint64_t address = a.addresses[lane];
      if (address / kPlaceBytes != place) continue;
      left &= ~(1u << lane);
      const auto offset = static_cast<std::uint32_t>(address % kPlaceBytes);
      std::uint8_t& lanes = most[offset / kSectorBytes];
      lanes = std::max(lanes, ++at[offset / 2]);
    }
    std::uint64_t passes = 0;
    for (const std::uint64_t lanes : most) passes += lanes == 0 ? 0 : sector + (lanes - 1) * kAgain;
    busy[(place * 0x9E3779B97F4A7C15u >> 32) % ContentionObserver::kSlices] +=
        std::max(passes, *std::ranges::max_element(most) * one);
    return left;
  }
};

}  // namespace

std::unique_ptr<WorkerObserver> ContentionObserver::worker(const LaunchInfo&) {
  return std::make_unique<ContentionWorker>();
}

void ContentionObserver::merge(WorkerObserver& worker) {
  const auto& met = static_cast<ContentionWorker&>(worker).busy;
  for (std::size_t i = 0; i < busy_.size(); ++i) busy_[i] += met[i];
}

double ContentionObserver::clocks() const {
  return static_cast<double>(*std::ranges::max_element(busy_)) / 100;
}

}  // namespace cudalabs::sim
