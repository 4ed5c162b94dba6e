// Compiled once for each vector instruction set, like arithmetic.cpp.

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grader/simulator/exec/memory_ops.cpp"
#include "grader/simulator/exec/memory_ops.h"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "grader/simulator/exec/memory_access.h"
#include "grader/simulator/exec/scalar.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::sim::HWY_NAMESPACE {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// M: the type in memory; R: the register's lane; V: the type that the value has in the register before
/// zero-extension to the lane (ld.s8 into a 16-bit register: M = s8, V = u16, R = u32).
template <class M, class V, class R>
struct Kind {
  using Memory = M;
  using Register = R;
  static R widen(M m) { return static_cast<R>(static_cast<V>(m)); }
};

template <Element>
struct KindOf;
template <>
struct KindOf<Element::U8in32> : Kind<u8, u32, u32> {};
template <>
struct KindOf<Element::S8in32> : Kind<std::int8_t, u32, u32> {};
template <>
struct KindOf<Element::S8in16> : Kind<std::int8_t, u16, u32> {};
template <>
struct KindOf<Element::U16in32> : Kind<u16, u32, u32> {};
template <>
struct KindOf<Element::S16in32> : Kind<std::int16_t, u32, u32> {};
template <>
struct KindOf<Element::U32in32> : Kind<u32, u32, u32> {};
template <>
struct KindOf<Element::U8in64> : Kind<u8, u64, u64> {};
template <>
struct KindOf<Element::S8in64> : Kind<std::int8_t, u64, u64> {};
template <>
struct KindOf<Element::U16in64> : Kind<u16, u64, u64> {};
template <>
struct KindOf<Element::S16in64> : Kind<std::int16_t, u64, u64> {};
template <>
struct KindOf<Element::U32in64> : Kind<u32, u64, u64> {};
template <>
struct KindOf<Element::S32in64> : Kind<std::int32_t, u64, u64> {};
template <>
struct KindOf<Element::U64in64> : Kind<u64, u64, u64> {};

template <class Offset>
bool consecutive(const Offset* offsets, u32 bytes) {
  if (offsets[kLanes - 1] - offsets[0] != (kLanes - 1) * bytes) return false;
  u32 differ = 0;
  for (u32 i = 0; i < kLanes; ++i) differ |= offsets[i] - offsets[0] != Offset{i} * bytes ? 1u : 0u;
  return differ == 0;
}

template <class K, class Offset>
void read_lanes(typename K::Register* d, const std::byte* base, const Offset* offsets, u32 mask) {
  using M = typename K::Memory;
  if (mask == kAllLanes) {
    if constexpr (sizeof(M) == sizeof(typename K::Register)) {
      if (consecutive(offsets, sizeof(M))) {
        std::memcpy(d, base + offsets[0], kLanes * sizeof(M));
        return;
      }
    }
    for (u32 i = 0; i < kLanes; ++i) {
      M m;
      std::memcpy(&m, base + offsets[i], sizeof m);
      d[i] = K::widen(m);
    }
    return;
  }
  for (u32 left = mask; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    M m;
    std::memcpy(&m, base + offsets[i], sizeof m);
    d[i] = K::widen(m);
  }
}

template <class K, class Offset>
void write_lanes(const typename K::Register* s, std::byte* base, const Offset* offsets, u32 mask) {
  using M = typename K::Memory;
  if constexpr (sizeof(M) == sizeof(typename K::Register)) {
    if (mask == kAllLanes && consecutive(offsets, sizeof(M))) {
      std::memcpy(base + offsets[0], s, kLanes * sizeof(M));
      return;
    }
  }
  for (u32 left = mask; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    const M m = static_cast<M>(s[i]);
    std::memcpy(base + offsets[i], &m, sizeof m);
  }
}

template <class K, bool IsStore, class Offset>
void transfer(Exec& x, const Inst& inst, std::byte* base, const Offset* offsets, u32 mask) {
  using R = typename K::Register;
  if (inst.count == 1) {
    if constexpr (IsStore)
      write_lanes<K>(slot<R>(x, inst.d), base, offsets, mask);
    else
      read_lanes<K>(slot<R>(x, inst.d), base, offsets, mask);
    return;
  }
  const auto& slots = x.activation->program->extras[inst.extra];
  for (u32 e = 0; e < inst.count; ++e) {
    if (slots[e] == kNone) continue;  // `_` in a vector
    std::byte* at = base + e * sizeof(typename K::Memory);
    if constexpr (IsStore)
      write_lanes<K>(slot<R>(x, slots[e]), at, offsets, mask);
    else
      read_lanes<K>(slot<R>(x, slots[e]), at, offsets, mask);
  }
}

template <class T, bool Wide>
void addresses_into(T* out, Exec& x, const Inst& inst) {
  if constexpr (Wide) {
    const auto* a = slot<u64>(x, inst.a);
    for (u32 i = 0; i < kLanes; ++i) out[i] = static_cast<T>(a[i] + static_cast<u64>(inst.imm));
  } else {
    const auto* a = slot<u32>(x, inst.a);
    for (u32 i = 0; i < kLanes; ++i) out[i] = static_cast<T>(a[i] + static_cast<u64>(inst.imm));
  }
}

/// Leaves in x.stored what the store is about to write.
template <class K>
[[gnu::noinline]] void tell_stored(Exec& x, const Inst& inst) {
  StoreData& data = x.stored;
  data.program = x.activation->program;
  data.instruction = x.pc;
  data.count = inst.count;
  data.element_bytes = sizeof(typename K::Memory);
  data.lane_bytes = sizeof(typename K::Register);
  for (u32 e = 0; e < inst.count; ++e) {
    const u32 from = inst.count == 1 ? inst.d : x.activation->program->extras[inst.extra][e];
    data.elements[e] = from == kNone ? nullptr : x.frame + from;
  }
}

template <class D>
D* distances(Shape& shape) {
  if constexpr (sizeof(D) == 8)
    return shape.wide;
  else
    return shape.narrow;
}

/// Makes `shape` that of the addresses given, after telling the repeats of the old one.
template <class D>
void learn(Exec& x, Shape& shape, const D* addresses, u32 width, AccessKind kind, AccessSpace space,
           u32 element_bytes) {
  tell_repeats(x, *x.activation->program, x.pc, shape);
  using Signed = std::make_signed_t<D>;
  D* const d = distances<D>(shape);
  Signed low = 0, high = 0;
  u32 broadcast = 1, consecutive_lanes = 1;
  for (u32 i = 0; i < kLanes; ++i) {
    d[i] = addresses[i] - addresses[0];
    const auto s = static_cast<Signed>(d[i]);
    low = s < low ? s : low;
    high = s > high ? s : high;
    broadcast &= d[i] == 0 ? 1u : 0u;
    consecutive_lanes &= d[i] == D{i} * element_bytes ? 1u : 0u;
  }
  ++shape.version;
  shape.window_size = 0;
  shape.low = low;
  shape.high = high;
  shape.base = addresses[0];
  shape.phase = static_cast<u32>(addresses[0] & 31);
  shape.kind = kind;
  shape.space = space;
  shape.width = static_cast<u8>(width);
  shape.pattern = broadcast != 0           ? Shape::Pattern::Broadcast
                  : consecutive_lanes != 0 ? Shape::Pattern::Consecutive
                                           : Shape::Pattern::Scattered;
}

/// One element of each lane, for a full warp whose shape is known.
template <class K, bool IsStore, class D>
CUDALABS_INLINE void move_shaped(Exec& x, u32 register_slot, std::byte* at, const Shape& shape, const D* d) {
  using M = typename K::Memory;
  using R = typename K::Register;
  R* const r = slot<R>(x, register_slot);
  constexpr bool kSame = sizeof(M) == sizeof(R);
  if constexpr (IsStore) {
    if (kSame && shape.pattern == Shape::Pattern::Consecutive) {
      std::memcpy(at, r, kLanes * sizeof(M));
      return;
    }
    for (u32 i = 0; i < kLanes; ++i) {
      const M m = static_cast<M>(r[i]);
      std::memcpy(at + static_cast<std::make_signed_t<D>>(d[i]), &m, sizeof m);
    }
  } else {
    if (kSame && shape.pattern == Shape::Pattern::Consecutive) {
      std::memcpy(r, at, kLanes * sizeof(M));
      return;
    }
    if (shape.pattern == Shape::Pattern::Broadcast) {
      M m;
      std::memcpy(&m, at, sizeof m);
      const R v = K::widen(m);
      for (u32 i = 0; i < kLanes; ++i) r[i] = v;
      return;
    }
    for (u32 i = 0; i < kLanes; ++i) {
      M m;
      std::memcpy(&m, at + static_cast<std::make_signed_t<D>>(d[i]), sizeof m);
      r[i] = K::widen(m);
    }
  }
}

/// True if `a`, taken from its first, is `d` in all 32 lanes. A wide register may serve a narrow space.
template <class A, class D>
CUDALABS_INLINE bool same_distances(const A* a, const D* d) {
  if constexpr (sizeof(A) == sizeof(D)) {
    const hwy::HWY_NAMESPACE::ScalableTag<D> tag;
    namespace hn = hwy::HWY_NAMESPACE;
    const auto first = hn::Set(tag, a[0]);
    auto differ = hn::Zero(tag);
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(tag)) {
      differ = hn::Or(differ, hn::Xor(hn::Sub(hn::Load(tag, a + i), first), hn::Load(tag, d + i)));
    }
    return hn::AllTrue(tag, hn::Eq(differ, hn::Zero(tag)));
  } else {
    u32 differ = 0;
    for (u32 i = 0; i < kLanes; ++i) differ |= static_cast<D>(a[i] - a[0]) != d[i] ? 1u : 0u;
    return differ == 0;
  }
}

/// A new shape for the instruction. False: some lane is misaligned.
template <MemorySpace S, bool Wide, class D>
[[gnu::noinline]] bool reshape(Exec& x, const Inst& inst, Shape& shape, AccessKind kind, u32 element_bytes) {
  constexpr bool kShared = S == MemorySpace::Shared;
  D* const addresses = kShared ? reinterpret_cast<D*>(x.offsets) : reinterpret_cast<D*>(x.addresses);
  addresses_into<D, Wide>(addresses, x, inst);
  D bits = 0;
  for (u32 i = 0; i < kLanes; ++i) bits |= addresses[i];
  if ((bits & (inst.width - 1u)) != 0) return false;
  learn(x, shape, addresses, inst.width, kind, kShared ? AccessSpace::Shared : AccessSpace::Global,
        element_bytes);
  return true;
}

[[gnu::noinline]] bool find_range(const Exec& x, Range& range, u64 low, u64 high, u32 width) {
  const Range found = x.global->find(low);
  if (!found.holds(low, width) || !found.holds(high, width)) return false;
  range = found;
  return true;
}

/// A load or store by all 32 lanes. False: something is out of the ordinary, and the general way must look at
/// it.
template <MemorySpace S, class K, bool Wide, bool IsStore>
CUDALABS_INLINE bool shaped_access(Exec& x, const Inst& inst) {
  constexpr bool kShared = S == MemorySpace::Shared;
  using D = std::conditional_t<kShared, u32, u64>;
  constexpr AccessKind kKind = IsStore ? AccessKind::Store : AccessKind::Load;
  constexpr AccessSpace kSpace = kShared ? AccessSpace::Shared : AccessSpace::Global;
  const u32 width = inst.width;
  Tally& tally = *x.activation->tally;
  Shape& shape = tally.shapes[x.pc];
  D* const d = distances<D>(shape);

  // The distances do not depend on the constant offset, so they are taken from the registers as they are.
  using A = std::conditional_t<Wide, u64, u32>;
  const A* const a = slot<A>(x, inst.a);
  const D base = static_cast<D>(a[0] + static_cast<u64>(inst.imm));
  // Within a sector the place decides which sectors are met; in shared memory only the alignment matters,
  // since the banks merely turn.
  const D place = kShared ? static_cast<D>((width - 1) | 3) : D{31};
  const Shape* const leader = inst.leader != kNone ? &tally.shapes[inst.leader] : nullptr;
  const bool known = leader != nullptr && shape.leader_version == leader->version;
  if (((shape.phase ^ base) & place) != 0 || shape.pattern == Shape::Pattern::Unknown ||
      (!known && !same_distances(a, d))) [[unlikely]] {
    if (!reshape<S, Wide, D>(x, inst, shape, kKind, sizeof(typename K::Memory))) return false;
  }
  if (leader != nullptr) shape.leader_version = leader->version;
  if constexpr (kShared) {
    const std::int64_t low = static_cast<std::int64_t>(base) + shape.low;
    const std::int64_t high = static_cast<std::int64_t>(base) + shape.high + width;
    if (low < 0 || high > x.shared_bytes) [[unlikely]]
      return false;
    shape.window = static_cast<u64>(-shape.low);
    shape.window_size = x.shared_bytes - static_cast<u64>(shape.high - shape.low + width) + 1;
  } else {
    const u64 low = base + static_cast<u64>(shape.low), high = base + static_cast<u64>(shape.high);
    const Range& range = tally.ranges[x.pc];
    if (low < range.begin || high >= range.end || width > range.end - high) [[unlikely]] {
      if (!find_range(x, tally.ranges[x.pc], low, high, width)) return false;
    }
    shape.window = range.begin - static_cast<u64>(shape.low);
    shape.window_size = range.end - range.begin - static_cast<u64>(shape.high - shape.low + width) + 1;
  }
  if (!x.every_access.empty() || inst.count != 1) shape.window_size = 0;
  ++shape.repeats;
  if (!x.every_access.empty()) [[unlikely]] {
    D* const addresses = kShared ? reinterpret_cast<D*>(x.offsets) : reinterpret_cast<D*>(x.addresses);
    addresses_into<D, Wide>(addresses, x, inst);
    if constexpr (IsStore) tell_stored<K>(x, inst);
    observe(x, x.every_access, kKind, kSpace, width, kAllLanes);
  }
  std::byte* const at = (kShared ? x.shared : x.global_host) + base;
  if (inst.count == 1) {
    move_shaped<K, IsStore>(x, inst.d, at, shape, d);
    return true;
  }
  const auto& slots = x.activation->program->extras[inst.extra];
  const Shape::Pattern pattern = shape.pattern;
  if (pattern == Shape::Pattern::Consecutive)
    shape.pattern = Shape::Pattern::Scattered;  // elements lie interleaved
  for (u32 e = 0; e < inst.count; ++e) {
    if (slots[e] != kNone)
      move_shaped<K, IsStore>(x, slots[e], at + e * sizeof(typename K::Memory), shape, d);
  }
  shape.pattern = pattern;
  return true;
}

template <MemorySpace S, Element E, bool Wide, bool IsStore>
[[gnu::noinline]] void any_access(Exec& x, const Inst& inst, u32 mask) {
  using K = KindOf<E>;
  constexpr AccessKind kKind = IsStore ? AccessKind::Store : AccessKind::Load;
  const u32 width = inst.width;
  if constexpr (IsStore) {
    if (!x.every_access.empty()) [[unlikely]]
      tell_stored<K>(x, inst);
  }
  if constexpr (S == MemorySpace::Shared) {
    addresses_into<u32, Wide>(x.offsets, x, inst);
    patch_inactive(x.offsets, mask);
    if (!check_shared(x, inst, mask, width, kKind)) return;
    observe(x, x.observers, kKind, AccessSpace::Shared, width, mask);
    transfer<K, IsStore>(x, inst, x.shared, x.offsets, mask);
  } else if constexpr (S == MemorySpace::Global || S == MemorySpace::Const) {
    addresses_into<u64, Wide>(x.addresses, x, inst);
    patch_inactive(x.addresses, mask);
    if (!check_global(x, inst, mask, width, kKind)) return;
    observe(x, x.observers, kKind, S == MemorySpace::Global ? AccessSpace::Global : AccessSpace::Constant,
            width, mask);
    transfer<K, IsStore>(x, inst, x.global_host, x.addresses, mask);
  } else if constexpr (S == MemorySpace::Local) {
    addresses_into<u32, Wide>(x.offsets, x, inst);
    patch_inactive(x.offsets, mask);
    if (!check_local(x, inst, mask, width, kKind)) return;
    observe(x, x.observers, kKind, AccessSpace::Local, width, mask);
    for (u32 i = 0; i < kLanes; ++i) x.addresses[i] = u64{i} * x.local_bytes + x.offsets[i];
    transfer<K, IsStore>(x, inst, x.local, x.addresses, mask);
  } else if constexpr (S == MemorySpace::ParamArea) {
    for (u32 i = 0; i < kLanes; ++i) x.addresses[i] = u64{i} * inst.c + static_cast<u64>(inst.imm);
    transfer<K, IsStore>(x, inst, x.frame + inst.b, x.addresses, mask);
  } else if constexpr (S == MemorySpace::KernelParam) {
    // The base is an offset into the parameters: usually a constant, a register where a struct is indexed.
    addresses_into<u64, Wide>(x.addresses, x, inst);
    patch_inactive(x.addresses, mask);
    for (u32 i = 0; i < kLanes; ++i) {
      if (x.addresses[i] > x.param_bytes || width > x.param_bytes - x.addresses[i]) {
        x.fail(FaultKind::OutOfBounds, i, "read of a kernel parameter beyond the end of the parameters",
               "An array parameter is indexed outside its bounds.");
        return;
      }
    }
    transfer<K, false>(x, inst, const_cast<std::byte*>(x.params), x.addresses, mask);
  } else {
    addresses_into<u64, Wide>(x.addresses, x, inst);
    generic_access(x, inst, mask, width, kKind, [&](std::byte* base, const auto* offsets, u32 lanes) {
      transfer<K, IsStore>(x, inst, base, offsets, lanes);
    });
  }
}

template <MemorySpace S, Element E, bool Wide, bool IsStore>
[[gnu::noinline]] void shaped_or_any_access(Exec& x, const Inst& inst, u32 mask) {
  if (mask == kAllLanes && shaped_access<S, KindOf<E>, Wide, IsStore>(x, inst)) return;
  any_access<S, E, Wide, IsStore>(x, inst, mask);
}

/// The hot path of hot paths: it calls nothing, so that it needs no stack.
template <MemorySpace S, Element E, bool Wide, bool IsStore>
void memory(Exec& x, const Inst& inst, u32 mask) {
  if constexpr (S == MemorySpace::Shared || S == MemorySpace::Global) {
    constexpr bool kShared = S == MemorySpace::Shared;
    using K = KindOf<E>;
    using D = std::conditional_t<kShared, u32, u64>;
    using A = std::conditional_t<Wide, u64, u32>;
    if constexpr (sizeof(typename K::Memory) == sizeof(typename K::Register)) {
      Shape& shape = x.shapes[x.pc];
      const A* const a = slot<A>(x, inst.a);
      const D base = static_cast<D>(a[0] + static_cast<u64>(inst.imm));
      const D place = kShared ? static_cast<D>((inst.width - 1u) | 3u) : D{31};
      if (mask == kAllLanes && base - shape.window < shape.window_size && ((shape.phase ^ base) & place) == 0)
          [[likely]] {
        const D* const d = distances<D>(shape);
        const u64 leader_version = inst.leader != kNone ? x.shapes[inst.leader].version : 0;
        if ((leader_version != 0 && shape.leader_version == leader_version) || same_distances(a, d))
            [[likely]] {
          shape.leader_version = leader_version;
          ++shape.repeats;
          move_shaped<K, IsStore>(x, inst.d, (kShared ? x.shared : x.global_host) + base, shape, d);
          return;
        }
      }
    }
    return shaped_or_any_access<S, E, Wide, IsStore>(x, inst, mask);
  }
  any_access<S, E, Wide, IsStore>(x, inst, mask);
}

template <MemorySpace S, Element E>
Handler pick(bool wide, bool is_store) {
  if (wide) return is_store ? memory<S, E, true, true> : memory<S, E, true, false>;
  return is_store ? memory<S, E, false, true> : memory<S, E, false, false>;
}

template <MemorySpace S>
Handler pick_element(Element element, bool wide, bool is_store) {
  switch (element) {
    // clang-format off
#define CASE(e) case Element::e: return pick<S, Element::e>(wide, is_store);
    CASE(U8in32) CASE(S8in32) CASE(S8in16) CASE(U16in32) CASE(S16in32) CASE(U32in32)
    CASE(U8in64) CASE(S8in64) CASE(U16in64) CASE(S16in64) CASE(U32in64) CASE(S32in64) CASE(U64in64)
#undef CASE
    case Element::Count: break;
    // clang-format on
  }
  return nullptr;
}

}  // namespace

Handler memory_table(MemorySpace space, Element element, bool wide, bool is_store) {
  switch (space) {
    case MemorySpace::Generic: return pick_element<MemorySpace::Generic>(element, wide, is_store);
    case MemorySpace::Global: return pick_element<MemorySpace::Global>(element, wide, is_store);
    case MemorySpace::Const: return pick_element<MemorySpace::Const>(element, wide, is_store);
    case MemorySpace::Shared: return pick_element<MemorySpace::Shared>(element, wide, is_store);
    case MemorySpace::Local: return pick_element<MemorySpace::Local>(element, wide, is_store);
    case MemorySpace::ParamArea: return pick_element<MemorySpace::ParamArea>(element, wide, is_store);
    case MemorySpace::KernelParam: return pick_element<MemorySpace::KernelParam>(element, wide, is_store);
    case MemorySpace::Count: break;
  }
  return nullptr;
}

}  // namespace cudalabs::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::sim {
namespace {

Handler dispatch(MemorySpace space, Element element, bool wide, bool is_store) {
  const std::string_view target = vector_target();
#if HWY_TARGETS & HWY_AVX3
  if (target == "AVX3") return N_AVX3::memory_table(space, element, wide, is_store);
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target == "AVX2") return N_AVX2::memory_table(space, element, wide, is_store);
#endif
  return HWY_STATIC_DISPATCH(memory_table)(space, element, wide, is_store);
}

}  // namespace

Handler load_handler(MemorySpace space, Element element, bool wide_address) {
  return dispatch(space, element, wide_address, false);
}
Handler store_handler(MemorySpace space, Element element, bool wide_address) {
  return dispatch(space, element, wide_address, true);
}

}  // namespace cudalabs::sim
#endif
