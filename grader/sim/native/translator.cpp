#ifdef CUDALABS_MACHINE_CODE
#include "grader/sim/native/translator.h"

#include <cstddef>

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;

}  // namespace

Translator::Translator(x86::Assembler& a, VectorWidth width, const Program& program, const Liveness& liveness,
                       const std::vector<Shape>& shapes,
                       std::function<const asmjit::Label*(std::uint32_t)> label_of,
                       const asmjit::Label& leave, std::vector<std::unique_ptr<AccessGroup>>& groups)
    : a_(a),
      program_(program),
      liveness_(liveness),
      shapes_(shapes),
      label_of_(std::move(label_of)),
      leave_(leave),
      cache_(a, width, program, liveness),
      forms_(VectorForms::of(width, a, cache_)),
      kept_groups_(groups) {}

void Translator::count(const x86::Gp& array, std::uint32_t at, bool up) {
  const x86::Mem counter = x86::qword_ptr(array, static_cast<std::int32_t>(at * 8));
  if (up)
    a_.inc(counter);
  else
    a_.dec(counter);
}

/// Emits all instructions of a stretch; behind it the frame is as the interpreter would leave it.
void Translator::straight(const Stretch& stretch) {
  count(fixed::runs, stretch.begin, true);
  if (some_) count_idle(stretch.begin, true);
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    a_.mov(in_context(offsetof(NativeContext, group_holds) + g, 1), 0);
  for (std::uint32_t at = stretch.begin; at < stretch.end; ++at) {
    if (together_ && at == together_->begin) {
      do_together();
      at = together_->end;
      if (at == stretch.end) break;
    }
    cache_.next(at);
    instruction(at);
  }
  cache_.next(stretch.end);
  cache_.store(cache_.wanted_after(stretch.end));
  count(fixed::runs, stretch.end, false);
  if (some_) count_idle(stretch.end, false);
}

void Translator::translate(const Stretch& stretch, Lanes lanes) {
  asides_.clear();
  groups_.clear();
  together_.reset();
  some_ = lanes == Lanes::Some;
  cache_.begin(stretch, lanes);
  if (some_)
    leave_at_limit(stretch.begin);
  else
    find_groups(stretch);
  straight(stretch);
  const Inst* const next = stretch.end < program_.code.size() ? &program_.code[stretch.end] : nullptr;
  if (some_ && next != nullptr && next->run == 0) leave_at_limit(stretch.end);
  if (next == nullptr || next->flow != Flow::Branch) {
    const bool may_exit = next != nullptr && next->flow == Flow::Exit && next->guard != kNone;
    if (may_exit) pass_exit(stretch.end);
    go(stretch.end + (may_exit ? 1 : 0));
    return emit_asides();
  }
  const bool in_place = has_short_side(stretch.end);
  const asmjit::Label apart = in_place ? a_.newLabel() : leaving(stretch.end);
  branch(stretch.end, apart);
  emit_asides();
  if (in_place) short_side(stretch.end, apart);
}

/// These lanes may meet the other lanes of the warp at the limit, or wait for them there.
void Translator::leave_at_limit(std::uint32_t pc) {
  a_.cmp(in_context(offsetof(NativeContext, limit), 4), pc);
  a_.jbe(leaving(pc));
}

void Translator::emit_asides() {
  for (const Aside& aside : asides_) {
    a_.bind(aside.begin);
    aside.emit();
    if (aside.back.isValid()) a_.jmp(aside.back);
  }
  asides_.clear();
}

/// True if the lanes that do not take the branch reach its target by straight code, as in an `if` without an
/// `else`: the interpreter runs those first, and the lanes reconverge there.
bool Translator::has_short_side(std::uint32_t branch) const {
  constexpr std::uint32_t kLongest = 256;
  const Inst& i = program_.code[branch];
  if (i.guard == kNone || i.target <= branch + 1 || i.target - branch > kLongest) return false;
  for (std::uint32_t at = branch + 1; at < i.target; ++at) {
    if (program_.code[at].run == 0) return false;
  }
  return true;
}

/// The lanes in eax run from here on. Leaves their number in eax.
void Translator::run_by_lanes() {
  a_.mov(of_lanes(offsetof(SomeLanes, mask), 4), x86::eax);
  a_.mov(x86::ecx, x86::eax);
  a_.not_(x86::ecx);
  a_.mov(of_lanes(offsetof(SomeLanes, others), 4), x86::ecx);
  a_.bsf(x86::ecx, x86::eax);
  a_.mov(of_lanes(offsetof(SomeLanes, first), 4), x86::ecx);
  a_.popcnt(x86::eax, x86::eax);
  a_.bsr(x86::ecx, x86::eax);
  a_.imul(x86::ecx, x86::ecx, static_cast<std::int32_t>(sizeof(PartialShape)));
  a_.mov(of_lanes(offsetof(SomeLanes, of_partial), 8), x86::rcx);
  a_.mov(x86::ecx, kLanes);
  a_.sub(x86::ecx, x86::eax);
  a_.mov(of_lanes(offsetof(SomeLanes, off), 4), x86::ecx);
}

/// Emits the path from the branch to its target for the lanes that do not take it, when others do. eax
/// contains the guard for a full warp, and otherwise the lanes that take it.
void Translator::short_side(std::uint32_t branch, const asmjit::Label& begin) {
  const Inst& i = program_.code[branch];
  const Stretch side{branch + 1, i.target};
  const bool nested = some_;
  a_.bind(begin);
  if (nested) {
    // If others are before the target, or may come first, the interpreter chooses which lanes run.
    a_.cmp(in_context(offsetof(NativeContext, limit), 4), i.target);
    a_.jb(leaving(branch));
    a_.cmp(in_context(offsetof(NativeContext, slice_after_sides), 8), 0);
    a_.je(leaving(branch));
  }
  if (nested || !i.guard_negated) a_.not_(x86::eax);
  if (nested) a_.and_(x86::eax, of_lanes(offsetof(SomeLanes, mask), 4));
  run_by_lanes();
  // Inactive lanes at the branch: those that do not take it, and those that do not reach it.
  if (nested) a_.add(x86::eax, in_context(offsetof(NativeContext, entered) + offsetof(SomeLanes, off), 4));
  const auto counters = [this](std::size_t member) {
    a_.mov(x86::rcx, in_context(member, 8));
    return x86::rcx;
  };
  count(counters(offsetof(NativeContext, executed)), branch, true);
  count(counters(offsetof(NativeContext, divided)), branch, true);
  a_.add(x86::qword_ptr(counters(offsetof(NativeContext, idle_lanes)), static_cast<std::int32_t>(branch * 8)),
         x86::rax);
  some_ = true;
  cache_.begin(side, Lanes::Some, !nested);
  groups_.clear();
  together_.reset();
  straight(side);
  if (nested) {
    for (std::size_t byte = 0; byte < sizeof(SomeLanes); byte += 8) {
      a_.mov(x86::rax, in_context(offsetof(NativeContext, entered) + byte, 8));
      a_.mov(of_lanes(byte, 8), x86::rax);
    }
    a_.mov(x86::rax, in_context(offsetof(NativeContext, quantum), 8));
    a_.mov(x86::rcx, in_context(offsetof(NativeContext, slice_after_sides), 8));
    a_.cmp(x86::rax, x86::rcx);
    a_.cmovg(x86::rax, x86::rcx);
    a_.mov(in_context(offsetof(NativeContext, slice), 8), x86::rax);
  }
  go(side.end);
  emit_asides();
}

/// Counts the inactive lanes of a straight run by some lanes.
void Translator::count_idle(std::uint32_t at, bool begins) {
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, idle_runs), 8));
  a_.mov(x86::edx, of_lanes(offsetof(SomeLanes, off), 4));
  const x86::Mem counter = x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(at * 8));
  if (begins)
    a_.add(counter, x86::rdx);
  else
    a_.sub(counter, x86::rdx);
}

/// Jumps to the code of `to`: translated together with this code, in other code, or in the interpreter.
void Translator::go(std::uint32_t to) {
  if (const asmjit::Label* label = label_of_(to)) {
    a_.jmp(*label);
    return;
  }
  a_.mov(x86::eax, to);
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, entries), 8));
  a_.jmp(x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(to * 8)));
}

/// Passes an exit that no lane takes; the interpreter handles the others.
void Translator::pass_exit(std::uint32_t at) {
  const Inst& i = program_.code[at];
  if (some_) {
    lanes_that_take(i);
    a_.test(x86::eax, x86::eax);
  } else {
    a_.cmp(in_frame(i.guard, 4), i.guard_negated ? -1 : 0);
  }
  a_.jne(leaving(at));
  no_lane(at);
}

/// Puts the running lanes into ecx, and those of them for which the instruction's guard holds into eax.
void Translator::lanes_that_take(const Inst& i) {
  a_.mov(x86::ecx, of_lanes(offsetof(SomeLanes, mask), 4));
  a_.mov(x86::eax, in_frame(i.guard, 4));
  if (i.guard_negated) a_.not_(x86::eax);
  a_.and_(x86::eax, x86::ecx);
}

/// Counts a potentially divergent instruction at `at` that no lane takes.
void Translator::no_lane(std::uint32_t at) {
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, executed), 8));
  count(x86::rcx, at, true);
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, idle_lanes), 8));
  a_.add(x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(at * 8)), kLanes);
}

/// Emits the same as the interpreter does at Flow::Branch.
void Translator::branch(std::uint32_t at, const asmjit::Label& apart) {
  const Inst& i = program_.code[at];
  const auto take = [&] {
    a_.mov(x86::rcx, in_context(offsetof(NativeContext, executed), 8));
    count(x86::rcx, at, true);
    if (some_) {
      a_.mov(x86::rcx, in_context(offsetof(NativeContext, idle_lanes), 8));
      a_.mov(x86::edx, of_lanes(offsetof(SomeLanes, off), 4));
      a_.add(x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(at * 8)), x86::rdx);
    }
    if (i.target <= at) {
      const auto cost = static_cast<std::int32_t>(at - i.target + 1);
      const asmjit::Label stop = leaving(i.target);
      a_.mov(x86::rcx, in_context(offsetof(NativeContext, clock), 8));
      a_.add(x86::qword_ptr(x86::rcx), cost);
      a_.sub(in_context(offsetof(NativeContext, quantum), 8), cost);
      a_.setle(x86::cl);
      a_.sub(in_context(offsetof(NativeContext, slice), 8), cost);
      a_.jle(stop);
      a_.test(x86::cl, x86::cl);
      a_.jne(stop);
    }
    go(i.target);
  };
  if (i.guard == kNone) return take();
  const asmjit::Label taken = a_.newLabel();
  if (some_) {
    lanes_that_take(i);
    a_.cmp(x86::eax, x86::ecx);
    a_.je(taken);
    a_.test(x86::eax, x86::eax);
  } else {
    a_.mov(x86::eax, in_frame(i.guard, 4));
    a_.cmp(x86::eax, i.guard_negated ? 0 : -1);
    a_.je(taken);
    a_.cmp(x86::eax, i.guard_negated ? -1 : 0);
  }
  a_.jne(apart);
  no_lane(at);
  go(at + 1);
  a_.bind(taken);
  take();
}

asmjit::Label Translator::leaving(std::uint32_t pc) {
  const asmjit::Label begin = a_.newLabel();
  asides_.push_back({begin, {}, [this, pc] {
                       a_.mov(x86::eax, pc);
                       a_.jmp(leave_);
                     }});
  return begin;
}

asmjit::Label Translator::leaving_by_fault(std::uint32_t at) {
  const asmjit::Label begin = a_.newLabel();
  asides_.push_back({begin, {}, [this, at] {
                       count(fixed::runs, at + 1, false);
                       if (some_) count_idle(at + 1, false);
                       a_.mov(x86::eax, at);
                       a_.jmp(leave_);
                     }});
  return begin;
}

void Translator::instruction(std::uint32_t at) {
  const Inst& i = program_.code[at];
  const Known k = known(i);
  const bool is_arithmetic = k.kind == Known::Kind::Arithmetic;
  const bool all_lanes = !some_ || (is_arithmetic && !cache_.preserves(i.d));
  if (all_lanes || cache_.stores_some_lanes()) {
    if (is_arithmetic && (forms_->arithmetic(i, k.op) || divide(i, at, k.op))) return;
    if ((k.kind == Known::Kind::Load || k.kind == Known::Kind::Store) && memory(i, at, k)) return;
  }
  handler(at, all_lanes);
}

/// Divisors are mostly uniform, and often a power of two; the handler does the other cases.
bool Translator::divide(const Inst& i, std::uint32_t at, Arith op) {
  if (some_ || (op != Arith::DivU32 && op != Arith::RemU32)) return false;
  const asmjit::Label unlike = a_.newLabel(), back = a_.newLabel();
  if (!forms_->divide(i, op == Arith::RemU32, unlike)) return false;
  a_.bind(back);
  by_handler(at, {unlike, back, cache_.entries_before(), cache_.entries()});
  return true;
}

void Translator::by_handler(std::uint32_t at, const Detour& way, bool all_lanes) {
  asides_.push_back(
      {way.begin, way.back, [this, at, way, all_lanes, fault = leaving_by_fault(at), has_bases = looked_] {
         cache_.store(way.before);
         call(at, fault, all_lanes);
         if (has_bases) load_bases();
         cache_.load(way.after);
       }});
}

void Translator::call(std::uint32_t at, const asmjit::Label& fault, bool all_lanes) {
  a_.vzeroupper();  // code compiled for all machines is slow otherwise
  a_.mov(x86::rdi, fixed::context);
  a_.mov(x86::esi, at);
  const auto function = all_lanes ? &call_handler : &call_masked_handler;
  a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(function));
  a_.call(x86::rax);
  a_.test(x86::eax, x86::eax);
  a_.jne(fault);
}

/// The handler needs the frame as the interpreter would leave it.
void Translator::handler(std::uint32_t at, bool all_lanes) {
  cache_.store(cache_.entries());
  forms_->fetch();
  cache_.forget_all();
  call(at, leaving_by_fault(at), all_lanes);
  if (looked_) load_bases();
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
