#include "grader/sim/timing/schedule/register_pressure.h"

#include <algorithm>

namespace cudalabs::sim {

std::uint32_t RegisterPressure::add_value(std::size_t words) {
  values_.push_back({words, 0});
  return static_cast<std::uint32_t>(values_.size() - 1);
}

void RegisterPressure::add_before(std::uint32_t reg, std::size_t words) {
  now_[reg] = add_value(words);
  alive_ += words;
}

void RegisterPressure::add_read(std::uint32_t instruction, std::uint32_t reg) {
  const auto it = now_.find(reg);
  if (it == now_.end()) return;
  std::vector<std::uint32_t>& reads = reads_[instruction];
  if (std::ranges::find(reads, it->second) != reads.end()) return;
  reads.push_back(it->second);
  ++values_[it->second].readers;
}

void RegisterPressure::add_write(std::uint32_t instruction, std::uint32_t reg, std::size_t words) {
  writes_[instruction].push_back(now_[reg] = add_value(words));
}

void RegisterPressure::keep(std::uint32_t reg) {
  if (const auto it = now_.find(reg); it != now_.end()) ++values_[it->second].readers;
}

bool RegisterPressure::fits(std::uint32_t instruction, std::size_t limit) const {
  std::size_t made = 0, freed = 0;
  for (const std::uint32_t v : writes_[instruction]) made += values_[v].words;
  for (const std::uint32_t v : reads_[instruction]) freed += values_[v].readers == 1 ? values_[v].words : 0;
  return made <= freed || alive_ + made - freed <= limit;
}

bool RegisterPressure::start(std::uint32_t instruction) {
  const std::size_t before = alive_;
  for (const std::uint32_t v : reads_[instruction]) {
    if (--values_[v].readers == 0) alive_ -= values_[v].words;
  }
  for (const std::uint32_t v : writes_[instruction]) alive_ += values_[v].readers == 0 ? 0 : values_[v].words;
  return alive_ < before;
}

}  // namespace cudalabs::sim
