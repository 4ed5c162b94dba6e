// Loads, stores, atomics, copies to shared memory and moves of addresses.

#include <algorithm>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/analysis/control_dependent_loads.h"
#include "grader/sim/analysis/selected_loads.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/memory/address.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {

void Lowering::move(const ptx::Instruction& in) {
  const ptx::Operand& d = operand(in, 0);
  const ptx::Operand& s = operand(in, 1);
  const ptx::Type type = in.type();
  if (type == ptx::Type::Pred) {
    const std::uint32_t p = read_predicate(s);
    Inst& i = emit(WarpOp::PredMov);
    i.d = reg(d);
    i.a = p;
    return;
  }
  if (s.kind == ptx::OperandKind::Vector || d.kind == ptx::OperandKind::Vector) {
    const bool pack = s.kind == ptx::OperandKind::Vector;
    const auto& parts = pack ? s.elements : d.elements;
    std::vector<std::uint32_t> slots;
    const int part_bits = ptx::size_of(type) * 8 / static_cast<int>(parts.size());
    if ((part_bits != 8 && part_bits != 16 && part_bits != 32) ||
        ptx::size_of(type) > (part_bits == 8 ? 4 : 8)) {
      throw Refusal{msg::packing_unsupported()};
    }
    for (const ptx::Operand& e : parts) {
      slots.push_back(e.kind == ptx::OperandKind::Sink ? kNone
                      : pack                           ? read(e, part_bits == 32   ? ptx::Type::B32
                                                                 : part_bits == 16 ? ptx::Type::B16
                                                                                   : ptx::Type::B8)
                                                       : reg(e));
    }
    const std::uint32_t whole = pack ? reg(d) : read(s, type);
    const WarpOp op = part_bits == 8            ? (pack ? WarpOp::Pack8 : WarpOp::Unpack8)
                      : part_bits == 32         ? (pack ? WarpOp::Pack32x2 : WarpOp::Unpack32x2)
                      : ptx::size_of(type) == 4 ? (pack ? WarpOp::Pack16x2 : WarpOp::Unpack16x2)
                                                : (pack ? WarpOp::Pack16x4 : WarpOp::Unpack16x4);
    const std::uint32_t x = extras(std::move(slots));
    Inst& i = emit(op);
    (pack ? i.d : i.a) = whole;
    i.extra = x;
    return;
  }
  const std::uint32_t a = read(s, type);
  const Target t = write(d, type);
  emit(wide_type(type) ? Arith::Mov64 : Arith::Mov32, t.slot, a);
  finish_write(t);
}

// clang uses a register as the name of a structure parameter. In a device function that is not an address,
// because parameter areas are in the warp's frame. So the register is traced to the parameter that it names;
// if the offset is only known at run time, the parameter is copied to local memory, as in ptxas.
constexpr int kMaxNames = 64;  // maximum chain length

std::optional<Lowering::ParameterPlace> Lowering::parameter_place(std::uint32_t reg, int depth) const {
  if (function_.is_entry || depth > kMaxNames || flow_.writers[reg].size() != 1) return {};
  const ptx::Instruction& in = function_.body[flow_.writers[reg].front()];
  const bool sum =
      in.op == ptx::Op::Add && in.operands.size() == 3 && in.operands[2].kind == ptx::OperandKind::Immediate;
  const bool move = in.op == ptx::Op::Mov && in.operands.size() == 2;
  if (in.has_guard || !(sum || move) || ptx::is_float(in.type()) || ptx::size_of(in.type()) != 8) return {};
  const ptx::Operand& from = in.operands[1];
  if (move && from.kind == ptx::OperandKind::Symbol && from.symbol_kind == ptx::SymbolKind::Parameter)
    return ParameterPlace{from.symbol, from.offset};
  if (from.kind != ptx::OperandKind::Register) return {};
  auto place = parameter_place(from.reg, depth + 1);
  if (place && sum &&
      __builtin_add_overflow(place->offset, static_cast<std::int64_t>(in.operands[2].bits), &place->offset))
    return {};
  return place;
}

/// True if it only writes a register that names a parameter: the register holds no value.
bool Lowering::names_parameter(std::uint32_t instruction, int depth) const {
  const auto& written = flow_.written[instruction];
  if (function_.is_entry || depth > kMaxNames || written.size() != 1 || !parameter_place(written.front()))
    return false;
  return std::ranges::all_of(flow_.readers[written.front()], [&](const Dataflow::Reader& reader) {
    const ptx::Instruction& in = function_.body[reader.instruction];
    return reader.role == Dataflow::Role::Address ? in.op == ptx::Op::Ld && in.space == ptx::Space::Param
                                                  : names_parameter(reader.instruction, depth + 1);
  });
}

/// True if all values computed from the register are addresses of parameter loads.
bool Lowering::only_for_loads(std::uint32_t reg) const {
  std::vector<std::uint32_t> left{reg};
  std::vector<bool> seen(function_.registers.size(), false);
  while (!left.empty()) {
    const std::uint32_t next = left.back();
    left.pop_back();
    if (seen[next]) continue;
    seen[next] = true;
    for (const Dataflow::Reader& reader : flow_.readers[next]) {
      using enum ptx::Op;
      const ptx::Instruction& in = function_.body[reader.instruction];
      const bool load = in.op == Ld && in.space == ptx::Space::Param;
      if (reader.role == Dataflow::Role::Address
              ? !load
              : in.op != Mov && in.op != Add && in.op != Sub && in.op != Mad && in.op != Selp)
        return false;
      if (!load) std::ranges::copy(flow_.written[reader.instruction], std::back_inserter(left));
    }
  }
  return true;
}

/// The address of the copy, which is created here: nothing writes to it.
std::uint32_t Lowering::copied_parameter(std::uint32_t parameter) {
  const ParamArea& area = program_.params[parameter];
  const std::uint32_t address = constant(true, SlotSource::LocalAddress, copy_offsets_[parameter]);
  const std::uint32_t value = new_slot(true);
  for (std::uint32_t at = 0; at < area.bytes; at += sizeof(std::uint64_t)) {
    Inst& load = emit(memory_handlers(MemorySpace::ParamArea, Element::U64in64, true, false));
    load.b = area.offset;
    load.c = area.bytes;
    load.d = value;
    load.imm = at;
    load.width = sizeof(std::uint64_t);
    Inst& store = emit(memory_handlers(MemorySpace::Local, Element::U64in64, true, true), Flow::Checked);
    store.a = address;
    store.d = value;
    store.imm = at;
    store.width = sizeof(std::uint64_t);
  }
  return address;
}

/// Memory behind the function's variables. Allocations are whole multiples of the alignment.
void Lowering::stack(const ptx::Instruction& in) {
  if (ptx::size_of(in.type()) != 8)
    throw Refusal{msg::narrow_generic_address(), msg::compile_for_64_bits_hint()};
  if (stack_taken_ == kNone) throw Refusal{msg::alloca_absent()};
  if (in.op == ptx::Op::Stackrestore) {
    emit(Arith::Mov64, stack_taken_, read(operand(in, 0), in.type()));
    return;
  }
  if (in.op == ptx::Op::Stacksave) {
    const Target saved = write(operand(in, 0), in.type());
    emit(Arith::Mov64, saved.slot, stack_taken_);
    finish_write(saved);
    return;
  }
  std::uint64_t align = in.operands.size() > 2 ? operand(in, 2).bits : 8;
  if (align == 0 || (align & (align - 1)) != 0 || align > kStackAlign)
    throw Refusal{msg::alloca_alignment_wrong(kStackAlign)};
  align = std::max<std::uint64_t>(align, 8);
  const std::uint32_t size = read(operand(in, 1), in.type());
  const std::uint32_t whole = new_slot(true), mask = value64(~(align - 1));
  emit(Arith::AddU64, stack_taken_, stack_taken_, value64(align - 1));
  emit(Arith::And64, stack_taken_, stack_taken_, mask);
  Inst& check = emit(WarpOp::StackHolds, Flow::Checked);
  check.a = size;
  check.b = stack_taken_;
  check.imm = static_cast<std::int64_t>(kStackOfFunction);
  const Target place = write(operand(in, 0), in.type());
  emit(Arith::AddU64, whole, stack_taken_, constant(true, SlotSource::LocalAddress, stack_offset_));
  emit(Arith::AddU64, stack_taken_, stack_taken_, size);
  emit(Arith::Mov64, place.slot, whole);
  finish_write(place);
}

void Lowering::address_conversion(const ptx::Instruction& in) {
  const ptx::Type type = in.type();
  if (!wide_type(type)) throw Refusal{msg::narrow_generic_address(), msg::compile_for_64_bits_hint()};
  const std::uint32_t a = read(operand(in, 1), type);
  const std::uint64_t window = in.space == ptx::Space::Shared  ? kSharedWindow
                               : in.space == ptx::Space::Local ? kLocalWindow
                               : in.space == ptx::Space::Param ? kParamWindow
                                                               : 0;
  const std::uint32_t d = reg(operand(in, 0));
  if (window == 0)
    emit(Arith::Mov64, d, a);
  else
    emit(in.has(ptx::Mod::To) ? Arith::SubU64 : Arith::AddU64, d, a, value64(window));
}

/// Where a load or a store finds its memory.
struct Lowering::AccessPlace {
  MemorySpace space = MemorySpace::Generic;
  std::uint32_t base = kNone, area_offset = kNone, area_stride = 0;
  bool wide = true;
  std::int64_t offset = 0;
};

/// What a load or a store moves: one slot, or a list of them.
struct Lowering::AccessData {
  Element kind = Element::U32in32;
  std::uint32_t single = kNone, list = kNone;
};

Lowering::AccessPlace Lowering::access_place(const ptx::Instruction& in, const ptx::Operand& address,
                                             bool store) {
  AccessPlace at;
  at.offset = address.offset;
  switch (in.space) {
    case ptx::Space::Global: at.space = MemorySpace::Global; break;
    case ptx::Space::Const: at.space = MemorySpace::Const; break;
    case ptx::Space::Shared: at.space = MemorySpace::Shared; break;
    case ptx::Space::Local: at.space = MemorySpace::Local; break;
    case ptx::Space::Param: at.space = MemorySpace::KernelParam; break;
    default: break;
  }
  const auto param_area = [&](const ParamArea& area) {
    at.space = MemorySpace::ParamArea;
    at.area_offset = area.offset;
    at.area_stride = area.bytes;
    if (at.offset < 0 || at.offset > area.bytes ||
        area.bytes - at.offset < std::int64_t{ptx::size_of(in.type())} * in.vector_width()) {
      throw Refusal{msg::parameter_overrun()};
    }
  };
  if (in.space == ptx::Space::Param && address.symbol_kind == ptx::SymbolKind::FunctionVariable) {
    param_area({variable_offsets_[address.symbol], area_bytes(function_.variables[address.symbol].size)});
  } else if (in.space == ptx::Space::Param && !function_.is_entry && !address.base_is_register) {
    // The caller determines where a function's parameters are: they have names, but no addresses.
    if (address.symbol_kind == ptx::SymbolKind::Parameter)
      param_area(program_.params[address.symbol]);
    else if (address.symbol_kind == ptx::SymbolKind::Return)
      param_area(program_.returns[address.symbol]);
    else
      throw Refusal{msg::parameter_by_address(), msg::name_parameter_hint()};
  } else if (in.space == ptx::Space::Param && !function_.is_entry) {
    const auto place = parameter_place(address.reg);
    const bool named = place && names_parameter(flow_.writers[address.reg].front());
    if (named && __builtin_add_overflow(at.offset, place->offset, &at.offset))
      throw Refusal{msg::parameter_overrun()};
    if (named) {
      param_area(program_.params[place->parameter]);
    } else {
      at.space = MemorySpace::Local;
      at.base = base_address(address, ptx::Space::Local, at.wide);
    }
  } else {
    at.base = base_address(address, in.space, at.wide);
  }
  if (at.space == MemorySpace::KernelParam && store) throw Refusal{msg::parameter_written()};
  return at;
}

Element Lowering::memory_element(const ptx::Operand& o, ptx::Type type, bool store) const {
  const bool to64 = o.kind == ptx::OperandKind::Register && is_wide(o.reg);
  const bool s = ptx::is_signed(type) && !store;
  switch (ptx::size_of(type)) {
    case 1:
      if (s && !to64 && o.kind == ptx::OperandKind::Register &&
          ptx::size_of(function_.registers[o.reg].type) == 2) {
        return Element::S8in16;
      }
      return to64 ? (s ? Element::S8in64 : Element::U8in64) : (s ? Element::S8in32 : Element::U8in32);
    case 2: {
      const bool narrow =
          o.kind == ptx::OperandKind::Register && ptx::size_of(function_.registers[o.reg].type) == 2;
      return to64 ? (s ? Element::S16in64 : Element::U16in64)
                  : (s && !narrow ? Element::S16in32 : Element::U16in32);
    }
    case 4: return to64 ? (s ? Element::S32in64 : Element::U32in64) : Element::U32in32;
    default: return Element::U64in64;
  }
}

Lowering::AccessData Lowering::access_data(const ptx::Instruction& in, const ptx::Operand& data, bool store) {
  const ptx::Type type = in.type();
  const int size = ptx::size_of(type), count = in.vector_width();
  const auto element = [&](const ptx::Operand& o) { return memory_element(o, type, store); };
  const auto data_slot = [&](const ptx::Operand& o) {
    if (o.kind == ptx::OperandKind::Register) return reg(o);
    if (o.kind == ptx::OperandKind::Sink) return store ? throw Refusal{msg::store_without_value()} : kNone;
    return read(o, type);
  };
  AccessData moved;
  if (count == 1) {
    if (data.kind == ptx::OperandKind::Vector && data.elements.empty()) throw Refusal{msg::value_missing()};
    const ptx::Operand& o = data.kind == ptx::OperandKind::Vector ? data.elements[0] : data;
    moved.kind = element(o);
    moved.single = o.kind == ptx::OperandKind::Sink ? new_slot(size == 8) : data_slot(o);
  } else {
    // One handler moves them all: each slot must have the width that it expects.
    const auto is_register = [](const ptx::Operand& o) { return o.kind == ptx::OperandKind::Register; };
    const auto first = std::ranges::find_if(data.elements, is_register);
    const bool known = first != data.elements.end();
    if (data.elements.size() != static_cast<std::size_t>(count)) throw Refusal{msg::vector_size_wrong()};
    moved.kind = element(known ? *first : data.elements[0]);
    const bool in64 = known && is_wide(first->reg);
    std::vector<std::uint32_t> slots;
    for (const ptx::Operand& o : data.elements) {
      if (is_register(o) && element(o) != moved.kind)
        throw Refusal{msg::vector_widths_mixed(), msg::use_one_type_hint()};
      std::uint32_t slot = data_slot(o);
      if (in64 && store && !is_register(o) && size < 8) {
        const std::uint32_t constant = slot;
        emit(Arith::U32toU64, slot = new_slot(true), constant);
      }
      slots.push_back(slot);
    }
    moved.list = extras(std::move(slots));
  }
  return moved;
}

void Lowering::load_store(const ptx::Instruction& in) {
  const bool store = in.op == ptx::Op::St;
  const ptx::Operand& address = operand(in, store ? 0 : 1);
  const ptx::Operand& data = operand(in, store ? 1 : 0);
  const int size = ptx::size_of(in.type()), count = in.vector_width();
  if (size == 0 || size > 8) throw Refusal{msg::wide_element_unsupported(), msg::use_two_elements_hint()};
  const AccessPlace at = access_place(in, address, store);
  const AccessData moved = access_data(in, data, store);
  // A vector's elements are moved one after the other: in parallel to another worker, an access that must be
  // visible at once would tear.
  const bool strong = ptx::is_strong(in);
  // And the number of executions of a load that waits for another block would depend on the workers.
  if (strong && (at.space == MemorySpace::Global || at.space == MemorySpace::Generic)) {
    if (count > 1 || (!store && may_watch())) program_.needs_block_order = true;
    if (!store) program_.looks_again = true;
  }
  if (strong && store) hesitate(in.space);
  Inst& i = emit(memory_handlers(at.space, moved.kind, at.wide, store),
                 at.space == MemorySpace::ParamArea ? Flow::Plain : Flow::Checked);
  i.a = at.base;
  i.b = at.area_offset;
  i.c = at.area_stride;
  i.d = moved.single;
  i.extra = moved.list;
  i.imm = at.offset;
  i.count = static_cast<std::uint8_t>(count);
  i.width = static_cast<std::uint8_t>(size * count);
  i.shaped = at.space == MemorySpace::Shared || at.space == MemorySpace::Global;
  i.listed = at.space == MemorySpace::Shared && !store && !strong && count == 1;
}

namespace {

bool reads_clock(const ptx::Instruction& in) {
  return std::ranges::any_of(in.operands, [](const ptx::Operand& o) {
    return o.kind == ptx::OperandKind::Special &&
           (o.special == ptx::Special::Clock || o.special == ptx::Special::Clock64 ||
            o.special == ptx::Special::ClockHi);
  });
}

bool is_timed_load(const ptx::Instruction& in) {
  using enum ptx::Op;
  using enum ptx::Space;
  return (in.op == Ld || in.op == Ldu || in.op == Atom) &&
         (in.space == Global || in.space == Shared || in.space == Local || in.space == Generic);
}

}  // namespace

/// Computes which loads need timing: only kernels that read the clock.
void Lowering::find_clocked() {
  if (std::ranges::none_of(function_.body, reads_clock)) return;
  loaded_.assign(function_.registers.size(), false);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t at = 0; at < function_.body.size(); ++at) {
      const auto& read = flow_.read[at];
      if (!is_timed_load(function_.body[at]) &&
          std::ranges::none_of(read, [&](std::uint32_t reg) { return loaded_[reg]; }))
        continue;
      for (const std::uint32_t reg : flow_.written[at]) {
        grows |= !loaded_[reg];
        loaded_[reg] = true;
      }
    }
  }
}

/// A warp continues after a load until the value determines an address, a stored value, or the control flow.
/// Computation from the value does not stall the warp: ptxas moves it as far back as it can.
void Lowering::time_load(const ptx::Instruction& in) {
  using enum ptx::Op;
  const bool load = is_timed_load(in);
  const bool decides = load || in.op == St || in.op == Red || in.op == Bra || in.op == BrxIdx || in.has_guard;
  const bool waits =
      decides && std::ranges::any_of(flow_.read[current_], [&](std::uint32_t reg) { return loaded_[reg]; });
  if (waits) emit(WarpOp::LoadsArrive).guard = kNone;
  if (!load) return;
  bool wide = true;
  const std::uint32_t base = base_address(operand(in, 1), in.space, wide);
  Inst& i = emit(WarpOp::LoadLeaves);
  i.a = base;
  i.imm = operand(in, 1).offset;
  i.width = static_cast<std::uint8_t>(std::min(ptx::size_of(in.type()) * in.vector_width(), 32));
  i.count = static_cast<std::uint8_t>(in.space == ptx::Space::Shared   ? MemorySpace::Shared
                                      : in.space == ptx::Space::Local  ? MemorySpace::Local
                                      : in.space == ptx::Space::Global ? MemorySpace::Global
                                                                       : MemorySpace::Generic);
  i.target = (wide ? kWideAddress : 0u) | (in.op == Atom || ptx::is_strong(in) ? kPastL1 : 0u);
}

void Lowering::find_selected_loads() {
  for (const SelectedLoad& load : selected_loads(function_)) {
    if (load.known)
      program_.selected_loads.push_back({reg(load.reg), load.when, load.compares, load.number});
    else
      program_.selected_loads.emplace_back();
  }
  // The lanes that discard a loaded value are determined from the frame at the time of the load.
  for (std::size_t k = 0; k < program_.code.size() && !program_.selected_loads.empty(); ++k) {
    const std::uint32_t source = program_.source[k];
    if (source < program_.selected_loads.size() && program_.selected_loads[source].slot != kNone)
      program_.code[k].listed = false;
  }
}

void Lowering::atomic(const ptx::Instruction& in) {
  const bool red = in.op == ptx::Op::Red;
  const std::size_t first = red ? 0 : 1;
  const ptx::Operand& address = operand(in, first);
  const ptx::Type type = in.type();
  if (ptx::size_of(type) > 8) throw Refusal{msg::wide_atomic_unsupported(), msg::atomic_by_element_hint()};
  const struct {
    ptx::Mod mod;
    AtomicOp op;
  } kOps[] = {{ptx::Mod::Add, AtomicOp::Add},   {ptx::Mod::Min, AtomicOp::Min},
              {ptx::Mod::Max, AtomicOp::Max},   {ptx::Mod::And, AtomicOp::And},
              {ptx::Mod::Or, AtomicOp::Or},     {ptx::Mod::Xor, AtomicOp::Xor},
              {ptx::Mod::Exch, AtomicOp::Exch}, {ptx::Mod::Cas, AtomicOp::Cas},
              {ptx::Mod::Inc, AtomicOp::Inc},   {ptx::Mod::Dec, AtomicOp::Dec}};
  const auto* found =
      std::find_if(std::begin(kOps), std::end(kOps), [&](const auto& o) { return in.has(o.mod); });
  if (found == std::end(kOps)) throw Refusal{msg::atomic_unsupported()};
  const AtomicOp op = found->op;
  AtomicType t = AtomicType::U32;
  switch (type) {
    case ptx::Type::S32: t = AtomicType::S32; break;
    case ptx::Type::U64:
    case ptx::Type::B64: t = AtomicType::U64; break;
    case ptx::Type::S64: t = AtomicType::S64; break;
    case ptx::Type::F32: t = AtomicType::F32; break;
    case ptx::Type::F64: t = AtomicType::F64; break;
    case ptx::Type::F16:
    case ptx::Type::B16:
    case ptx::Type::U16: t = AtomicType::F16; break;
    case ptx::Type::F16x2: t = AtomicType::F16x2; break;
    case ptx::Type::BF16: t = AtomicType::BF16; break;
    case ptx::Type::BF16x2: t = AtomicType::BF16x2; break;
    default: break;
  }
  const MemorySpace space = in.space == ptx::Space::Global   ? MemorySpace::Global
                            : in.space == ptx::Space::Shared ? MemorySpace::Shared
                                                             : MemorySpace::Generic;
  bool wide = true;
  const std::uint32_t base = base_address(address, in.space, wide);
  if (!wide && space != MemorySpace::Shared)
    throw Refusal{msg::narrow_global_address(), msg::compile_for_64_bits_hint()};
  const Handler h = atomic_handler(space, op, t, wide);
  if (h == nullptr) throw Refusal{msg::atomic_unsupported(), msg::use_cas_hint()};
  const auto is_used = [&](const ptx::Operand& d) {
    return d.kind == ptx::OperandKind::Register && !flow_.readers[d.reg].empty();
  };
  const bool is_float = t >= AtomicType::F32;
  const bool commutes =
      !is_float && op != AtomicOp::Exch && op != AtomicOp::Cas && op != AtomicOp::Inc && op != AtomicOp::Dec;
  const auto one = [&](const ptx::Operand* d, const ptx::Operand& source, std::int64_t offset) {
    const bool used = d != nullptr && is_used(*d);
    if (space != MemorySpace::Shared && (used || !commutes)) program_.needs_block_order = true;
    const std::uint32_t b = read(source, type);
    const std::uint32_t c = op == AtomicOp::Cas ? read(operand(in, first + 2), type) : kNone;
    if (op == AtomicOp::Cas || op == AtomicOp::Exch) hesitate(in.space);
    Inst& i = emit(HandlerPair{h, h}, Flow::Checked);
    i.a = base;
    i.b = b;
    i.c = c;
    i.d = used ? reg(*d) : kNone;
    i.imm = address.offset + offset;
    i.width = static_cast<std::uint8_t>(ptx::size_of(type));
  };
  if (in.vector_width() == 1) return one(red ? nullptr : &operand(in, 0), operand(in, first + 1), 0);
  // PTX does not guarantee atomicity of the whole vector: one atomic for each element.
  const auto& sources = operand(in, first + 1).elements;
  const auto width = static_cast<std::size_t>(in.vector_width());
  if (op == AtomicOp::Cas || sources.size() != width || (!red && in.operands[0].elements.size() != width))
    throw Refusal{msg::vector_exchange_unknown(), msg::atomic_by_element_hint()};
  for (std::size_t e = 0; e < sources.size(); ++e) {
    one(red ? nullptr : &operand(in, 0).elements[e], sources[e],
        static_cast<std::int64_t>(e) * ptx::size_of(type));
  }
}

bool Lowering::may_watch() {
  if (!loads_decide_) loads_decide_ = loads_decide(function_, flow_);
  return *loads_decide_;
}

/// A thread's store that others see, or its exchange of a word, often depends on an earlier load: here other
/// warps may run between the two.
void Lowering::hesitate(ptx::Space space) {
  if (space != ptx::Space::Local && space != ptx::Space::Param) emit(HandlerPair{}, Flow::Yield);
}

/// The content of a policy is opaque, and the L2 cache's replacement is not simulated: it only has to be a
/// number that loads and stores accept, and different for different policies.
void Lowering::cache_policy(const ptx::Instruction& in) {
  const std::size_t count = in.operands.size();
  const auto is_share = [](const ptx::Operand& o) {
    return o.kind == ptx::OperandKind::Immediate && o.is_float;
  };
  const bool converts = in.has(ptx::Mod::Cvt), of_range = in.has(ptx::Mod::Range);
  const bool fits = converts   ? count == 2
                    : of_range ? count == 4 && operand(in, 1).kind == ptx::OperandKind::Address
                               : count == 1 || (count == 2 && is_share(operand(in, 1)));
  if (!fits) throw Refusal{msg::operands_of_other_instruction()};
  std::uint64_t wish = 1;
  for (const ptx::Mod mod : in.mods) wish = wish << 8 | static_cast<std::uint64_t>(mod);
  const std::uint32_t policy = converts ? read(operand(in, 1), ptx::Type::B64) : value64(wish);
  emit(Arith::Mov64, reg(operand(in, 0)), policy);
}

/// `left`: see AsyncCopies::land().
void Lowering::await_copies(std::int64_t left) {
  emit(HandlerPair{async_wait_handler(), async_wait_handler()}).imm = left;
}

void Lowering::async_copy(const ptx::Instruction& in) {
  const ptx::Operand &to = operand(in, 0), &from = operand(in, 1);
  bool wide_to = true, wide_from = true;
  const std::uint32_t d = base_address(to, ptx::Space::Shared, wide_to),
                      a = base_address(from, ptx::Space::Global, wide_from);
  if (!wide_from) throw Refusal{msg::narrow_global_address(), msg::compile_for_64_bits_hint()};
  std::uint32_t size = kNone, ignore = kNone;
  // The number of bytes to read, or a predicate whether to read at all; the fifth operand is a cache hint.
  if (in.operands.size() > 3) {
    const ptx::Operand& o = operand(in, 3);
    const bool is_predicate =
        o.kind == ptx::OperandKind::Register && function_.registers[o.reg].type == ptx::Type::Pred;
    const bool is_hint = o.kind == ptx::OperandKind::Register && is_wide(o.reg);
    if (is_predicate)
      ignore = read_predicate(o);
    else if (!is_hint)
      size = read(o, ptx::Type::U32);
  }
  const Handler h = async_copy_handler(wide_to);
  Inst& i = emit(HandlerPair{h, h}, Flow::Checked);
  i.d = d;
  i.a = a;
  i.b = size;
  i.c = ignore;
  i.imm = from.offset;
  i.extra = static_cast<std::uint32_t>(to.offset);
  i.width = static_cast<std::uint8_t>(operand(in, 2).bits);
}

}  // namespace cudalabs::sim
