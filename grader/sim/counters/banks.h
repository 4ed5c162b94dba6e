#pragma once
// Bank conflicts on devices whose shared-memory banks differ from those of docs/counters.md.

#include <cstdint>

#include "grader/sim/base/shared_banks.h"

namespace cudalabs::sim {

/// What one access costs.
struct BankPasses {
  std::uint32_t wavefronts = 0;
  std::uint32_t least = 0;  ///< wavefronts without a conflict
};

/// `offsets`: byte offsets of 32 lanes; those outside `mask` are not read.
BankPasses bank_passes_of(const SharedBanks& banks, std::uint32_t width, const std::uint32_t* offsets,
                          std::uint32_t mask);

}  // namespace cudalabs::sim
