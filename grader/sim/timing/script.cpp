#include "grader/sim/timing/script.h"

#include <algorithm>

namespace cudalabs::sim {
namespace {

/// Instructions in a line of machine code: 128 bytes, 16 for each.
constexpr std::uint32_t kInstructionsOfLine = 8;

}  // namespace

Scripts::Scripts(const std::vector<TracedBlock>& traces, const CodeOf& code)
    : traces_(traces), list_(traces.size()) {
  for (const auto& [program, machine] : code) {
    entries_[program] = {machine, static_cast<std::uint32_t>(placed.size())};
    for (const MachineOp& op : machine->ops)
      placed.push_back(
          {&op, machine->registers.data() + op.registers, registers, lines + op.place / kInstructionsOfLine});
    lines += machine->length / kInstructionsOfLine + 1;
    registers += machine->register_count;
  }
}

const Script& Scripts::of(std::size_t trace) {
  Script& script = list_[trace];
  if (script.block == nullptr) {
    script.block = &traces_[trace];
    for (const auto& steps : script.block->warps) add_warp(script, steps);
  }
  return script;
}

void Scripts::add_warp(Script& script, const std::vector<TracedStep>& steps) {
  std::vector<ScriptOp>& ops = script.warps.emplace_back();
  ops.reserve(steps.size());
  std::vector<std::span<const TracedStep>> turns;
  for (std::size_t i = 0; i < steps.size();) {
    const Entry& entry = entries_.at(steps[i].program);
    const MachineCode& machine = *entry.machine;
    const std::uint32_t number = machine.piece_of[steps[i].instruction];
    const MachinePiece& piece = machine.pieces[number];
    const auto from = [&](std::size_t begin) {  // the steps of one turn; none if it belongs to another piece
      std::size_t end = begin;
      while (end < steps.size() && steps[end].program == steps[i].program &&
             machine.piece_of[steps[end].instruction] == number &&
             (end == begin || steps[end].instruction > steps[end - 1].instruction))
        ++end;
      return std::span{steps.data() + begin, end - begin};
    };
    turns.assign(1, from(i));
    std::size_t end = i + turns[0].size();
    while (turns.size() < piece.turns) {
      const auto next = from(end);
      if (next.size() + 1 < turns[0].size()) break;  // the last turn may leave by a branch before the end
      turns.push_back(next);
      end += next.size();
    }
    const bool unrolls = turns.size() > 1 && turns.size() == piece.turns;
    if (!unrolls) turns.resize(1);
    for (std::uint32_t k = piece.first; k < piece.end; ++k)
      script.slots += turns.size() * machine.ops[k].counted;
    add_ops(script.issued, ops, entry, unrolls ? piece.unrolled_first : piece.first,
            unrolls ? piece.unrolled_end : piece.end, turns);
    for (const auto& turn : turns) i += turn.size();
  }
  script.ops += ops.size();
}

void Scripts::add_ops(std::uint64_t& issued, std::vector<ScriptOp>& ops, const Entry& entry,
                      std::uint32_t first, std::uint32_t end,
                      std::span<const std::span<const TracedStep>> turns) {
  for (std::uint32_t k = first; k < end; ++k) {
    const MachineOp& op = entry.machine->ops[k];
    const std::span<const TracedStep> steps = turns[op.turn];
    std::uint32_t access = TracedStep::kNoAccess;
    if (op.unit == Unit::Memory && !steps.empty()) {
      // Usually all were executed, one after the other.
      const std::size_t guess = op.instruction - steps.front().instruction;
      const auto it = guess < steps.size() && steps[guess].instruction == op.instruction
                          ? steps.begin() + static_cast<std::ptrdiff_t>(guess)
                          : std::lower_bound(steps.begin(), steps.end(), op.instruction,
                                             [](const TracedStep& step, std::uint32_t at) {
                                               return step.instruction < at;
                                             });
      if (it != steps.end() && it->instruction == op.instruction) access = it->access;
    }
    issued += op.slots;
    ops.push_back({entry.first + k, access});
  }
}

}  // namespace cudalabs::sim
