#ifdef CUDALABS_MACHINE_CODE
#include "grader/simulator/native/translator.h"

#include <cstddef>

namespace cudalabs::sim {
namespace {

namespace x86 = asmjit::x86;
using Id = x86::Inst::Id;

}  // namespace

Translator::Translator(x86::Assembler& a, const Program& program, const Liveness& liveness,
                       const std::vector<Shape>& shapes,
                       std::function<const asmjit::Label*(std::uint32_t)> label_of,
                       const asmjit::Label& leave, std::vector<std::unique_ptr<AccessGroup>>& groups)
    : a_(a),
      program_(program),
      liveness_(liveness),
      shapes_(shapes),
      label_of_(std::move(label_of)),
      leave_(leave),
      cache_(a, program, liveness),
      kept_groups_(groups) {}

x86::Mem Translator::in_frame(std::uint32_t offset, std::uint32_t size) const {
  return x86::Mem(fixed::frame, static_cast<std::int32_t>(offset), size);
}
x86::Mem Translator::in_context(std::size_t offset, std::uint32_t size) const {
  return x86::Mem(fixed::context, static_cast<std::int32_t>(offset), size);
}

void Translator::count(const x86::Gp& array, std::uint32_t at, bool up) {
  const x86::Mem counter = x86::qword_ptr(array, static_cast<std::int32_t>(at * 8));
  if (up)
    a_.inc(counter);
  else
    a_.dec(counter);
}

void Translator::translate(const Stretch& stretch) {
  asides_.clear();
  cache_.begin(stretch);
  find_groups(stretch);
  count(fixed::runs, stretch.begin, true);
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    a_.mov(in_context(offsetof(NativeContext, group_holds) + g, 1), 0);
  for (std::uint32_t at = stretch.begin; at < stretch.end; ++at) {
    cache_.next(at);
    instruction(at);
  }
  cache_.next(stretch.end);
  cache_.store(cache_.wanted_after(stretch.end));
  count(fixed::runs, stretch.end, false);
  if (stretch.end < program_.code.size() && program_.code[stretch.end].flow == Flow::Branch)
    branch(stretch.end);
  else
    go(stretch.end);
  for (const Aside& aside : asides_) {
    a_.bind(aside.begin);
    aside.emit();
    if (aside.back.isValid()) a_.jmp(aside.back);
  }
}

/// To where the code of `to` begins: in the code made along with this, in other code, or in the interpreter.
void Translator::go(std::uint32_t to) {
  if (const asmjit::Label* label = label_of_(to)) {
    a_.jmp(*label);
    return;
  }
  a_.mov(x86::eax, to);
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, entries), 8));
  a_.jmp(x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(to * 8)));
}

/// The interpreter does the same at Flow::Branch.
void Translator::branch(std::uint32_t at) {
  const Inst& i = program_.code[at];
  const auto executed = [&] {
    a_.mov(x86::rcx, in_context(offsetof(NativeContext, executed), 8));
    count(x86::rcx, at, true);
  };
  const auto take = [&] {
    executed();
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
  const asmjit::Label taken = a_.newLabel(), apart = leaving(at);
  const std::int32_t all = i.guard_negated ? 0 : -1, none = i.guard_negated ? -1 : 0;
  a_.mov(x86::eax, in_frame(i.guard, 4));
  a_.cmp(x86::eax, all);
  a_.je(taken);
  a_.cmp(x86::eax, none);
  a_.jne(apart);
  executed();
  a_.mov(x86::rcx, in_context(offsetof(NativeContext, idle_lanes), 8));
  a_.add(x86::qword_ptr(x86::rcx, static_cast<std::int32_t>(at * 8)), kLanes);
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
                       a_.mov(x86::eax, at);
                       a_.jmp(leave_);
                     }});
  return begin;
}

void Translator::instruction(std::uint32_t at) {
  const Inst& i = program_.code[at];
  const Known k = known(i);
  if (k.kind == Known::Kind::Arithmetic && arithmetic(i, k.op)) return;
  if ((k.kind == Known::Kind::Load || k.kind == Known::Kind::Store) && memory(i, at, k)) return;
  handler(at);
}

void Translator::call(std::uint32_t at, const asmjit::Label& fault) {
  a_.vzeroupper();  // what is compiled for all machines is slow otherwise
  a_.mov(x86::rdi, fixed::context);
  a_.mov(x86::esi, at);
  a_.mov(x86::rax, reinterpret_cast<std::uint64_t>(&call_handler));
  a_.call(x86::rax);
  a_.test(x86::eax, x86::eax);
  a_.jne(fault);
}

/// The handler sees the frame as the interpreter would leave it.
void Translator::handler(std::uint32_t at) {
  cache_.store(cache_.entries());
  cache_.forget_all();
  call(at, leaving_by_fault(at));
}

bool Translator::arithmetic(const Inst& i, Arith op) {
  switch (op) {
// clang-format off
#define SAME(name, parts, id) case Arith::name: return same(i, parts, Id::kId##id);
#define FLOAT(name, id) case Arith::name: return same(i, 2, Id::kId##id, true);
#define COPY(name, parts) case Arith::name: return copy(i, parts);
#define ONE(name, parts, id) case Arith::name: return one(i, parts, Id::kId##id);
#define FUSED(name, parts, id) case Arith::name: return fused(i, parts, Id::kId##id);
#define PRODUCT(name, parts, multiply, add) \
  case Arith::name: return product(i, parts, Id::kId##multiply, Id::kId##add);
#define WIDE(name, multiply) case Arith::name: return wide(i, Id::kId##multiply, false);
#define WIDE_SUM(name, multiply) case Arith::name: return wide(i, Id::kId##multiply, true);
#define COMPARE(name, parts, id, code) case Arith::name: return compare(i, parts, Id::kId##id, code);
    // clang-format on
#include "grader/simulator/native/forms.def"
#undef SAME
#undef FLOAT
#undef COPY
#undef ONE
#undef FUSED
#undef PRODUCT
#undef WIDE
#undef WIDE_SUM
#undef COMPARE
    case Arith::U32toU64: return extend(i, Id::kIdVpmovzxdq);
    case Arith::S32toS64: return extend(i, Id::kIdVpmovsxdq);
    case Arith::U64toU32: return narrow(i);
    case Arith::Shl64: return shift64(i, Id::kIdVpsllvq);
    case Arith::ShrU64: return shift64(i, Id::kIdVpsrlvq);
    case Arith::ShrS64: return shift64(i, Id::kIdVpsravq);
    case Arith::Select32: return select(i, 2);
    case Arith::Select64: return select(i, 4);
    case Arith::Lop3: return lop3(i);
    default: return false;
  }
}

bool Translator::same(const Inst& i, std::uint32_t parts, Id id, bool raw) {
  const auto x = cache_.use(i.a, parts, raw), y = cache_.use(i.b, parts, raw);
  if (!x || !y) return false;
  const auto d = cache_.define(i.d, parts, raw);
  for (std::uint32_t p = 0; p < parts; ++p)
    a_.emit(id, cache_.part(d, p), cache_.part(*x, p), cache_.part(*y, p));
  return true;
}

bool Translator::copy(const Inst& i, std::uint32_t parts) {
  const auto x = cache_.use(i.a, parts);
  if (!x) return false;
  const auto d = cache_.define(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) a_.vmovdqa64(cache_.part(d, p), cache_.part(*x, p));
  return true;
}

bool Translator::one(const Inst& i, std::uint32_t parts, Id id) {
  const auto x = cache_.use(i.a, parts);
  if (!x) return false;
  const auto d = cache_.define(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) a_.emit(id, cache_.part(d, p), cache_.part(*x, p));
  return true;
}

bool Translator::fused(const Inst& i, std::uint32_t parts, Id id) {
  const bool raw = parts == 2;
  const auto x = cache_.use(i.a, parts, raw), y = cache_.use(i.b, parts, raw),
             z = cache_.use(i.c, parts, raw);
  if (!x || !y || !z) return false;
  // Where nobody wants the old sum any more, the new one takes its place.
  if (i.c != i.a && i.c != i.b) {
    if (const auto d = cache_.take_over(i.c, i.d, parts, raw)) {
      for (std::uint32_t p = 0; p < parts; ++p)
        a_.emit(id, cache_.part(*d, p), cache_.part(*x, p), cache_.part(*y, p));
      return true;
    }
  }
  const auto d = cache_.define(i.d, parts, raw);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.vmovdqa64(cache_.part(d, p), cache_.part(*z, p));
    a_.emit(id, cache_.part(d, p), cache_.part(*x, p), cache_.part(*y, p));
  }
  return true;
}

bool Translator::product(const Inst& i, std::uint32_t parts, Id multiply, Id add) {
  const auto x = cache_.use(i.a, parts), y = cache_.use(i.b, parts), z = cache_.use(i.c, parts);
  if (!x || !y || !z) return false;
  const auto d = cache_.define(i.d, parts);
  for (std::uint32_t p = 0; p < parts; ++p) {
    a_.emit(multiply, cache_.part(d, p), cache_.part(*x, p), cache_.part(*y, p));
    a_.emit(add, cache_.part(d, p), cache_.part(d, p), cache_.part(*z, p));
  }
  return true;
}

void Translator::widened(const Vec& to, std::uint32_t slot, std::uint32_t part, Id id) {
  const auto e = cache_.find(slot);
  if (!e) {
    a_.emit(id, to, x86::ymmword_ptr(fixed::frame, static_cast<std::int32_t>(slot + part * 32)));
    return;
  }
  const Vec whole = cache_.part(*e, part / 2);
  if (part % 2 == 0 || e->uniform) {
    a_.emit(id, to, whole.ymm());
  } else {
    a_.vextracti64x4(to.ymm(), whole, 1);
    a_.emit(id, to, to.ymm());
  }
}

bool Translator::wide(const Inst& i, Id multiply, bool adds) {
  for (const std::uint32_t slot : {i.a, i.b}) {
    const auto e = cache_.find(slot);
    if (e && e->parts != 2 && !e->uniform) return false;
    if (!e && cache_.uniform(slot) && !cache_.use(slot, 2)) return false;
  }
  const auto z = adds ? cache_.use(i.c, 4) : std::nullopt;
  if (adds && !z) return false;
  const auto d = cache_.define(i.d, 4);
  for (std::uint32_t p = 0; p < 4; ++p) {
    const Vec x = x86::zmm30, y = x86::zmm31;
    widened(x, i.a, p, Id::kIdVpmovzxdq);
    widened(y, i.b, p, Id::kIdVpmovzxdq);
    a_.emit(multiply, cache_.part(d, p), x, y);
    if (adds) a_.vpaddq(cache_.part(d, p), cache_.part(d, p), cache_.part(*z, p));
  }
  return true;
}

bool Translator::extend(const Inst& i, Id id) {
  if (const auto e = cache_.find(i.a); e && e->parts != 2 && !e->uniform) return false;
  const auto d = cache_.define(i.d, 4);
  for (std::uint32_t p = 0; p < 4; ++p) widened(cache_.part(d, p), i.a, p, id);
  return true;
}

bool Translator::narrow(const Inst& i) {
  const auto x = cache_.use(i.a, 4);
  if (!x) return false;
  const auto d = cache_.define(i.d, 2);
  for (std::uint32_t p = 0; p < 2; ++p) {
    a_.vpmovqd(cache_.part(d, p).ymm(), cache_.part(*x, p * 2));
    a_.vpmovqd(x86::ymm30, cache_.part(*x, p * 2 + 1));
    a_.vinserti64x4(cache_.part(d, p), cache_.part(d, p), x86::ymm30, 1);
  }
  return true;
}

bool Translator::shift64(const Inst& i, Id id) {
  const auto x = cache_.use(i.a, 4), by = cache_.use(i.b, 2);
  if (!x || !by) return false;
  const auto d = cache_.define(i.d, 4);
  for (std::uint32_t p = 0; p < 4; ++p) {
    widened(x86::zmm30, i.b, p, Id::kIdVpmovzxdq);
    a_.emit(id, cache_.part(d, p), cache_.part(*x, p), x86::zmm30);
  }
  return true;
}

bool Translator::compare(const Inst& i, std::uint32_t parts, Id id, std::uint32_t code) {
  const auto x = cache_.use(i.a, parts), y = cache_.use(i.b, parts);
  if (!x || !y) return false;
  const auto mask = [](std::uint32_t p) { return x86::KReg(1 + p); };
  for (std::uint32_t p = 0; p < parts; ++p)
    a_.emit(id, mask(p), cache_.part(*x, p), cache_.part(*y, p), asmjit::Imm(code));
  if (parts == 2) {
    a_.kunpckwd(x86::k1, x86::k2, x86::k1);
  } else {
    a_.kunpckbw(x86::k1, x86::k2, x86::k1);
    a_.kunpckbw(x86::k3, x86::k4, x86::k3);
    a_.kunpckwd(x86::k1, x86::k3, x86::k1);
  }
  a_.kmovd(in_frame(i.d, 4), x86::k1);
  return true;
}

bool Translator::select(const Inst& i, std::uint32_t parts) {
  const auto x = cache_.use(i.a, parts), y = cache_.use(i.b, parts);
  if (!x || !y) return false;
  const auto d = cache_.define(i.d, parts);
  a_.kmovd(x86::k1, in_frame(i.c, 4));
  for (std::uint32_t p = 0; p < parts; ++p) {
    if (parts == 2)
      a_.k(x86::k1).vpblendmd(cache_.part(d, p), cache_.part(*y, p), cache_.part(*x, p));
    else
      a_.k(x86::k1).vpblendmq(cache_.part(d, p), cache_.part(*y, p), cache_.part(*x, p));
    if (p + 1 < parts) a_.kshiftrd(x86::k1, x86::k1, 32 / parts);
  }
  return true;
}

bool Translator::lop3(const Inst& i) {
  const auto x = cache_.use(i.a, 2), y = cache_.use(i.b, 2), z = cache_.use(i.c, 2);
  if (!x || !y || !z) return false;
  const auto d = cache_.define(i.d, 2);
  for (std::uint32_t p = 0; p < 2; ++p) {
    a_.vmovdqa64(x86::zmm30, cache_.part(*x, p));
    a_.vpternlogd(x86::zmm30, cache_.part(*y, p), cache_.part(*z, p), i.imm & 0xFF);
    a_.vmovdqa64(cache_.part(d, p), x86::zmm30);
  }
  return true;
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
