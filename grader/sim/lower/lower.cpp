#include "grader/sim/lower/lower.h"

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/base/demangle.h"
#include "grader/sim/lower/address_groups.h"

#include <algorithm>

#include "grader/sim/analysis/cuda_tables.h"
#include "grader/sim/analysis/predication.h"
#include "grader/sim/executable/calls.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/lower/reserved_shared.h"
#include "grader/sim/lower/shared_scope.h"
#include "grader/sim/memory/address.h"
#include "grader/sim/ptx/traits.h"

namespace cudalabs::sim {
namespace {

/// Padding behind the last slot: if an instruction were lowered with a slot narrower than its operand (a
/// predicate for 32 64-bit numbers), it would still stay within the frame. With AddressSanitizer there is no
/// padding, so that it detects this.
#if defined(__SANITIZE_ADDRESS__)
#define CUDALABS_EXACT_FRAMES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUDALABS_EXACT_FRAMES
#endif
#endif
#ifdef CUDALABS_EXACT_FRAMES
constexpr std::uint32_t kFrameMargin = 0;
#else
constexpr std::uint32_t kFrameMargin = kLanes * sizeof(std::uint64_t);
#endif

/// The contents of the cluster registers if each block is a cluster.
std::optional<ConstantSlot> of_lone_block(ptx::Special special) {
  using enum ptx::Special;
  const auto number = [](std::uint64_t value) { return ConstantSlot{.value = value}; };
  const auto other = [](ptx::Special one) {
    return ConstantSlot{.source = SlotSource::Special, .special = one};
  };
  switch (special) {
    case ClusterIdX: return other(CtaidX);
    case ClusterIdY: return other(CtaidY);
    case ClusterIdZ: return other(CtaidZ);
    case NclusterIdX: return other(NctaidX);
    case NclusterIdY: return other(NctaidY);
    case NclusterIdZ: return other(NctaidZ);
    case ClusterCtaIdX:
    case ClusterCtaIdY:
    case ClusterCtaIdZ:
    case ClusterCtaRank:
    case IsExplicitCluster: return number(0);
    case ClusterNctaIdX:
    case ClusterNctaIdY:
    case ClusterNctaIdZ:
    case ClusterNctaRank: return number(1);
    default: return std::nullopt;
  }
}

}  // namespace

Lowering::Lowering(const ptx::Module& module, const ptx::Function& function, const LowerContext& context,
                   const SharedLayout& layout, std::size_t function_index,
                   const std::vector<std::unique_ptr<Program>>& programs, Program& program)
    : module_(module),
      function_(function),
      context_(context),
      layout_(layout),
      function_index_(function_index),
      programs_(programs),
      program_(program),
      flow_(function),
      waiting_loops_(waiting_loops(function, flow_)) {
  reg_slots_.assign(function.registers.size(), kNone);
  slots_ = share_slots(function, flow_);
}

// ---- operands --------------------------------------------------------------------------------------------

const ptx::Operand& Lowering::operand(const ptx::Instruction& in, std::size_t place) {
  if (place >= in.operands.size()) throw Refusal{msg::operand_missing()};
  return in.operands[place];
}

std::uint32_t Lowering::reg(const ptx::Operand& operand) {
  if (operand.kind != ptx::OperandKind::Register) throw Refusal{msg::register_expected()};
  return reg(operand.reg);
}

std::uint32_t Lowering::symbol_value(const ptx::Operand& o, bool& wide) {
  const auto offset = static_cast<std::uint64_t>(o.offset);
  wide = true;
  switch (o.symbol_kind) {
    case ptx::SymbolKind::ModuleVariable: {
      const ptx::Variable& v = module_.variables[o.symbol];
      if (v.space == ptx::Space::Shared) {
        wide = false;
        return v.is_extern ? constant(false, SlotSource::DynamicShared, offset)
                           : value32(layout_.module_offsets[o.symbol] + offset);
      }
      return value64(context_.variable_addresses[o.symbol] + offset);
    }
    case ptx::SymbolKind::FunctionVariable: {
      const ptx::Variable& v = function_.variables[o.symbol];
      if (v.space == ptx::Space::Local)
        return constant(true, SlotSource::LocalAddress, variable_offsets_[o.symbol] + offset);
      if (v.space == ptx::Space::Param)
        throw Refusal{msg::parameter_address_taken(), msg::pass_by_pointer_hint()};
      wide = false;
      if (v.is_extern) return constant(false, SlotSource::DynamicShared, offset);
      return value32(variable_offsets_[o.symbol] + offset);
    }
    case ptx::SymbolKind::Parameter:
      if (!function_.is_entry) {
        if (copy_offsets_[o.symbol] == kNone)
          throw Refusal{msg::parameter_address_taken(), msg::pass_by_pointer_hint()};
        const std::uint32_t address = copied_parameter(o.symbol);
        if (offset == 0) return address;
        const std::uint32_t place = new_slot(true);
        emit(Arith::AddU64, place, address, value64(offset));
        return place;
      }
      return value64(program_.info.parameter_offsets[o.symbol] + offset);
    case ptx::SymbolKind::Function: return value64(function_address(o.symbol));
    default: throw Refusal{msg::symbol_without_value()};
  }
}

std::uint32_t Lowering::base_address(const ptx::Operand& address, ptx::Space space, bool& wide) {
  wide = true;
  if (address.kind != ptx::OperandKind::Address) throw Refusal{msg::address_expected()};
  if (address.base_is_register) {
    const int size = ptx::size_of(function_.registers[address.reg].type);
    if (size != 4 && size != 8) throw Refusal{msg::register_too_small_for_address()};
    wide = size == 8;
    return reg(address.reg);
  }
  if (address.symbol_kind == ptx::SymbolKind::None) return value64(0);
  ptx::Operand plain = address;
  plain.offset = 0;
  const std::uint32_t offset = symbol_value(plain, wide);
  if (space != ptx::Space::Generic) return offset;
  // A variable referenced without its space: its offset becomes a generic address.
  const bool local = address.symbol_kind == ptx::SymbolKind::FunctionVariable &&
                     function_.variables[address.symbol].space == ptx::Space::Local;
  if (wide && !local) return offset;
  const std::uint32_t generic = new_slot(true);
  if (!wide) emit(Arith::U32toU64, generic, offset);
  emit(Arith::AddU64, generic, wide ? offset : generic, value64(local ? kLocalWindow : kSharedWindow));
  wide = true;
  return generic;
}

std::uint32_t Lowering::read(const ptx::Operand& o, ptx::Type type) {
  const bool wide = wide_type(type);
  switch (o.kind) {
    case ptx::OperandKind::Register: {
      const std::uint32_t slot = reg(o);
      if (is_wide(o.reg) == wide) return slot;
      // The register is wider than the instruction's type (legal for cvt, st, shifts): use its low half;
      // never the reverse.
      const std::uint32_t narrow = new_slot(wide);
      emit(wide ? Arith::U32toU64 : Arith::U64toU32, narrow, slot);
      return narrow;
    }
    case ptx::OperandKind::Immediate: {
      std::uint64_t bits = o.bits;
      if (o.is_float && o.is_f64_literal && type == ptx::Type::F32) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      } else if (o.is_float && !o.is_f64_literal && type == ptx::Type::F64) {
        bits = std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
      }
      if (ptx::size_of(type) == 1) bits &= 0xFF;
      if (ptx::size_of(type) == 2) bits &= 0xFFFF;
      return wide ? value64(bits) : value32(bits);
    }
    case ptx::OperandKind::Special: {
      const ptx::Special s = o.special;
      if (s == ptx::Special::Clock || s == ptx::Special::Clock64 || s == ptx::Special::ClockHi ||
          s == ptx::Special::GlobalTimer || s == ptx::Special::GlobalTimerLo ||
          s == ptx::Special::GlobalTimerHi) {
        const std::uint32_t d = new_slot(wide);
        const bool high = s == ptx::Special::ClockHi || s == ptx::Special::GlobalTimerHi;
        emit(wide ? WarpOp::ReadClock64 : high ? WarpOp::ReadClockHi : WarpOp::ReadClock32).d = d;
        return d;
      }
      if (const auto known = of_lone_block(s)) {
        return known->source == SlotSource::Value ? constant(wide, SlotSource::Value, known->value)
                                                  : constant(wide, SlotSource::Special, 0, known->special);
      }
      if (const auto offset = reserved_shared_offset(s)) return constant(wide, SlotSource::Value, *offset);
      return constant(wide, SlotSource::Special, 0, s);
    }
    case ptx::OperandKind::Symbol: {
      bool is64 = false;
      const std::uint32_t slot = symbol_value(o, is64);
      if (is64 == wide) return slot;
      const std::uint32_t other = new_slot(wide);
      emit(wide ? Arith::U32toU64 : Arith::U64toU32, other, slot);
      return other;
    }
    default: throw Refusal{msg::operand_without_value()};
  }
}

std::uint32_t Lowering::read_predicate(const ptx::Operand& o) {
  if (o.kind == ptx::OperandKind::Immediate) {  // pred operands may be written as 0 or 1
    const std::uint32_t p = new_predicate();
    Inst& i = emit(WarpOp::LaneToPred);
    i.d = p;
    i.a = value32(o.bits != 0);
    return p;
  }
  if (o.kind != ptx::OperandKind::Register || function_.registers[o.reg].type != ptx::Type::Pred)
    throw Refusal{msg::predicate_expected()};
  if (!o.negated) return reg(o);
  const std::uint32_t p = new_predicate();
  Inst& i = emit(WarpOp::PredMov);
  i.d = p;
  i.a = reg(o);
  i.imm = 1;
  return p;
}

Lowering::Target Lowering::write(const ptx::Operand& o, ptx::Type type) {
  Target t;
  const bool wide = wide_type(type);
  if (o.kind != ptx::OperandKind::Register) {  // `_`
    t.slot = new_slot(wide);
    return t;
  }
  const std::uint32_t final_slot = reg(o);
  const ptx::Type register_type = function_.registers[o.reg].type;
  const int have = ptx::size_of(register_type), size = ptx::size_of(type);
  // A signed byte is sign-extended in a 16-bit register: clang 19 writes cvt.s8.s32 into one.
  const bool signed_byte = have == 2 && type == ptx::Type::S8;
  if (have == size || (have < 4 && size < 4 && !signed_byte) ||
      (have == 4 && size < 4 && !ptx::is_signed(type))) {
    t.slot = final_slot;
    return t;
  }
  if (have < size) {  // e.g. cvt.u32 into a .b16: not legal PTX, and the validator rejects it
    throw Refusal{msg::destination_too_narrow()};
  }
  t.slot = new_slot(wide);
  t.final_slot = final_slot;
  const bool s = ptx::is_signed(type);
  if (have == 8)
    t.widen = size == 4 ? (s ? Arith::S32toS64 : Arith::U32toU64) : (s ? Arith::S16toS64 : Arith::U16toU64);
  else
    t.widen = Arith::S16toS32;
  if (size == 1) t.widen = have == 8 ? (s ? Arith::S8toS64 : Arith::U8toU64) : Arith::S8toS32;
  if (signed_byte) t.widen = Arith::S8toS16;
  return t;
}

void Lowering::finish_write(const Target& t) {
  if (t.final_slot != kNone) emit(t.widen, t.final_slot, t.slot);
}

// ---- emission --------------------------------------------------------------------------------------------

Inst& Lowering::emit(HandlerPair handlers, Flow flow) {
  // A worker needs about half a KiB for each instruction, which machine code addresses by 31 bits.
  constexpr std::size_t kMaxCode = std::size_t{1} << 20;
  if (program_.code.size() >= kMaxCode) throw Refusal{msg::function_too_long(), msg::unroll_less_hint()};
  Inst i;
  i.full = handlers.full;
  i.masked = handlers.masked;
  i.flow = flow;
  if (in_->has_guard) {
    i.guard = reg(in_->guard);
    i.guard_negated = in_->guard_negated;
  }
  program_.code.push_back(i);
  program_.source.push_back(current_);
  return program_.code.back();
}

Inst& Lowering::emit(Arith op, std::uint32_t d, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  Inst& i = emit(arithmetic_handler(op));
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  return i;
}

Inst& Lowering::emit(WarpOp op, Flow flow) {
  const Handler h = warp_handler(op);
  return emit(HandlerPair{h, h}, flow);
}

std::uint32_t Lowering::extras(std::vector<std::uint32_t> slots) {
  program_.extras.push_back(std::move(slots));
  return static_cast<std::uint32_t>(program_.extras.size() - 1);
}

// ---- the function ----------------------------------------------------------------------------------------

Result<void> Lowering::run() {
  const auto refuse = [&](const Refusal& r) -> Diagnostic {
    Diagnostic d;
    const ptx::LocId loc = in_ != nullptr ? in_->loc : function_.loc;
    const ptx::SourceLoc& place = module_.locations[loc];
    if (loc != 0)
      d.where = {module_.files[place.file], static_cast<int>(place.line), static_cast<int>(place.column)};
    else
      d.where = {module_.name, static_cast<int>(in_ != nullptr ? in_->ptx_line : function_.ptx_line), 0};
    const std::string where = demangle(function_.name, true);
    if (in_ == nullptr) {
      d.message = msg::kernel_cannot_run(where, r.why);
    } else {
      std::string instruction(ptx::spelling(in_->op));
      if (in_->space != ptx::Space::Generic) instruction += "." + std::string(ptx::spelling(in_->space));
      for (const ptx::Mod m : in_->mods) instruction += "." + std::string(ptx::spelling(m));
      for (const ptx::Type t : in_->types) instruction += "." + std::string(ptx::spelling(t));
      d.message = msg::instruction_not_simulated(instruction, in_->ptx_line, where, r.why);
    }
    d.hint = r.hint;
    return d;
  };
  try {
    layout_variables();
    find_clocked();
    code_of_body_.resize(function_.body.size() + 1);
    for (current_ = 0; current_ < function_.body.size(); ++current_) {
      in_ = &function_.body[current_];
      code_of_body_[current_] = static_cast<std::uint32_t>(program_.code.size());
      const std::size_t first = program_.code.size();
      if (current_ == 0 && stack_taken_ != kNone) {
        emit(Arith::Mov64, stack_taken_, value64(0)).guard = kNone;
        // A loop that begins with the first instruction must not execute this prologue again.
        code_of_body_[0] = static_cast<std::uint32_t>(program_.code.size());
      }
      if (!loaded_.empty()) time_load(*in_);
      instruction(*in_);
      for (std::size_t i = first; i + 1 < program_.code.size(); ++i) program_.code[i].counted = false;
    }
    static const ptx::Instruction kEnd{};
    in_ = &kEnd;  // running off the end is a return
    current_ = function_.body.empty() ? 0 : static_cast<std::uint32_t>(function_.body.size() - 1);
    code_of_body_[function_.body.size()] = static_cast<std::uint32_t>(program_.code.size());
    emit(HandlerPair{}, function_.is_entry ? Flow::Exit : Flow::Return).counted = false;
    in_ = nullptr;
    fix_labels();
    find_hammocks();
    find_stores();
    find_runs();
    find_address_groups(program_);
    program_.atomics = atomic_forms(function_);
    program_.wide_accesses = wide_accesses(function_);
    find_selected_loads();
    for (const std::uint32_t table : cuda_tables(module_))
      program_.tables.push_back({context_.variable_addresses[table], module_.variables[table].size});
  } catch (const Refusal& r) {
    return refuse(r);
  }
  program_.frame_bytes = next_slot_ + kFrameMargin;
  program_.waits = std::ranges::find(waiting_loops_.polls, true) != waiting_loops_.polls.end();
  if (program_.waits) program_.polls = waiting_loops_.polls;
  program_.writes_first = !slots_.reads_unwritten && carry_flag_ == kNone &&
                          std::ranges::find(function_.variables, ptx::Space::Param, &ptx::Variable::space) ==
                              function_.variables.end();
  return {};
}

void Lowering::fix_labels() {
  for (Inst& i : program_.code) {
    if (i.flow == Flow::Branch) i.target = code_of_body_[i.target];
  }
  for (auto& table : program_.branch_tables) {
    for (std::uint32_t& t : table) t = code_of_body_[t];
  }
}

void Lowering::instruction(const ptx::Instruction& in) {
  using enum ptx::Op;
  if ((in.op == Mov || in.op == Add) && names_parameter(current_)) {
    emit(WarpOp::Nop);
    return;
  }
  switch (in.op) {
    case Setp:
    case Set: return compare(in);
    case Selp:
    case Slct: return select(in);
    case Cvt: return convert(in);
    case Mov: return move(in);
    case Cvta: return address_conversion(in);
    case Ld:
    case Ldu:
    case St: return load_store(in);
    case Atom:
    case Red: return atomic(in);
    case Bra:
    case BrxIdx: return branch(in);
    case Call: return call(in);
    case Ret: emit(HandlerPair{}, function_.is_entry ? Flow::Exit : Flow::Return); return;
    case Exit: emit(HandlerPair{}, Flow::Exit); return;
    case Trap:
    case Brkpt: emit(WarpOp::TrapNow, Flow::Checked); return;
    case Bar:
    case Barrier: return barrier(in);
#define CUDALABS_WARP_OPCODE(op, ...) case op:
#include "grader/sim/ptx/warp_opcodes.def"
#undef CUDALABS_WARP_OPCODE
      return warp(in);
    case Membar:
    case Fence: emit(WarpOp::Fence).imm = ptx::is_within_block(in) ? 1 : 0; return;
    case Prefetch:
    case Prefetchu:
    case CpAsyncBulkPrefetch:
    case Nanosleep:
    case Pmevent:
    case Discard:
    case Applypriority:
    case Griddepcontrol:  // launches run one after the other
    case Setmaxnreg: emit(WarpOp::Nop); return;
    case CpAsync:
    case CpAsyncCommitGroup:
    case CpAsyncWaitGroup:
    case CpAsyncWaitAll:
    case CpAsyncMbarrierArrive:
    case CpAsyncBulk:
    case CpAsyncBulkCommitGroup:
    case CpAsyncBulkWaitGroup: return copies(in);
    case Mbarrier: return mbarrier(in);
    case Wmma: return in.has(ptx::Mod::Mma) ? matrix_product(in) : matrix_move(in);
    case Mma: return matrix_product(in);
    case Ldmatrix:
    case Stmatrix:
    case Movmatrix: return matrix_rows(in);
    case Isspacep: return space_test(in);
    case Alloca:
    case Stacksave:
    case Stackrestore: return stack(in);
    case Mapa:
    case Getctarank: return of_cluster(in);
    case Createpolicy: return cache_policy(in);
    case Tex:
    case Tld4:
    case Suld:
    case Sust: return texture(in);
    case Addc:
    case Subc:
    case Madc: return carry(in);
    case And:
    case Or:
    case Xor:
    case Not:
    case Lop3:
    case Bfi: return bits(in);
    default: return arithmetic(in);
  }
}

/// Copies that the thread does not wait for, and the waits for them.
void Lowering::copies(const ptx::Instruction& in) {
  using enum ptx::Op;
  switch (in.op) {
    case CpAsyncCommitGroup: emit(HandlerPair{async_commit_handler(), async_commit_handler()}); return;
    case CpAsyncWaitGroup: return await_copies(static_cast<std::int64_t>(operand(in, 0).bits & 0xFFFFFFFF));
    case CpAsyncWaitAll: return await_copies(AsyncCopies::kNotEvenOpen);
    case CpAsyncMbarrierArrive: await_copies(AsyncCopies::kNotEvenOpen); return mbarrier(in);
    case CpAsyncBulk: return bulk_copy(in);
    case CpAsyncBulkCommitGroup:
      emit(HandlerPair{bulk_commit_handler(), bulk_commit_handler()}, Flow::Checked);
      return;
    case CpAsyncBulkWaitGroup: return await_bulk(in);
    default: return async_copy(in);
  }
}

void Lowering::space_test(const ptx::Instruction& in) {
  const std::uint32_t a = read(operand(in, 1), ptx::Type::U64);
  using enum ptx::Space;
  Inst& i = emit(in.space == Global   ? WarpOp::IsGlobal
                 : in.space == Shared ? WarpOp::IsShared
                 : in.space == Local  ? WarpOp::IsLocal
                                      : WarpOp::IsConst);
  i.a = a;
  i.d = reg(operand(in, 0));
}

// ---- passes over the whole function ----------------------------------------------------------------------

void Lowering::find_hammocks() {
  for (const PredicatedBody& body : predicated_bodies(function_)) {
    program_.hammocks.push_back(
        {code_of_body_[body.branch + 1] - 1, code_of_body_[body.first], code_of_body_[body.end]});
  }
}

void Lowering::find_runs() {
  std::uint16_t run = 0;
  for (std::size_t i = program_.code.size(); i-- > 0;) {
    Inst& inst = program_.code[i];
    const bool straight = inst.flow <= Flow::Checked && inst.guard == kNone;
    run = straight ? static_cast<std::uint16_t>(std::min(run + 1, 0xFFFF)) : std::uint16_t{0};
    inst.run = run;
  }
}

void Lowering::find_stores() {
  for (std::uint32_t i = 0; i < program_.code.size(); ++i) {
    if (!program_.code[i].counted) continue;
    const ptx::Instruction& in = function_.body[program_.source[i]];
    const ptx::Access access = ptx::access_of(in);
    const bool own = in.space == ptx::Space::Local || in.space == ptx::Space::Param;
    const bool stores = (access == ptx::Access::Store && !own) || access == ptx::Access::Copy;
    const bool calls = in.op == ptx::Op::Call;  // of the runtime: printf, malloc
    if (stores || calls) program_.stores.push_back(i);
  }
}

// ---- the module ------------------------------------------------------------------------------------------

Result<std::vector<std::unique_ptr<Program>>> lower(const ptx::Module& module, const LowerContext& context) {
  const Result<SharedLayout> placed = lay_out_shared(module);
  if (!placed) return placed.problem();
  const SharedLayout& layout = *placed;

  std::vector<std::unique_ptr<Program>> programs;
  for (const ptx::Function& f : module.functions) {
    programs.push_back(f.is_declaration ? nullptr : std::make_unique<Program>());
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!programs[i]) continue;
    const ptx::Function& f = module.functions[i];
    Program& p = *programs[i];
    p.name = f.name;
    p.kernel = demangle(f.name, false);
    p.module = &module;
    p.function = &f;
    p.is_entry = f.is_entry;
    if (f.is_entry) {
      // Shared variables of module scope and of device functions precede the kernel's own.
      p.static_shared_bytes = layout.common_bytes;
      p.shared_variables = layout.common;
    }
    if (auto done = Lowering(module, f, context, layout, i, programs, p).run(); !done) return done.problem();
  }
  follow_calls(programs);
  for (auto& p : programs) {
    if (!p || !p->is_entry) continue;
    KernelInfo& info = p->info;
    const ptx::Function& f = *p->function;
    info.name = f.name;
    info.demangled = p->kernel;
    info.static_shared_bytes = named_shared_bytes(*p);
    info.local_bytes = p->local_bytes;
    std::uint32_t used = 0;
    for (const auto& r : f.registers)
      used += ptx::size_of(r.type) == 8 ? 2u : ptx::size_of(r.type) > 0 ? 1u : 0u;
    info.registers = std::clamp<std::uint32_t>(used / 2, 8, 255);
    const auto& limit = f.required_threads[0] != 0 ? f.required_threads : f.max_threads;
    if (limit[0] != 0) {
      // Limit each to 1024 first: their product may overflow.
      std::uint64_t threads = 1;
      for (const std::uint32_t extent : limit) threads *= std::clamp(extent, 1u, 1024u);
      info.max_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(1024, threads));
    }
    for (const std::uint32_t extent : f.cluster)
      info.cluster_blocks = std::min(info.cluster_blocks * std::clamp(extent, 1u, 1024u), 1024u);
  }
  return programs;
}

}  // namespace cudalabs::sim
