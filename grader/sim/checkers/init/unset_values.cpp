#include "grader/sim/checkers/init/unset_values.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "grader/sim/checkers/init/unset_registers.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using ptx::Op;
using ptx::Operand;
using ptx::OperandKind;

constexpr u32 kMaxLocal = 16 << 10;  ///< bytes of a thread; more would take too much memory for a block

const ptx::Instruction& instruction_at(const CodePlace& place) {
  return place.program->function->body[place.program->source[place.instruction]];
}
bool has_instruction(const CodePlace& place) {
  return place.program->source[place.instruction] < place.program->function->body.size();
}

/// The values that a load or a store transfers, consecutive in memory.
std::span<const Operand> transferred(const ptx::Instruction& in) {
  const Operand& values = in.operands[in.op == Op::Ld ? 0 : 1];
  if (values.kind == OperandKind::Vector) return values.elements;
  return {&values, 1};
}

bool has_local(const ptx::Function& function) {
  return std::ranges::any_of(function.variables,
                             [](const ptx::Variable& v) { return v.space == ptx::Space::Local; });
}

/// Its result comes from elsewhere than the values of its operands in the same lane.
bool brings_value(const ptx::Instruction& in) {
  const ptx::Traits& traits = ptx::traits_of(in.op);
  return in.op == Op::Call || traits.exchange || traits.joined || ptx::access_of(in) != ptx::Access::None;
}

}  // namespace

UnsetValues::Code::Code(const ptx::Function& function) : flow(function), decides(function.body.size()) {
  unset = unset_registers(function, flow);
  const auto is_branch = [&](const Dataflow::Reader& reader) {
    const ptx::Instruction& in = function.body[reader.instruction];
    return in.op == Op::Bra && in.has_guard;
  };
  for (u32 i = 0; i < function.body.size(); ++i) {
    for (const Operand& o : function.body[i].operands)
      begins_with_label |= o.kind == OperandKind::Label && o.label == 0;
    decides[i] = flow.written[i].size() == 1 && !flow.readers[flow.written[i].front()].empty() &&
                 std::ranges::all_of(flow.readers[flow.written[i].front()], is_branch);
  }
}

UnsetValues::UnsetValues(const Program& kernel, Report report) : kernel_(kernel), report_(std::move(report)) {
  any_ = has_local(*kernel.function) || (!kernel.writes_first && !code_of(kernel).unset.empty());
}

const UnsetValues::Code& UnsetValues::code_of(const Program& program) {
  auto& code = codes_[&program];
  if (!code) code = std::make_unique<Code>(*program.function);
  return *code;
}

UnsetValues::Warp& UnsetValues::warp_of(u32 warp) {
  Warp& state = block_->warps[warp];
  if (state.local.empty() && kernel_.local_bytes <= kMaxLocal)
    state.local.resize(kernel_.local_bytes, {kAllLanes, {}});
  return state;
}

std::vector<UnsetValues::Unset>& UnsetValues::registers(Warp& warp, u32 depth, const Program& program) {
  const auto [at, fresh] = warp.frames.try_emplace({depth, &program});
  if (fresh) {
    at->second.resize(program.function->registers.size());
    for (const u32 reg : code_of(program).unset) at->second[reg].lanes = kAllLanes;
  }
  return at->second;
}

/// What an instruction computes is unset if an operand is. A choice between values, or a conjunction that may
/// leave one out, is unset if all of them are, or if what chooses is.
UnsetValues::Unset UnsetValues::result(const ptx::Instruction& in,
                                       const std::vector<Unset>& registers) const {
  Unset of_result;
  if (brings_value(in)) return of_result;
  const bool all = in.op == Op::Selp || in.op == Op::And || in.op == Op::Or;
  bool first = true;
  Unset chooser;
  const auto take = [&](u32 lanes, const CodePlace& place) {
    of_result.lanes = !all || first ? of_result.lanes | lanes : of_result.lanes & lanes;
    first = false;
    if (of_result.first.program == nullptr) of_result.first = place;
  };
  for (std::size_t k = 1; k < in.operands.size(); ++k) {
    const Operand& o = in.operands[k];
    if (in.op == Op::Selp && k == 3) {
      chooser = registers[o.reg];
    } else if (o.kind == OperandKind::Register) {
      take(registers[o.reg].lanes, registers[o.reg].first);
    } else if (o.kind == OperandKind::Vector) {  // the parts of one value: another instruction may drop some
      u32 lanes = kAllLanes;
      for (const Operand& part : o.elements)
        lanes &= part.kind == OperandKind::Register ? registers[part.reg].lanes : 0;
      take(lanes, {});
    } else if (all) {
      take(0, {});
    }
  }
  if (chooser.lanes != 0 && of_result.lanes == 0) of_result.first = chooser.first;
  of_result.lanes |= chooser.lanes;
  return of_result;
}

void UnsetValues::use(const Unset& value, u32 lanes, u32 warp, const CodePlace& place) {
  if ((value.lanes & lanes) == 0) return;
  report_(value.first.program != nullptr ? value.first : place, warp, value.lanes & lanes);
}

void UnsetValues::step(const WarpStep& step) {
  depth_ = step.depth;
  const CodePlace place{step.program, step.instruction};
  if (!has_instruction(place)) return;
  const u32 index = step.program->source[step.instruction];
  const ptx::Instruction& in = instruction_at(place);
  const Code& code = code_of(*step.program);
  std::vector<Unset>& values = registers(warp_of(step.warp), step.depth, *step.program);
  if (index == step.program->source.front() && !code.begins_with_label) {
    for (const u32 reg : code.unset) values[reg] = {values[reg].lanes | step.mask, {}};
  }
  for (const Operand& o : in.operands) {
    if (o.kind == OperandKind::Address && o.base_is_register) use(values[o.reg], step.mask, step.warp, place);
  }
  // A product of matrices takes each element of its operands.
  for (std::size_t k = 1; ptx::is_matrix(in.op) && k < in.operands.size(); ++k) {
    for (const Operand& part : in.operands[k].elements)
      if (part.kind == OperandKind::Register) use(values[part.reg], step.mask, step.warp, place);
  }
  Unset value = result(in, values);
  if (value.lanes != 0 && value.first.program == nullptr && in.op != Op::Mov) value.first = place;
  if (code.decides[index]) use(value, step.mask, step.warp, place);
  for (const u32 reg : code.flow.written[index]) {
    Unset& written = values[reg];
    written.lanes = (written.lanes & ~step.mask) | (value.lanes & step.mask);
    if ((value.lanes & step.mask) != 0) written.first = value.first;
  }
}

void UnsetValues::access(const WarpAccess& a) {
  const CodePlace place{a.program, a.instruction};
  if (!has_instruction(place)) return;
  const ptx::Instruction& in = instruction_at(place);
  Warp& warp = warp_of(a.warp);
  std::vector<Unset>& values = registers(warp, depth_, *a.program);
  if (a.space == AccessSpace::Local) {
    if (in.op == Op::Ld) return load_local(a, in, warp, values);
    return store_local(a, in, warp, values);
  }
  if (in.op != Op::St || (a.space != AccessSpace::Global && a.space != AccessSpace::Shared)) return;
  // A vector with unset elements is a structure of which a part is unused.
  Unset all{kAllLanes, {}};
  for (const Operand& o : transferred(in)) {
    if (o.kind != OperandKind::Register) return;
    all.lanes &= values[o.reg].lanes;
    if (all.first.program == nullptr) all.first = values[o.reg].first;
  }
  use(all, a.mask, a.warp, place);
}

void UnsetValues::load_local(const WarpAccess& a, const ptx::Instruction& in, Warp& warp,
                             std::vector<Unset>& registers) {
  const auto bytes = static_cast<u32>(ptx::size_of(in.type()));
  u32 at = 0;
  for (const Operand& o : transferred(in)) {
    Unset value{0, {}};
    for (u32 left = a.mask; left != 0; left &= left - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(left));
      const u32 begin = a.offsets[lane] + at;
      for (u32 byte = begin; byte < begin + bytes && byte < warp.local.size(); ++byte) {
        if ((warp.local[byte].lanes >> lane & 1) == 0) continue;
        value.lanes |= 1u << lane;
        if (value.first.program == nullptr) value.first = warp.local[byte].first;
      }
    }
    if (value.first.program == nullptr) value.first = {a.program, a.instruction};
    if (o.kind == OperandKind::Register) {
      Unset& written = registers[o.reg];
      written.lanes = (written.lanes & ~a.mask) | value.lanes;
      if (value.lanes != 0) written.first = value.first;
    }
    at += bytes;
  }
}

void UnsetValues::store_local(const WarpAccess& a, const ptx::Instruction& in, Warp& warp,
                              const std::vector<Unset>& registers) {
  const bool stores = in.op == Op::St;
  const auto bytes = stores ? static_cast<u32>(ptx::size_of(in.type())) : a.width;
  for (u32 left = a.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<u32>(std::countr_zero(left));
    for (u32 at = 0; at < a.width && a.offsets[lane] + at < warp.local.size(); ++at) {
      Unset& byte = warp.local[a.offsets[lane] + at];
      const Operand* const o = stores ? &transferred(in)[at / bytes] : nullptr;
      const bool unset =
          o != nullptr && o->kind == OperandKind::Register && (registers[o->reg].lanes >> lane & 1) != 0;
      byte.lanes = (byte.lanes & ~(1u << lane)) | u32{unset} << lane;
      if (unset) byte.first = registers[o->reg].first;
    }
  }
}

}  // namespace cudalabs::sim
