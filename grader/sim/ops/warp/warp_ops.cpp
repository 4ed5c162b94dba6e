#include "grader/sim/ops/warp/warp_ops.h"

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <set>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/analysis/shuffle.h"
#include "grader/sim/memory/address.h"
#include "grader/sim/ops/memory/memory_ops.h"
#include "grader/sim/ops/scalar.h"

namespace cudalabs::sim {
namespace {

using namespace scalar;  // NOLINT(google-build-using-namespace)

template <class F>
void each(u32 mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<u32>(std::countr_zero(mask)));
}

void write_predicate(Exec& x, u32 where, u32 bits, u32 mask) {
  u32& p = predicate(x, where);
  p = (p & ~mask) | (bits & mask);
}

u32 read_predicate(Exec& x, u32 where, bool negated) {
  return negated ? ~predicate(x, where) : predicate(x, where);
}

// ---- predicates ------------------------------------------------------------------------------------------
u32 first(Exec& x, const Inst& i) { return read_predicate(x, i.a, i.imm & 1); }
u32 second(Exec& x, const Inst& i) { return read_predicate(x, i.b, i.imm & 2); }
u32 third(Exec& x, const Inst& i) { return read_predicate(x, i.c, i.imm & 4); }

template <int Op>
void pred_binary(Exec& x, const Inst& i, u32 mask) {
  const u32 a = first(x, i), b = second(x, i);
  write_predicate(x, i.d, Op == 0 ? a & b : Op == 1 ? a | b : a ^ b, mask);
}
void pred_mov(Exec& x, const Inst& i, u32 mask) { write_predicate(x, i.d, first(x, i), mask); }

/// setp.CmpOp.BoolOp p|q, a, b, c: p = t op c, q = !t op c, where t is in p after the comparison.
template <int Op>
void pred_combine(Exec& x, const Inst& i, u32 mask) {
  const auto apply = [&](u32 t, u32 c) { return Op == 0 ? t & c : Op == 1 ? t | c : t ^ c; };
  const u32 t = predicate(x, i.a), c = third(x, i);
  if (i.extra != kNone) write_predicate(x, i.extra, apply(~t, c), mask);
  if (i.d != kNone) write_predicate(x, i.d, apply(t, c), mask);
}
void pred_to_lane(Exec& x, const Inst& i, u32 mask) {
  const u32 p = predicate(x, i.a), yes = static_cast<u32>(i.imm);
  auto* d = slot<u32>(x, i.d);
  each(mask, [&](u32 l) { d[l] = (p >> l) & 1 ? yes : 0; });
}
void lane_to_pred(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<u32>(x, i.a);
  u32 bits = 0;
  for (u32 l = 0; l < kLanes; ++l) bits |= static_cast<u32>(a[l] != 0) << l;
  write_predicate(x, i.d, bits, mask);
}

// ---- shuffles: PTX ISA, "shfl.sync". A lane outside the mask keeps its value; reading an inactive lane is
// undefined in PTX and returns the reader's own value here.
template <Shuffle Mode>
void shfl(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<u32>(x, i.a);
  const auto* b = slot<u32>(x, i.b);
  const auto* c = slot<u32>(x, i.c);
  alignas(64) std::array<u32, kLanes> values{};
  u32 in_range = 0;
  each(mask, [&](u32 l) {
    const ShuffleSource from = shuffle_source(Mode, l, b[l], c[l]);
    values[l] = (mask >> from.lane) & 1 ? a[from.lane] : a[l];
    in_range |= static_cast<u32>(from.in_range) << l;
  });
  if (i.d != kNone) {
    auto* d = slot<u32>(x, i.d);
    each(mask, [&](u32 l) { d[l] = values[l]; });
  }
  if (i.extra != kNone) write_predicate(x, i.extra, in_range, mask);
}

// ---- votes -----------------------------------------------------------------------------------------------
void vote_all(Exec& x, const Inst& i, u32 mask) {
  write_predicate(x, i.d, (first(x, i) & mask) == mask ? kAllLanes : 0, mask);
}
void vote_any(Exec& x, const Inst& i, u32 mask) {
  write_predicate(x, i.d, (first(x, i) & mask) != 0 ? kAllLanes : 0, mask);
}
void vote_uni(Exec& x, const Inst& i, u32 mask) {
  const u32 bits = first(x, i) & mask;
  write_predicate(x, i.d, bits == 0 || bits == mask ? kAllLanes : 0, mask);
}
void vote_ballot(Exec& x, const Inst& i, u32 mask) {
  const u32 bits = first(x, i) & mask;
  auto* d = slot<u32>(x, i.d);
  each(mask, [&](u32 l) { d[l] = bits; });
}

template <class T>
void match_any(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<T>(x, i.a);
  std::array<u32, kLanes> same{};
  each(mask, [&](u32 l) { each(mask, [&](u32 k) { same[l] |= static_cast<u32>(a[k] == a[l]) << k; }); });
  auto* d = slot<u32>(x, i.d);
  each(mask, [&](u32 l) { d[l] = same[l]; });
}
template <class T>
void match_all(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<T>(x, i.a);
  const T value = a[std::countr_zero(mask)];
  bool all = true;
  each(mask, [&](u32 l) { all = all && a[l] == value; });
  if (i.d != kNone) {
    auto* d = slot<u32>(x, i.d);
    each(mask, [&](u32 l) { d[l] = all ? mask : 0; });
  }
  if (i.extra != kNone) write_predicate(x, i.extra, all ? kAllLanes : 0, mask);
}

void active_mask(Exec& x, const Inst& i, u32 mask) {
  auto* d = slot<u32>(x, i.d);
  each(mask, [&](u32 l) { d[l] = mask; });
}
template <class T, int Op>
void redux(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<T>(x, i.a);
  T r = a[std::countr_zero(mask)];
  each(mask & (mask - 1), [&](u32 l) {
    r = Op == 0   ? static_cast<T>(static_cast<u32>(r) + static_cast<u32>(a[l]))
        : Op == 1 ? (a[l] < r ? a[l] : r)
        : Op == 2 ? (a[l] > r ? a[l] : r)
        : Op == 3 ? static_cast<T>(r & a[l])
        : Op == 4 ? static_cast<T>(r | a[l])
                  : static_cast<T>(r ^ a[l]);
  });
  auto* d = slot<T>(x, i.d);
  each(mask, [&](u32 l) { d[l] = r; });
}
template <bool Max>
void redux_float(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<f32>(x, i.a);
  f32 r = std::numeric_limits<f32>::quiet_NaN();
  bool any_nan = false;
  each(mask, [&](u32 l) {
    const f32 v = i.imm & 1 ? std::fabs(a[l]) : a[l];
    any_nan = any_nan || v != v;
    r = Max ? float_max(r, v) : float_min(r, v);
  });
  if ((i.imm & 2) && any_nan) r = std::numeric_limits<f32>::quiet_NaN();
  auto* d = slot<f32>(x, i.d);
  each(mask, [&](u32 l) { d[l] = r; });
}
void elect(Exec& x, const Inst& i, u32 mask) {
  const u32 leader = static_cast<u32>(std::countr_zero(mask));
  if (i.d != kNone) {
    auto* d = slot<u32>(x, i.d);
    each(mask, [&](u32 l) { d[l] = leader; });
  }
  if (i.extra != kNone) write_predicate(x, i.extra, 1u << leader, mask);
}

void nothing(Exec&, const Inst&, u32) {}
void fence(Exec& x, const Inst& i, u32) {
  report_loads(x);
  for (WorkerObserver* o : x.every_access) o->fence(x.warp, i.imm != 0);
}

// Neither of the two is an instruction of the program: each subtracts itself from the clock.
void load_leaves(Exec& x, const Inst& i, u32 mask) {
  --x.time->waited;
  if (x.load_times == nullptr) return;
  LoadTimes& times = *x.load_times;
  u64 latency = 0;
  u32 shared_lanes = 0, offsets[kLanes];
  std::set<u64> lines;
  const auto space = static_cast<MemorySpace>(i.count);
  each(mask, [&](u32 l) {
    const u64 address = ((i.target & kWideAddress) != 0 ? slot<u64>(x, i.a)[l] : slot<u32>(x, i.a)[l]) +
                        static_cast<u64>(i.imm);
    if (space == MemorySpace::Shared ||
        (space == MemorySpace::Generic && in_window(address, kSharedWindow))) {
      offsets[l] = static_cast<u32>(address);
      shared_lanes |= 1u << l;
    } else if (space == MemorySpace::Local || in_window(address, kLocalWindow) ||
               in_window(address, kParamWindow)) {
      latency = std::max(latency, times.l1());
    } else {
      latency = std::max(latency, times.global(address, (i.target & kPastL1) != 0));
      lines.insert(address / 128);
    }
  });
  u64 passes = std::max<u64>(lines.size(), 1);
  if (shared_lanes != 0) {
    const u32 banks = bank_passes(offsets, shared_lanes, i.width);
    latency = std::max(latency, times.shared());
    passes += banks - (lines.empty() ? 1 : 0);
  }
  x.time->arrives = std::max(x.time->arrives, x.now() + passes - 1 + latency);
  x.time->waited += passes - 1;
}
void loads_arrive(Exec& x, const Inst&, u32) {
  --x.time->waited;
  if (x.time->arrives > x.now()) x.time->waited += x.time->arrives - x.now();
}

template <class T, int Shift>
void read_clock(Exec& x, const Inst& i, u32 mask) {
  auto* d = slot<T>(x, i.d);
  const T now = static_cast<T>(x.now() >> Shift);
  each(mask, [&](u32 l) { d[l] = now; });
}

template <int Window>
void is_space(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<u64>(x, i.a);
  u32 bits = 0;
  for (u32 l = 0; l < kLanes; ++l) {
    const bool shared = in_window(a[l], kSharedWindow), local = in_window(a[l], kLocalWindow);
    const bool in = Window == 0 ? !shared && !local : Window == 1 ? shared : Window == 2 ? local : false;
    bits |= static_cast<u32>(in) << l;
  }
  write_predicate(x, i.d, bits, mask);
}

void set_rounding(Exec&, const Inst& i, u32) { std::fesetround(static_cast<int>(i.imm)); }

void stack_holds(Exec& x, const Inst& i, u32 mask) {
  const auto *more = slot<u64>(x, i.a), *taken = slot<u64>(x, i.b);
  const auto most = static_cast<u64>(i.imm);
  each(mask, [&](u32 l) {
    if (taken[l] <= most && more[l] <= most - taken[l]) return;
    x.fail(FaultKind::OutOfBounds, l, msg::alloca_too_large(more[l], most), msg::alloca_advice());
  });
}
void trap_now(Exec& x, const Inst&, u32 mask) {
  x.fail(FaultKind::Trap, static_cast<u32>(std::countr_zero(mask)), msg::kernel_trapped(),
         msg::trap_advice());
}

// ---- carry chains: the flag is a separate 32-bit slot. A subtraction is a + ~b + 1, so its flag is set if
// there was no borrow: CUDA's 128-bit division adds this flag.
template <class T, bool Sub, bool In>
void carry(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<T>(x, i.a);
  const auto* b = slot<T>(x, i.b);
  auto* flag = slot<u32>(x, i.c);
  auto* d = slot<T>(x, i.d);
  each(mask, [&](u32 l) {
    const T in = In ? static_cast<T>(flag[l] & 1) : static_cast<T>(Sub);
    const T addend = Sub ? static_cast<T>(~b[l]) : b[l];
    const T t = static_cast<T>(a[l] + addend);
    const T r = static_cast<T>(t + in);
    if (i.imm != 0) flag[l] = t < addend || r < t;
    d[l] = r;
  });
}

template <class T, class C>
void slct(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<T>(x, i.a);
  const auto* b = slot<T>(x, i.b);
  const auto* c = slot<C>(x, i.c);
  auto* d = slot<T>(x, i.d);
  each(mask, [&](u32 l) { d[l] = c[l] >= C{0} ? a[l] : b[l]; });
}

template <class F, int Test>
void testp(Exec& x, const Inst& i, u32 mask) {
  const auto* a = slot<F>(x, i.a);
  u32 bits = 0;
  for (u32 l = 0; l < kLanes; ++l) {
    const int kind = std::fpclassify(a[l]);
    const bool yes = Test == 0   ? kind != FP_INFINITE && kind != FP_NAN
                     : Test == 1 ? kind == FP_INFINITE
                     : Test == 2 ? kind != FP_NAN
                     : Test == 3 ? kind == FP_NAN
                     : Test == 4 ? kind == FP_NORMAL || kind == FP_ZERO  // the hardware treats zero as normal
                                 : kind == FP_SUBNORMAL;
    bits |= static_cast<u32>(yes) << l;
  }
  write_predicate(x, i.d, bits, mask);
}

// ---- mov of vectors: part p of the wide value is a separate register (extras[p]; kNone is `_`)
template <class Whole, class PartLane, int PartBits, bool Pack>
void move_parts(Exec& x, const Inst& i, u32 mask) {
  const auto& parts = x.activation->program->extras[i.extra];
  constexpr Whole kMask = static_cast<Whole>((u64{1} << PartBits) - 1);
  if constexpr (Pack) {
    alignas(64) std::array<Whole, kLanes> whole{};
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const auto* s = slot<PartLane>(x, parts[p]);
      for (u32 l = 0; l < kLanes; ++l)
        whole[l] |= (static_cast<Whole>(s[l]) & kMask) << (static_cast<int>(p) * PartBits);
    }
    auto* d = slot<Whole>(x, i.d);
    each(mask, [&](u32 l) { d[l] = whole[l]; });
  } else {
    alignas(64) std::array<Whole, kLanes> whole;
    const auto* a = slot<Whole>(x, i.a);
    for (u32 l = 0; l < kLanes; ++l) whole[l] = a[l];
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (parts[p] == kNone) continue;
      auto* d = slot<PartLane>(x, parts[p]);
      each(mask, [&](u32 l) {
        d[l] = static_cast<PartLane>((whole[l] >> (static_cast<int>(p) * PartBits)) & kMask);
      });
    }
  }
}

constexpr Handler kTable[] = {
#define CUDALABS_WARP_OP(operation, ...) __VA_ARGS__,
#include "grader/sim/ops/warp/warp_ops.def"
#undef CUDALABS_WARP_OP
};

}  // namespace

Handler warp_handler(WarpOp op) { return kTable[static_cast<std::size_t>(op)]; }

}  // namespace cudalabs::sim
