#include "grader/simulator/cost/script.h"

#include <algorithm>

namespace cudalabs::sim {
namespace {

/// Instructions of a line of machine code: 128 bytes, 16 each.
constexpr std::uint32_t kInstructionsOfLine = 8;

}  // namespace

Scripts::Scripts(const std::vector<TracedBlock>& traces, const CodeOf& code) {
  for (const auto& [program, machine] : code) {
    entries_[program] = {&machine, registers, lines};
    lines += machine.length / kInstructionsOfLine + 1;
    registers += static_cast<std::uint32_t>(program->function->registers.size());
  }
  for (const TracedBlock& block : traces) {
    Script& script = list.emplace_back();
    script.block = &block;
    for (const auto& steps : block.warps) add_warp(script, steps);
  }
}

void Scripts::add_warp(Script& script, const std::vector<TracedStep>& steps) {
  std::vector<ScriptOp>& ops = script.warps.emplace_back();
  const MachinePiece* last = nullptr;
  std::uint32_t turn = 0;
  for (std::size_t i = 0; i < steps.size();) {
    const Entry& entry = entries_.at(steps[i].program);
    const std::uint32_t piece = entry.machine->piece_of[steps[i].instruction];
    std::size_t end = i + 1;
    while (end < steps.size() && steps[end].program == steps[i].program &&
           entry.machine->piece_of[steps[end].instruction] == piece &&
           steps[end].instruction > steps[end - 1].instruction)
      ++end;
    const MachinePiece& now = entry.machine->pieces[piece];
    for (std::uint32_t k = now.first; k < now.end; ++k) script.slots += entry.machine->ops[k].counted;
    turn = &now == last ? turn + 1 : 0;
    last = &now;
    add_piece(ops, entry, now, {steps.data() + i, end - i}, turn % std::max(now.unrolled, 1u) == 0);
    i = end;
  }
  script.ops += ops.size();
}

void Scripts::add_piece(std::vector<ScriptOp>& ops, const Entry& entry, const MachinePiece& piece,
                        std::span<const TracedStep> steps, bool counts) {
  for (std::uint32_t k = piece.first; k < piece.end; ++k) {
    const MachineOp& op = entry.machine->ops[k];
    if (op.counts && !counts) continue;
    std::uint32_t access = TracedStep::kNoAccess;
    if (op.unit == Unit::Memory) {
      const auto it =
          std::lower_bound(steps.begin(), steps.end(), op.instruction,
                           [](const TracedStep& step, std::uint32_t at) { return step.instruction < at; });
      if (it != steps.end() && it->instruction == op.instruction) access = it->access;
    }
    ops.push_back({&op, entry.machine->registers.data() + op.registers, entry.base, access,
                   entry.first_line + op.place / kInstructionsOfLine});
  }
}

}  // namespace cudalabs::sim
