// Atomics execute the lanes of a warp one after the other, in ascending order. Across workers, integer
// operations on global memory are atomics of the host. Kernels whose result depends on the order of blocks
// run them in order (Program::needs_block_order), so a compare-and-swap loop suffices for floats.

#include <atomic>
#include <bit>
#include <cstring>

#include "grader/sim/ops/memory/memory_access.h"
#include "grader/sim/ops/memory/memory_ops.h"
#include "grader/sim/ops/scalar.h"

namespace cudalabs::sim {
namespace {

using namespace scalar;  // NOLINT(google-build-using-namespace)

struct Half {
  u16 bits;
};
struct Half2 {
  u32 bits;
};
struct Bfloat {
  u16 bits;
};
struct Bfloat2 {
  u32 bits;
};

template <class T>
T add(T a, T b) {
  return static_cast<T>(a + b);
}
template <>
s32 add(s32 a, s32 b) {
  return static_cast<s32>(static_cast<u32>(a) + static_cast<u32>(b));
}
template <>
s64 add(s64 a, s64 b) {
  return static_cast<s64>(static_cast<u64>(a) + static_cast<u64>(b));
}
template <>
Half add(Half a, Half b) {
  return {float_to_half(half_to_float(a.bits) + half_to_float(b.bits))};
}
template <>
Bfloat add(Bfloat a, Bfloat b) {
  return {float_to_bfloat(bfloat_to_float(a.bits) + bfloat_to_float(b.bits))};
}
template <>
Half2 add(Half2 a, Half2 b) {
  const u32 low = add(Half{static_cast<u16>(a.bits)}, Half{static_cast<u16>(b.bits)}).bits;
  const u32 high = add(Half{static_cast<u16>(a.bits >> 16)}, Half{static_cast<u16>(b.bits >> 16)}).bits;
  return {low | high << 16};
}
template <>
Bfloat2 add(Bfloat2 a, Bfloat2 b) {
  const u32 low = add(Bfloat{static_cast<u16>(a.bits)}, Bfloat{static_cast<u16>(b.bits)}).bits;
  const u32 high = add(Bfloat{static_cast<u16>(a.bits >> 16)}, Bfloat{static_cast<u16>(b.bits >> 16)}).bits;
  return {low | high << 16};
}

template <AtomicOp O, class T>
T combine(T old, T b, [[maybe_unused]] T c) {
  if constexpr (O == AtomicOp::Add)
    return add(old, b);
  else if constexpr (O == AtomicOp::Exch)
    return b;
  else if constexpr (O == AtomicOp::Cas)
    return old == b ? c : old;
  else if constexpr (O == AtomicOp::Min)
    return b < old ? b : old;
  else if constexpr (O == AtomicOp::Max)
    return b > old ? b : old;
  else if constexpr (O == AtomicOp::And)
    return static_cast<T>(old & b);
  else if constexpr (O == AtomicOp::Or)
    return static_cast<T>(old | b);
  else if constexpr (O == AtomicOp::Xor)
    return static_cast<T>(old ^ b);
  else if constexpr (O == AtomicOp::Inc)
    return old >= b ? T{0} : static_cast<T>(old + 1);
  else
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
}

template <std::size_t N>
struct Unsigned;
template <>
struct Unsigned<2> {
  using Type = u16;
};
template <>
struct Unsigned<4> {
  using Type = u32;
};
template <>
struct Unsigned<8> {
  using Type = u64;
};

/// Register lane for a T: its bits, zero-extended to 32.
template <class T>
using Bits = typename Unsigned<sizeof(T)>::Type;
template <class T>
using LaneOf = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <class T>
T from_lane(LaneOf<T> lane) {
  return std::bit_cast<T>(static_cast<Bits<T>>(lane));
}

template <AtomicOp O, class T, class Offset>
void apply(Exec& x, const Inst& inst, std::byte* base, const Offset* offsets, u32 mask) {
  const auto* b = slot<LaneOf<T>>(x, inst.b);
  const auto* c = inst.c == kNone ? b : slot<LaneOf<T>>(x, inst.c);
  alignas(64) LaneOf<T> old_values[kLanes];
  for (u32 left = mask; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    std::atomic_ref<Bits<T>> cell(*reinterpret_cast<Bits<T>*>(base + offsets[i]));
    Bits<T> seen = cell.load(std::memory_order_relaxed), next{};
    do {
      next = std::bit_cast<Bits<T>>(
          combine<O, T>(std::bit_cast<T>(seen), from_lane<T>(b[i]), from_lane<T>(c[i])));
    } while (!cell.compare_exchange_weak(seen, next, std::memory_order_relaxed));
    x.changes += next != seen ? 1 : 0;
    old_values[i] = seen;
  }
  if (inst.d == kNone) return;
  auto* d = slot<LaneOf<T>>(x, inst.d);
  for (u32 left = mask; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    d[i] = old_values[i];
  }
}

template <AtomicOp O, class T, MemorySpace S, bool Wide>
void atomic(Exec& x, const Inst& inst, u32 mask) {
  constexpr u32 kWidth = sizeof(T);
  for (u32 i = 0; i < kLanes; ++i) {
    x.addresses[i] =
        (Wide ? slot<u64>(x, inst.a)[i] : u64{slot<u32>(x, inst.a)[i]}) + static_cast<u64>(inst.imm);
  }
  if constexpr (S == MemorySpace::Shared) {
    for (u32 i = 0; i < kLanes; ++i) x.offsets[i] = static_cast<u32>(x.addresses[i]);
    patch_inactive(x.offsets, mask);
    if (!check_shared(x, inst, mask, kWidth, AccessKind::Atomic)) return;
    observe(x, x.observers, AccessKind::Atomic, AccessSpace::Shared, kWidth, mask);
    apply<O, T>(x, inst, x.shared, x.offsets, mask);
  } else if constexpr (S == MemorySpace::Global) {
    patch_inactive(x.addresses, mask);
    if (!check_global(x, inst, mask, kWidth, AccessKind::Atomic)) return;
    observe(x, x.observers, AccessKind::Atomic, AccessSpace::Global, kWidth, mask);
    apply<O, T>(x, inst, x.global_host, x.addresses, mask);
  } else {
    generic_access(
        x, inst, mask, kWidth, AccessKind::Atomic,
        [&](std::byte* base, const auto* offsets, u32 lanes) { apply<O, T>(x, inst, base, offsets, lanes); });
  }
}

template <AtomicOp O, class T>
Handler place(MemorySpace space, bool wide) {
  switch (space) {
    case MemorySpace::Shared:
      return wide ? atomic<O, T, MemorySpace::Shared, true> : atomic<O, T, MemorySpace::Shared, false>;
    case MemorySpace::Global: return atomic<O, T, MemorySpace::Global, true>;
    case MemorySpace::Generic: return atomic<O, T, MemorySpace::Generic, true>;
    default: return nullptr;
  }
}

template <class T>
Handler integer(MemorySpace space, AtomicOp op, bool wide) {
  switch (op) {
    case AtomicOp::Add: return place<AtomicOp::Add, T>(space, wide);
    case AtomicOp::Min: return place<AtomicOp::Min, T>(space, wide);
    case AtomicOp::Max: return place<AtomicOp::Max, T>(space, wide);
    case AtomicOp::And: return place<AtomicOp::And, T>(space, wide);
    case AtomicOp::Or: return place<AtomicOp::Or, T>(space, wide);
    case AtomicOp::Xor: return place<AtomicOp::Xor, T>(space, wide);
    case AtomicOp::Exch: return place<AtomicOp::Exch, T>(space, wide);
    case AtomicOp::Cas: return place<AtomicOp::Cas, T>(space, wide);
    case AtomicOp::Inc: return place<AtomicOp::Inc, T>(space, wide);
    case AtomicOp::Dec: return place<AtomicOp::Dec, T>(space, wide);
    case AtomicOp::Count: break;
  }
  return nullptr;
}

}  // namespace

Handler atomic_handler(MemorySpace space, AtomicOp op, AtomicType type, bool wide_address) {
  const bool add = op == AtomicOp::Add;
  switch (type) {
    case AtomicType::U32: return integer<u32>(space, op, wide_address);
    case AtomicType::S32: return integer<s32>(space, op, wide_address);
    case AtomicType::U64: return integer<u64>(space, op, wide_address);
    case AtomicType::S64: return integer<s64>(space, op, wide_address);
    case AtomicType::F32: return add ? place<AtomicOp::Add, f32>(space, wide_address) : nullptr;
    case AtomicType::F64: return add ? place<AtomicOp::Add, f64>(space, wide_address) : nullptr;
    case AtomicType::F16:
      return add                   ? place<AtomicOp::Add, Half>(space, wide_address)
             : op == AtomicOp::Cas ? place<AtomicOp::Cas, u16>(space, wide_address)
                                   : nullptr;
    case AtomicType::F16x2: return add ? place<AtomicOp::Add, Half2>(space, wide_address) : nullptr;
    case AtomicType::BF16: return add ? place<AtomicOp::Add, Bfloat>(space, wide_address) : nullptr;
    case AtomicType::BF16x2: return add ? place<AtomicOp::Add, Bfloat2>(space, wide_address) : nullptr;
    case AtomicType::Count: break;
  }
  return nullptr;
}

}  // namespace cudalabs::sim
