// The frame of a function: registers, constants, variables and parameters. Sizes come from the text and may
// be arbitrary: each is checked before it is added to another.

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/lower/reserved_shared.h"

namespace cudalabs::sim {
namespace {

constexpr std::uint64_t kLargestFrame = std::uint64_t{32} << 20;  // for a warp
constexpr std::uint64_t kMaxLocal = std::uint64_t{1} << 20;       // for a lane
constexpr std::uint64_t kMaxStaticShared = 48 * 1024;
constexpr std::uint64_t kMaxShared = std::uint64_t{16} << 20;  // of all functions together, to be reported
constexpr std::uint64_t kMaxParameters = 32764;                // as in ptxas

Refusal too_large() { return {msg::function_variables_too_large(), msg::big_arrays_hint()}; }

}  // namespace

/// Allocates `bytes` of the frame, a multiple of 64 or less than a slot.
std::uint32_t Lowering::new_room(std::uint64_t bytes) {
  if (bytes > kLargestFrame - next_slot_) {
    throw Refusal{msg::frame_too_large(kLargestFrame >> 20), msg::frame_too_large_hint()};
  }
  const std::uint32_t begin = next_slot_;
  next_slot_ += static_cast<std::uint32_t>(bytes);
  return begin;
}

/// Allocates an area for a parameter or a variable of `size` bytes.
ParamArea Lowering::new_area(std::uint64_t size) {
  if (size > kLargestFrame / kLanes) throw too_large();
  const ParamArea area{next_slot_, area_bytes(size)};
  new_room(round_up(std::uint64_t{area.bytes} * kLanes, 64));
  return area;
}

std::uint32_t Lowering::new_slot(bool wide) { return new_room(kLanes * (wide ? 8u : 4u)); }

/// Predicates are single words, allocated from the frame a cache line at a time.
std::uint32_t Lowering::new_predicate() {
  if (next_predicate_ == predicate_end_) {
    next_predicate_ = new_room(64);
    predicate_end_ = next_slot_;
  }
  next_predicate_ += 4;
  return next_predicate_ - 4;
}

bool Lowering::is_wide(std::uint32_t reg_index) const {
  return ptx::size_of(function_.registers[reg_index].type) == 8;
}

std::uint32_t Lowering::reg(std::uint32_t index) {
  std::uint32_t& slot = reg_slots_[index];
  if (slot == kNone) {
    const ptx::Type type = function_.registers[index].type;
    if (ptx::size_of(type) > 8) throw Refusal{msg::wide_register_unsupported(), msg::use_two_values_hint()};
    if (type == ptx::Type::Pred) return slot = new_predicate();
    const bool wide = ptx::size_of(type) == 8;
    const std::uint32_t number = slots_.shared[index];
    if (number == RegisterSlots::kOwn) return slot = new_slot(wide);
    const auto [it, fresh] = shared_slots_.try_emplace({wide, number}, 0);
    if (fresh) it->second = new_slot(wide);
    slot = it->second;
  }
  return slot;
}

std::uint32_t Lowering::constant(bool wide, SlotSource source, std::uint64_t value, ptx::Special special) {
  const auto key = std::tuple{wide, static_cast<int>(source), value, static_cast<int>(special)};
  const auto [it, fresh] = constants_.try_emplace(key, 0);
  if (fresh) {
    it->second = new_slot(wide);
    program_.constants.push_back({it->second, wide, source, value, special});
  }
  return it->second;
}

void Lowering::layout_variables() {
  variable_offsets_.assign(function_.variables.size(), 0);
  std::uint64_t local = 0;
  std::uint64_t shared = function_.is_entry ? program_.static_shared_bytes : 0;
  for (std::size_t v = 0; v < function_.variables.size(); ++v) {
    const ptx::Variable& variable = function_.variables[v];
    const auto align = std::max<std::uint64_t>(variable.align, 1);
    if (variable.space == ptx::Space::Local) {
      local = round_up(local, align);
      if (local > kMaxLocal || variable.size > kMaxLocal - local) throw too_large();
      variable_offsets_[v] = static_cast<std::uint32_t>(local);
      local += variable.size;
    } else if (variable.space == ptx::Space::Param) {
      variable_offsets_[v] = new_area(variable.size).offset;
    } else if (variable.space == ptx::Space::Shared && !variable.is_extern) {
      if (!function_.is_entry) {
        variable_offsets_[v] = layout_.function_offsets[function_index_][v];
        continue;
      }
      shared = round_up(shared, align);
      if (shared > kMaxShared || variable.size > kMaxShared - shared) throw too_large();
      variable_offsets_[v] = static_cast<std::uint32_t>(shared);
      program_.shared_variables.push_back(
          {variable.name, static_cast<std::uint32_t>(shared), static_cast<std::uint32_t>(variable.size)});
      shared += variable.size;
    }
  }
  if (!function_.is_entry) {
    copy_offsets_.assign(function_.params.size(), kNone);
    for (std::uint32_t at = 0; at < function_.body.size(); ++at) {
      const ptx::Instruction& in = function_.body[at];
      if (in.op != ptx::Op::Mov || in.operands.size() != 2 || flow_.written[at].size() != 1 ||
          in.operands[1].kind != ptx::OperandKind::Symbol ||
          in.operands[1].symbol_kind != ptx::SymbolKind::Parameter || names_parameter(at) ||
          !only_for_loads(flow_.written[at].front()))
        continue;
      std::uint32_t& copy = copy_offsets_[in.operands[1].symbol];
      if (copy != kNone) continue;
      local = round_up(local, 16);
      const std::uint64_t size = area_bytes(function_.params[in.operands[1].symbol].size);
      if (local > kMaxLocal || size > kMaxLocal - local) throw too_large();
      copy = static_cast<std::uint32_t>(local);
      local += size;
    }
  }
  if (std::ranges::find(function_.body, ptx::Op::Alloca, &ptx::Instruction::op) != function_.body.end()) {
    local = round_up(local, kStackAlign);
    if (local > kMaxLocal - kStackOfFunction) throw too_large();
    stack_offset_ = static_cast<std::uint32_t>(local);
    stack_taken_ = new_slot(true);
    local += kStackOfFunction;
  }
  program_.local_bytes = static_cast<std::uint32_t>(round_up(local, 16));
  if (!function_.is_entry) {
    for (const ptx::Variable& p : function_.params) program_.params.push_back(new_area(p.size));
    for (const ptx::Variable& r : function_.returns) program_.returns.push_back(new_area(r.size));
    return;
  }
  layout_parameters();
  // ptxas rejects it for every device
  if (const std::uint64_t own = shared - layout_.reserved_bytes; own > kMaxStaticShared) {
    throw Refusal{msg::static_shared_exceeded(own, kMaxStaticShared), msg::static_shared_hint()};
  }
  program_.reserved_shared_bytes = layout_.reserved_bytes;
  program_.static_shared_bytes = static_cast<std::uint32_t>(shared);
  program_.dynamic_shared_offset = static_cast<std::uint32_t>(round_up(shared, 16));
}

/// Parameters of a kernel: packed, as the host passes them.
void Lowering::layout_parameters() {
  std::uint64_t at = 0;
  for (const ptx::Variable& v : function_.params) {
    at = round_up(at, std::max<std::uint64_t>(v.align, 1));
    if (at > kMaxParameters || v.size > kMaxParameters - at) {
      throw Refusal{msg::kernel_parameters_exceeded(kMaxParameters), msg::big_objects_hint()};
    }
    program_.info.parameter_offsets.push_back(static_cast<std::uint32_t>(at));
    program_.info.parameter_sizes.push_back(static_cast<std::uint32_t>(v.size));
    at += v.size;
  }
  program_.info.parameter_bytes = static_cast<std::uint32_t>(at);
}

Result<SharedLayout> lay_out_shared(const ptx::Module& module) {
  SharedLayout layout;
  layout.reserved_bytes = reserved_shared_bytes(module);
  std::uint64_t shared = layout.reserved_bytes;
  if (shared > 0) layout.common.push_back({"what CUDA reserves", 0, layout.reserved_bytes});
  const auto fits = [&] { return shared <= kMaxShared; };
  const auto place = [&](const ptx::Variable& v) {
    shared = round_up(shared, std::max<std::uint64_t>(v.align, 1));
    const auto at = static_cast<std::uint32_t>(shared);
    layout.common.push_back({v.name, at, static_cast<std::uint32_t>(v.size)});
    shared += v.size;
    return at;
  };
  for (const ptx::Variable& v : module.variables) {
    const bool here = v.space == ptx::Space::Shared && !v.is_extern && v.size > 0 && fits();
    layout.module_offsets.push_back(here ? place(v) : 0);
  }
  for (const ptx::Function& f : module.functions) {
    auto& offsets = layout.function_offsets.emplace_back(f.variables.size(), 0);
    for (std::size_t v = 0; v < f.variables.size(); ++v) {
      const ptx::Variable& variable = f.variables[v];
      if (!f.is_entry && variable.space == ptx::Space::Shared && !variable.is_extern && fits())
        offsets[v] = place(variable);
    }
  }
  if (!fits()) {
    return error(msg::module_shared_exceeded(module.name, kMaxShared >> 20));
  }
  layout.common_bytes = static_cast<std::uint32_t>(shared);
  return layout;
}

}  // namespace cudalabs::sim
