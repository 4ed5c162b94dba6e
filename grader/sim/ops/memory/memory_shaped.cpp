// Loads and stores of global and shared memory by full warps, whose addresses usually keep their shape
// between executions. Compiled once for each vector instruction set, like arithmetic.cpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grader/sim/ops/memory/memory_shaped.cpp"

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "grader/sim/executable/lane_pattern.h"
#include "grader/sim/ops/memory/memory_kinds.h"
#include "grader/sim/ops/vector_targets.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::sim::HWY_NAMESPACE {
namespace {

template <class D>
D* distances(Shape& shape) {
  if constexpr (sizeof(D) == 8)
    return shape.wide;
  else
    return shape.narrow;
}

/// Sets `shape` to that of the given addresses, after reporting the repeats of the old one.
template <class D>
void learn(Exec& x, Shape& shape, const D* addresses, u32 width, AccessKind kind, AccessSpace space,
           u32 element_bytes) {
  report_repeats(x, *x.activation->program, x.pc, shape);
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
  shape.version = ++x.activation->tally->versions;
  shape.window_size = shape.group_size = 0;
  shape.low = low;
  shape.high = high;
  shape.even = evenly_spaced(d);
  shape.base = addresses[0];
  shape.phase = static_cast<u32>(addresses[0] & 31);
  shape.kind = kind;
  shape.space = space;
  shape.width = static_cast<u8>(width);
  shape.pattern = broadcast != 0           ? Shape::Pattern::Broadcast
                  : consecutive_lanes != 0 ? Shape::Pattern::Consecutive
                                           : Shape::Pattern::Scattered;
}

/// Moves one element for each lane of a full warp with a known shape.
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

/// The low bits of a base that must not change: the alignment to the width and to a word.
CUDALABS_INLINE u32 place_mask(u32 width) { return (width - 1) | 3; }

/// Index in Shape::repeats for an access from `base`.
template <bool Shared>
CUDALABS_INLINE u32 word_of_sector(u64 base) {
  return Shared ? 0 : static_cast<u32>(base >> 2) % kSectorWords;
}

/// True if the distances of `a` from its first element are `d` in all 32 lanes. A wide register may address a
/// narrow space.
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

/// Replaces `shape` by a cached earlier shape with these distances, and caches the old one. False: there is
/// none.
template <class D>
CUDALABS_INLINE bool take_other(Exec& x, Shape& shape, const D* addresses, u32 width) {
  constexpr std::size_t kMaxCode = 1 << 16;  // four shapes take more memory than other data of an access
  if (x.activation->program->code.size() > kMaxCode) return false;
  const bool is_of_group = shape.counted_by != kNone || shape.together != nullptr;
  if (shape.pattern == Shape::Pattern::Unknown || is_of_group) return false;
  auto& kept = x.activation->tally->other_shapes[x.pc];
  if (!kept) kept = std::make_unique<OtherShapes>();
  const u64 base = addresses[0];
  const D second = addresses[1] - addresses[0];
  for (Shape& other : kept->of) {
    D* const d = distances<D>(other);
    if (other.pattern == Shape::Pattern::Unknown || d[1] != second) continue;
    if (((other.phase ^ base) & place_mask(width)) != 0 || !same_distances(addresses, d)) continue;
    std::swap(shape, other);
    shape.group_size = 0;
    return true;
  }
  Shape& oldest = kept->of[kept->next++ % kept->of.size()];
  report_repeats(x, *x.activation->program, x.pc, oldest);
  oldest = shape;
  std::fill(std::begin(shape.repeats), std::end(shape.repeats), 0);
  return false;
}

/// Computes a new shape for the instruction. False: some lane is misaligned.
template <MemorySpace S, bool Wide, class D>
[[gnu::noinline]] bool reshape(Exec& x, const Inst& inst, Shape& shape, AccessKind kind, u32 element_bytes) {
  constexpr bool kShared = S == MemorySpace::Shared;
  D* const addresses = kShared ? reinterpret_cast<D*>(x.offsets) : reinterpret_cast<D*>(x.addresses);
  addresses_into<D, Wide>(addresses, x, inst);
  D bits = 0;
  for (u32 i = 0; i < kLanes; ++i) bits |= addresses[i];
  if ((bits & (inst.width - 1u)) != 0) return false;
  if (inst.leader != kNone) x.shapes[inst.leader].group_size = 0;
  if (take_other(x, shape, addresses, inst.width)) return true;
  learn(x, shape, addresses, inst.width, kind, kShared ? AccessSpace::Shared : AccessSpace::Global,
        element_bytes);
  return true;
}

[[gnu::noinline]] bool find_range(const Exec& x, Range& range, u64 low, u64 base, u64 high, u32 width) {
  const Range found = x.global->find(low);
  // Lane 0's address is between them, so the distances have not wrapped.
  if (!found.holds(low, width) || !found.holds(high, width) || !found.holds(base, width)) return false;
  range = found;
  return true;
}

/// Defers the report of a load to the observers.
CUDALABS_INLINE void keep_unflushed(Exec& x, const Shape& shape, u32 base) {
  x.unflushed.loads[x.unflushed.count++] = {x.pc, base, shape.narrow[1], shape.width};
  if (x.unflushed.count == UnflushedLoads::kMax) [[unlikely]]
    report_unflushed(x);
}

/// A load or store by all 32 lanes. False: an exceptional case, which the general path must handle.
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

  // The distances do not depend on the constant offset, so they are computed from the registers directly.
  using A = std::conditional_t<Wide, u64, u32>;
  const A* const a = slot<A>(x, inst.a);
  const D base = static_cast<D>(a[0] + static_cast<u64>(inst.imm));
  const D place = place_mask(width);
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
    if (low < range.begin || base < low || high < base || high >= range.end || width > range.end - high)
        [[unlikely]] {
      if (!find_range(x, tally.ranges[x.pc], low, base, high, width)) return false;
    }
    shape.window = range.begin - static_cast<u64>(shape.low);
    shape.window_size = range.end - range.begin - static_cast<u64>(shape.high - shape.low + width) + 1;
  }
  const auto& watchers = kShared ? x.every_shared : x.every_access;
  const bool listed = kShared && x.unflushed.kept && inst.listed && shape.even;
  const bool reported = kShared ? !watchers.empty() : is_reported(x, kKind, tally.ranges[x.pc]);
  if ((reported && !listed) || inst.count != 1) shape.window_size = 0;
  ++shape.repeats[word_of_sector<kShared>(base)];
  if (listed) {
    if constexpr (kShared) keep_unflushed(x, shape, base);
  } else if (reported) [[unlikely]] {
    D* const addresses = kShared ? reinterpret_cast<D*>(x.offsets) : reinterpret_cast<D*>(x.addresses);
    addresses_into<D, Wide>(addresses, x, inst);
    if constexpr (IsStore) report_stored<K>(x, inst);
    observe(x, watchers, kKind, kSpace, width, kAllLanes, AccessForm::Lanes,
            shape.even ? Spacing::Even : Spacing::Uneven, shape.version);
  }
  std::byte* const at = (kShared ? x.shared : x.global_host) + base;
  if (inst.count == 1) {
    move_shaped<K, IsStore>(x, inst.d, at, shape, d);
    return true;
  }
  const auto& slots = x.activation->program->extras[inst.extra];
  const Shape::Pattern pattern = shape.pattern;
  if (pattern == Shape::Pattern::Consecutive)
    shape.pattern = Shape::Pattern::Scattered;  // the elements of a lane are interleaved
  for (u32 e = 0; e < inst.count; ++e) {
    if (slots[e] == kNone) continue;
    move_shaped<K, IsStore>(x, slots[e], at + e * sizeof(typename K::Memory), shape, d);
  }
  shape.pattern = pattern;
  return true;
}

template <MemorySpace S, Element E, bool Wide, bool IsStore>
[[gnu::noinline]] void unusual(Exec& x, const Inst& inst, u32 mask) {
  if (!shaped_access<S, KindOf<E>, Wide, IsStore>(x, inst)) inst.masked(x, inst, mask);
}

/// The hottest path: it makes no calls, so that it needs no stack frame.
template <MemorySpace S, Element E, bool Wide, bool IsStore>
void memory(Exec& x, const Inst& inst, u32 mask) {
  constexpr bool kShared = S == MemorySpace::Shared;
  using K = KindOf<E>;
  using D = std::conditional_t<kShared, u32, u64>;
  using A = std::conditional_t<Wide, u64, u32>;
  if constexpr (sizeof(typename K::Memory) == sizeof(typename K::Register)) {
    Shape& shape = x.shapes[x.pc];
    const A* const a = slot<A>(x, inst.a);
    const D base = static_cast<D>(a[0] + static_cast<u64>(inst.imm));
    const D place = place_mask(inst.width);
    if (base - shape.window < shape.window_size && ((shape.phase ^ base) & place) == 0) [[likely]] {
      const D* const d = distances<D>(shape);
      const u64 leader_version = inst.leader != kNone ? x.shapes[inst.leader].version : 0;
      if ((leader_version != 0 && shape.leader_version == leader_version) || same_distances(a, d))
          [[likely]] {
        shape.leader_version = leader_version;
        ++shape.repeats[word_of_sector<kShared>(base)];
        if constexpr (kShared && !IsStore) {
          if (x.unflushed.kept) [[unlikely]]
            keep_unflushed(x, shape, base);
        }
        move_shaped<K, IsStore>(x, inst.d, (kShared ? x.shared : x.global_host) + base, shape, d);
        return;
      }
    }
  }
  return unusual<S, E, Wide, IsStore>(x, inst, mask);
}

template <MemorySpace S>
struct Shaped {
  template <Element E, bool Wide, bool IsStore>
  static constexpr Handler handler = memory<S, E, Wide, IsStore>;
};

}  // namespace

Handler shaped_table(MemorySpace space, Element element, bool wide, bool is_store) {
  if (space == MemorySpace::Global) return pick<Shaped<MemorySpace::Global>>(element, wide, is_store);
  if (space == MemorySpace::Shared) return pick<Shaped<MemorySpace::Shared>>(element, wide, is_store);
  return nullptr;
}

}  // namespace cudalabs::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::sim {

Handler shaped_handler(MemorySpace space, Element element, bool wide, bool is_store) {
  [[maybe_unused]] const std::string_view target = vector_target();  // unused on other machines than x86-64
#if HWY_TARGETS & HWY_AVX3
  if (target == "AVX3") return N_AVX3::shaped_table(space, element, wide, is_store);
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target == "AVX2") return N_AVX2::shaped_table(space, element, wide, is_store);
#endif
  return HWY_STATIC_DISPATCH(shaped_table)(space, element, wide, is_store);
}

}  // namespace cudalabs::sim
#endif
