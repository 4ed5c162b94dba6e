#include "grader/sim/ops/load_times.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace cudalabs::sim {
namespace {}

std::uint32_t bank_passes(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width) {
  constexpr std::uint32_t kBanks = 32, kBankBytes = 4;
  std::array<std::vector<std::uint32_t>, kBanks> words;
  std::size_t most = 1;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint32_t first = offsets[std::countr_zero(mask)] / kBankBytes;
    for (std::uint32_t word = first; word < first + std::max(width / kBankBytes, 1u); ++word) {
      auto& bank = words[word % kBanks];
      if (std::ranges::find(bank, word) == bank.end()) bank.push_back(word);
      most = std::max(most, bank.size());
    }
  }
  return static_cast<std::uint32_t>(most);
}

std::uint64_t LoadTimes::global(std::uint64_t address, bool past_l1) {
  Entered& sector = sectors_[address / kSectorBytes];
  const auto holds = [](std::uint64_t entered, std::uint64_t last, std::uint64_t bytes) {
    return entered != 0 && last - entered < bytes / kSectorBytes;
  };
  if (!past_l1 && holds(sector.l1, in_l1_, latencies_.l1_bytes)) return latencies_.l1;
  if (!past_l1) sector.l1 = ++in_l1_;
  if (holds(sector.l2, in_l2_, latencies_.l2_bytes)) return latencies_.l2;
  sector.l2 = ++in_l2_;
  return latencies_.memory;
}

}  // namespace cudalabs::sim
