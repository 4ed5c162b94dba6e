#include "grader/sim/ops/memory/mbarrier.h"

#include <bit>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/memory/address.h"
#include "grader/sim/ops/memory/bulk_copy.h"
#include "grader/sim/ops/memory/memory_access.h"

namespace cudalabs::sim {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kMaxArrivals = (1u << 20) - 1;

/// The object in shared memory, from the lowest bit: 20 bits of `pending`, 20 of `expected`, 21 of `bytes`, 1
/// of `phase` and a mark of 2 that distinguishes an initialized object from other content.
struct Object {
  u32 pending = 0, expected = 0;  ///< arrivals: pending in this phase, and expected in every phase
  u32 bytes = 0;                  ///< bytes still expected, two's complement
  u32 phase = 0;                  ///< parity
  bool is_initialised = false;
};
constexpr u64 kMark = 1;
constexpr u32 kByteMask = (1u << 21) - 1;

Object decode(u64 word) {
  return {static_cast<u32>(word) & kMaxArrivals, static_cast<u32>(word >> 20) & kMaxArrivals,
          static_cast<u32>(word >> 40) & kByteMask, static_cast<u32>(word >> 61) & 1, word >> 62 == kMark};
}
u64 encode(const Object& o) {
  if (!o.is_initialised) return 0;
  return u64{o.pending} | u64{o.expected} << 20 | u64{o.bytes & kByteMask} << 40 | u64{o.phase} << 61 |
         kMark << 62;
}

/// Ends the phase when no arrival and no byte is missing.
void settle(Object& o) {
  if (o.pending != 0 || o.bytes != 0) return;
  o.pending = o.expected;
  o.phase ^= 1;
}

bool fail(Exec& x, u32 lane, Message message, Message advice) {
  x.fail(FaultKind::Trap, lane, std::move(message), std::move(advice));
  return false;
}

Object object_at(const Exec& x, u32 offset) {
  u64 word;
  std::memcpy(&word, x.shared + offset, sizeof word);
  return decode(word);
}
void put(Exec& x, u32 offset, const Object& o) {
  const u64 word = encode(o);
  std::memcpy(x.shared + offset, &word, sizeof word);
}

/// Subtracts `count` arrivals. False: a fault.
bool take(Exec& x, Object& o, u32 lane, u32 count) {
  if (count == 0 || count > o.pending) {
    return fail(x, lane, msg::mbarrier_overrun(o.pending, count), msg::mbarrier_arrivals_advice());
  }
  o.pending -= count;
  return true;
}

template <MbarrierOp Op>
bool perform(Exec& x, const Inst& inst, u32 lane, Object& o, u32& passed) {
  const u32 number = inst.b == kNone ? 1 : slot<u32>(x, inst.b)[lane];
  const u64 token = encode(o);
  if constexpr (Op == MbarrierOp::Init) {
    if (number == 0 || number > kMaxArrivals) {
      return fail(x, lane, msg::mbarrier_count_wrong(number), msg::mbarrier_count_advice());
    }
    o = {number, number, 0, 0, true};
    return true;
  }
  if (!o.is_initialised) return fail(x, lane, msg::mbarrier_uninitialised(), msg::mbarrier_init_advice());
  if constexpr (Op == MbarrierOp::Invalidate) o = {};
  using enum MbarrierOp;
  constexpr bool kExpects = Op == ArriveExpect || Op == ArriveDropExpect;
  constexpr bool kDrops = Op == ArriveDrop || Op == ArriveDropNoComplete || Op == ArriveDropExpect;
  constexpr bool kCompletesNothing = Op == ArriveNoComplete || Op == ArriveDropNoComplete;
  constexpr bool kArrives = Op == Arrive || kCompletesNothing || kDrops || kExpects;
  if constexpr (kExpects || Op == ExpectBytes) o.bytes = (o.bytes + number) & kByteMask;
  if constexpr (kArrives) {
    const u32 arrivals = kExpects ? 1 : number;
    if (!take(x, o, lane, arrivals)) return false;
    if (kDrops) o.expected -= arrivals;
    if (kCompletesNothing && o.pending == 0) {
      return fail(x, lane, msg::mbarrier_completed_by_no_complete(), msg::mbarrier_no_complete_advice());
    }
  }
  if constexpr (Op == CompleteBytes) o.bytes = (o.bytes - number) & kByteMask;
  if constexpr (kArrives || Op == CompleteBytes) settle(o);
  if constexpr (Op == MbarrierOp::TestToken) {
    passed |= static_cast<u32>(decode(slot<u64>(x, inst.b)[lane]).phase != o.phase) << lane;
  }
  if constexpr (Op == MbarrierOp::TestParity) passed |= static_cast<u32>((number & 1) != o.phase) << lane;
  if (kArrives && inst.d != kNone) slot<u64>(x, inst.d)[lane] = token;
  return true;
}

/// Processes lanes in ascending order, one by one.
template <MbarrierOp Op, bool Wide, bool Generic>
void mbarrier(Exec& x, const Inst& inst, u32 mask) {
  constexpr bool kTests = Op == MbarrierOp::TestToken || Op == MbarrierOp::TestParity;
  for (u32 l = 0; l < kLanes; ++l) {
    u64 at = (Wide ? slot<u64>(x, inst.a)[l] : slot<u32>(x, inst.a)[l]) + static_cast<u64>(inst.imm);
    if (Generic) {
      if (((mask >> l) & 1) != 0 && !in_window(at, kSharedWindow)) {
        x.fail(FaultKind::OutOfBounds, l, msg::mbarrier_outside_shared(), msg::mbarrier_shared_advice());
        return;
      }
      at -= kSharedWindow;
    }
    x.offsets[l] = static_cast<u32>(at);
  }
  patch_inactive(x.offsets, mask);
  if (!check_shared(x, inst, mask, sizeof(u64), AccessKind::Atomic)) return;
  report_loads(x);
  u32 passed = 0;
  for (u32 left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<u32>(std::countr_zero(left));
    Object o = object_at(x, x.offsets[l]);
    if (kTests && *x.bulk != nullptr && o.is_initialised && o.pending == 0) {
      (*x.bulk)->complete(x, x.offsets[l]);
      o = object_at(x, x.offsets[l]);
    }
    const u32 phase = o.phase;
    if (!perform<Op>(x, inst, l, o, passed)) return;
    for (WorkerObserver* const observer : x.every_access) {
      if (Op == MbarrierOp::Init) continue;
      if (!kTests)
        observer->mbarrier_arrive(x.warp, x.offsets[l], o.phase != phase);
      else if (((passed >> l) & 1) != 0)
        observer->mbarrier_pass(x.warp, x.offsets[l]);
    }
    if (kTests && ((passed >> l) & 1) == 0) x.asked_for = x.offsets[l];
    put(x, x.offsets[l], o);
  }
  if (!kTests) {
    ++x.changes;
    return;
  }
  u32& p = predicate(x, inst.d);
  p = (p & ~mask) | passed;
  x.waits = passed == 0;
}

template <MbarrierOp Op>
Handler pick(bool wide, bool generic) {
  if (generic) return mbarrier<Op, true, true>;
  return wide ? mbarrier<Op, true, false> : mbarrier<Op, false, false>;
}

void pending(Exec& x, const Inst& inst, u32 mask) {
  for (u32 left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<u32>(std::countr_zero(left));
    slot<u32>(x, inst.d)[l] = decode(slot<u64>(x, inst.a)[l]).pending;
  }
}

}  // namespace

bool is_barrier_for_bytes(Exec& x, u32 lane, u64 offset) {
  if (offset % sizeof(u64) != 0 || offset > x.shared_bytes || sizeof(u64) > x.shared_bytes - offset) {
    return fail(x, lane, msg::bulk_copy_barrier_wrong(), msg::bulk_copy_barrier_advice());
  }
  return object_at(x, static_cast<u32>(offset)).is_initialised ||
         fail(x, lane, msg::mbarrier_uninitialised(), msg::mbarrier_init_advice());
}

std::optional<std::int32_t> missing_bytes(const std::byte* object) {
  u64 word;
  std::memcpy(&word, object, sizeof word);
  const Object o = decode(word);
  if (!o.is_initialised || o.pending != 0 || o.bytes == 0) return std::nullopt;
  const bool negative = o.bytes > kByteMask / 2;
  return static_cast<std::int32_t>(o.bytes) - (negative ? static_cast<std::int32_t>(kByteMask) + 1 : 0);
}

void complete_bytes(Exec& x, u32 warp, u32 offset, u32 bytes) {
  Object o = object_at(x, offset);
  const u32 phase = o.phase;
  o.bytes = (o.bytes - bytes) & kByteMask;
  settle(o);
  for (WorkerObserver* const observer : x.every_access)
    observer->mbarrier_arrive(warp, offset, o.phase != phase);
  put(x, offset, o);
}

Handler mbarrier_handler(MbarrierOp op, bool wide_address, bool generic) {
  switch (op) {
#define CASE(e) \
  case MbarrierOp::e: return pick<MbarrierOp::e>(wide_address, generic);
    CASE(Init)
    CASE(Invalidate)
    CASE(Arrive)
    CASE(ArriveNoComplete)
    CASE(ArriveDrop)
    CASE(ArriveDropNoComplete)
    CASE(ArriveExpect)
    CASE(ArriveDropExpect)
    CASE(ExpectBytes)
    CASE(CompleteBytes)
    CASE(TestToken)
    CASE(TestParity)
    CASE(CopyArrive)
#undef CASE
    case MbarrierOp::Count: break;
  }
  return nullptr;
}

Handler mbarrier_pending_handler() { return pending; }

}  // namespace cudalabs::sim
