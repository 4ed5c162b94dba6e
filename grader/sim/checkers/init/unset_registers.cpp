#include "grader/sim/checkers/init/unset_registers.h"

#include "grader/sim/ptx/cfg.h"

namespace cudalabs::sim {
namespace {

using Registers = std::vector<bool>;

/// From the registers that are live behind a block to those that are live where it begins.
void pass_block(const ptx::Function& function, const Dataflow& flow, const ptx::BasicBlock& block,
                Registers& live) {
  for (std::uint32_t i = block.end; i-- > block.first;) {
    if (!function.body[i].has_guard) {
      for (const std::uint32_t reg : flow.written[i]) live[reg] = false;
    }
    for (const std::uint32_t reg : flow.read[i]) live[reg] = true;
  }
}

}  // namespace

std::vector<std::uint32_t> unset_registers(const ptx::Function& function, const Dataflow& flow) {
  std::vector<std::uint32_t> unset;
  if (function.body.empty()) return unset;
  const ptx::Cfg cfg = ptx::build_cfg(function);
  std::vector<Registers> begins(cfg.blocks.size(), Registers(function.registers.size()));
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = cfg.blocks.size(); b-- > 0;) {
      Registers live(function.registers.size());
      for (const std::uint32_t next : cfg.blocks[b].successors) {
        if (next == cfg.exit()) continue;
        for (std::size_t reg = 0; reg < live.size(); ++reg) live[reg] = live[reg] || begins[next][reg];
      }
      pass_block(function, flow, cfg.blocks[b], live);
      if (live == begins[b]) continue;
      begins[b] = std::move(live);
      changed = true;
    }
  }
  for (std::uint32_t reg = 0; reg < function.registers.size(); ++reg)
    if (begins[0][reg]) unset.push_back(reg);
  return unset;
}

}  // namespace cudalabs::sim
