#include "grader/sim/checkers/init/uninitialized_propagation.h"

#include <algorithm>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

/// The values that a load or a store transfers, consecutive in memory.
std::span<const ptx::Operand> values_of(const ptx::Instruction& in) {
  const ptx::Operand& values = in.operands[in.op == ptx::Op::Ld ? 0 : 1];
  if (values.kind == ptx::OperandKind::Vector) return values.elements;
  return {&values, 1};
}

const ptx::Instruction& instruction_of(const WarpAccess& a) {
  return a.program->function->body[a.program->source[a.instruction]];
}

/// Calls `visit` with each register among the values and the offset of its first byte.
template <class Visit>
void each_register(const ptx::Instruction& in, const Visit& visit) {
  const auto bytes = static_cast<std::uint32_t>(ptx::size_of(in.type()));
  std::uint32_t at = 0;
  for (const ptx::Operand& value : values_of(in)) {
    if (value.kind == ptx::OperandKind::Register) visit(value.reg, at, bytes);
    at += bytes;
  }
}

}  // namespace

void UninitializedPropagation::end_block(std::uint64_t block) {
  std::erase_if(carried_, [&](const auto& one) { return std::get<0>(one.first) == block; });
}

void UninitializedPropagation::load(std::uint64_t block, const WarpAccess& a, std::uint32_t lane,
                                    std::uint32_t unwritten) {
  const ptx::Instruction& in = instruction_of(a);
  if (in.op != ptx::Op::Ld) return;
  each_register(in, [&](std::uint32_t reg, std::uint32_t at, std::uint32_t bytes) {
    const auto part = static_cast<std::uint8_t>(unwritten >> at & ((1u << bytes) - 1));
    const Key key{block, a.warp, a.program, reg};
    const auto known = carried_.find(key);
    if (known != carried_.end())
      known->second[lane] = part;
    else if (part != 0)
      carried_[key][lane] = part;
  });
}

std::uint32_t UninitializedPropagation::stored(std::uint64_t block, const WarpAccess& a,
                                               std::uint32_t lane) const {
  std::uint32_t unwritten = 0;
  const ptx::Instruction& in = instruction_of(a);
  if (in.op != ptx::Op::St) return 0;
  each_register(in, [&](std::uint32_t reg, std::uint32_t at, std::uint32_t bytes) {
    const auto known = carried_.find({block, a.warp, a.program, reg});
    if (known != carried_.end()) unwritten |= (known->second[lane] & ((1u << bytes) - 1)) << at;
  });
  return unwritten;
}

bool only_moves(const ptx::Function& function, const Dataflow& flow, std::uint32_t instruction) {
  const ptx::Instruction& in = function.body[instruction];
  if (in.op != ptx::Op::Ld || in.operands.size() < 2 || ptx::is_strong(in)) return false;
  bool moves = true;
  each_register(in, [&](std::uint32_t reg, std::uint32_t, std::uint32_t) {
    moves = moves && flow.writers[reg].size() == 1 &&
            std::ranges::all_of(flow.readers[reg], [&](const Dataflow::Reader& reader) {
              const ptx::Instruction& store = function.body[reader.instruction];
              return store.op == ptx::Op::St && reader.role == Dataflow::Role::Value &&
                     (store.space == ptx::Space::Global || store.space == ptx::Space::Shared ||
                      store.space == ptx::Space::Generic) &&
                     !(store.has_guard && store.guard == reg);
            });
  });
  return moves;
}

}  // namespace cudalabs::sim
