#include "grader/sim/counters/banks.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

BankPasses bank_passes_of(const SharedBanks& banks, std::uint32_t width, const std::uint32_t* offsets,
                          std::uint32_t mask) {
  BankPasses passes;
  if (mask == 0) return passes;
  const std::uint32_t mode = banks.mode_bytes, row_bytes = banks.count * banks.bytes;
  // Addresses are relative to the lowest one: the result must not depend on the position of an array.
  std::uint32_t lowest = ~0u;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    lowest = std::min(lowest, offsets[std::countr_zero(rest)]);
  const std::uint32_t words = std::max(width / mode, 1u);
  // A pass moves at most one row; a wider access is served by fewer lanes at a time.
  const std::uint32_t step = std::min(banks.lanes, std::max(row_bytes / std::max(width, mode), 1u));
  for (std::uint32_t first = 0; first < kLanes; first += step) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> met;  // bank, row
    for (std::uint32_t lane = first; lane < std::min(first + step, kLanes); ++lane) {
      if (((mask >> lane) & 1u) == 0) continue;
      for (std::uint32_t w = 0; w < words; ++w) {
        const std::uint32_t place = offsets[lane] - lowest + w * mode;
        met.emplace_back(place / mode % banks.count, place / row_bytes);
      }
    }
    std::sort(met.begin(), met.end());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    std::uint32_t most = 0, run = 0;
    for (std::size_t i = 0; i < met.size(); ++i) {
      run = i > 0 && met[i].first == met[i - 1].first ? run + 1 : 1;
      most = std::max(most, run);
    }
    passes.wavefronts += most;
    passes.least += met.empty() ? 0 : 1;
  }
  return passes;
}

}  // namespace cudalabs::sim
