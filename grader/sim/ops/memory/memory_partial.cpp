// Loads and stores by some lanes of a warp, which often repeat their lanes and distances, for example in a
// reduction tree. Compiled once for each vector instruction set, like memory_shaped.cpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grader/sim/ops/memory/memory_partial.cpp"

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "grader/sim/ops/memory/memory_kinds.h"
#include "grader/sim/ops/vector_targets.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::sim::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The type of an address in that space.
template <MemorySpace S>
using Address = std::conditional_t<S == MemorySpace::Shared, u32, u64>;

/// True if the active lanes of `a` have the shape's distances from the first of them.
CUDALABS_INLINE bool same_distances(const u64* a, u64 first, const PartialShape& shape) {
  const hn::ScalableTag<u64> tag;
  const auto from = hn::Set(tag, first);
  auto differ = hn::Zero(tag);
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(tag)) {
    const auto unlike = hn::Xor(hn::Sub(hn::Load(tag, a + i), from), hn::Load(tag, shape.distances + i));
    differ = hn::Or(differ, hn::And(unlike, hn::Load(tag, shape.active + i)));
  }
  return hn::AllTrue(tag, hn::Eq(differ, hn::Zero(tag)));
}
CUDALABS_INLINE bool same_distances(const u32* a, u32 first, const PartialShape& shape) {
  u32 differ = 0;
  for (u32 i = 0; i < kLanes; ++i)
    differ |= ((a[i] - first) ^ shape.narrow[i]) & static_cast<u32>(shape.active[i]);
  return differ == 0;
}

/// On other targets a masked store is a load and a store, between which other workers may store to
/// neighbours.
constexpr bool kMasked = HWY_TARGET <= HWY_AVX2;

/// Moves the data that the active lanes load or store; `at`: address of the first of them.
template <class R, bool IsStore>
CUDALABS_INLINE void move_lanes(R* r, std::byte* at, const PartialShape& shape) {
  const u32 mask = shape.mask;
  const auto first = static_cast<u32>(std::countr_zero(mask));
  if (kMasked && shape.in_order) {
    const hn::ScalableTag<R> tag;
    R* const memory = reinterpret_cast<R*>(at) - first;  // of lane 0, possibly outside the allocation
    constexpr std::size_t kBytes = kLanes / 8;
    alignas(64) std::uint8_t bits[kBytes + 8] = {};
    std::memcpy(bits, &mask, kBytes);
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(tag)) {
      const u32 here = mask >> i;
      std::memcpy(bits, &here, kBytes);
      const auto lanes = hn::LoadMaskBits(tag, bits);
      if constexpr (IsStore)
        hn::BlendedStore(hn::Load(tag, r + i), lanes, tag, memory + i);
      else
        hn::BlendedStore(hn::MaskedLoad(lanes, tag, memory + i), lanes, tag, r + i);
    }
    return;
  }
  for (u32 left = mask; left != 0; left &= left - 1) {
    const auto i = static_cast<u32>(std::countr_zero(left));
    std::byte* const there = at + static_cast<std::int64_t>(shape.distances[i]);
    if constexpr (IsStore)
      std::memcpy(there, r + i, sizeof(R));
    else
      std::memcpy(r + i, there, sizeof(R));
  }
}

/// Computes the shape of these addresses, after reporting the repeats of the old one. False: an exceptional
/// case, which the general path must handle.
template <MemorySpace S>
[[gnu::noinline]] bool learn(Exec& x, const Inst& inst, PartialShape& shape, u32 mask, AccessKind kind) {
  using A = Address<S>;
  report_repeats(x, *x.activation->program, x.pc, shape);
  shape.mask = 0;
  const auto* const a = slot<A>(x, inst.a);
  const auto first = static_cast<u32>(std::countr_zero(mask));
  const u64 base = static_cast<A>(a[first] + static_cast<A>(inst.imm));
  u64 bits = 0;
  std::int64_t low = 0, high = 0;
  bool in_order = true;
  for (u32 i = 0; i < kLanes; ++i) {
    const bool active = (mask >> i & 1) != 0;
    const A apart = a[i] - a[first];
    const auto distance = static_cast<u64>(std::int64_t{static_cast<std::make_signed_t<A>>(apart)});
    shape.distances[i] = distance;
    shape.narrow[i] = static_cast<u32>(apart);
    shape.active[i] = active ? ~u64{0} : 0;
    if (!active) continue;
    bits |= base + distance;
    low = std::min(low, static_cast<std::int64_t>(distance));
    high = std::max(high, static_cast<std::int64_t>(distance));
    in_order = in_order && distance == u64{i - first} * inst.width;
  }
  const u64 width = inst.width;
  if ((bits & (width - 1)) != 0) return false;
  const u64 lowest = base + static_cast<u64>(low), highest = base + static_cast<u64>(high);
  const Range range = S == MemorySpace::Shared ? Range{0, x.shared_bytes} : x.global->find(lowest);
  // The first lane's address is between them, so the distances have not wrapped.
  if (!range.holds(lowest, static_cast<u32>(width)) || !range.holds(highest, static_cast<u32>(width)) ||
      !range.holds(base, static_cast<u32>(width)))
    return false;
  if (S == MemorySpace::Global && is_reported(x, kind, range)) return false;
  shape.mask = mask;
  shape.in_order = in_order;
  shape.kind = kind;
  shape.space = S == MemorySpace::Shared ? AccessSpace::Shared : AccessSpace::Global;
  shape.width = inst.width;
  shape.base = base;
  shape.phase = static_cast<u32>(base & 31);
  shape.window = range.begin - static_cast<u64>(low);
  shape.window_size = range.end - range.begin - (static_cast<u64>(high - low) + width) + 1;
  return true;
}

template <MemorySpace S, Element E, bool IsStore>
[[gnu::noinline]] void unusual(Exec& x, const Inst& inst, u32 mask) {
  static const Handler general = general_handler(S, E, S == MemorySpace::Global, IsStore);
  general(x, inst, mask);
}

template <MemorySpace S, Element E, bool IsStore>
void memory(Exec& x, const Inst& inst, u32 mask) {
  constexpr bool kShared = S == MemorySpace::Shared;
  using R = typename KindOf<E>::Register;
  const bool reported =
      kShared ? !x.every_shared.empty() : !x.every_access.empty() && (IsStore || x.unflushed_loads.empty());
  if (mask == kAllLanes || inst.count != 1 || reported) return unusual<S, E, IsStore>(x, inst, mask);
  if (kShared && std::popcount(mask) <= static_cast<int>(kFewLanes))
    return unusual<S, E, IsStore>(x, inst, mask);
  auto& kept = x.activation->tally->partial_shapes[x.pc];
  if (!kept) [[unlikely]]
    kept = std::make_unique<PartialShapes>();
  PartialShape& shape = kept->at(mask);
  using A = Address<S>;
  const auto* const a = slot<A>(x, inst.a);
  const A first = a[std::countr_zero(mask)];
  const u64 base = static_cast<A>(first + static_cast<A>(inst.imm));
  const u64 place = (inst.width - 1u) | 3u;
  if (shape.mask != mask || base - shape.window >= shape.window_size || ((shape.phase ^ base) & place) != 0 ||
      !same_distances(a, first, shape)) [[unlikely]] {
    if (!learn<S>(x, inst, shape, mask, IsStore ? AccessKind::Store : AccessKind::Load))
      return unusual<S, E, IsStore>(x, inst, mask);
  }
  ++shape.repeats[kShared ? 0 : static_cast<u32>(base >> 2) % kSectorWords];
  move_lanes<R, IsStore>(slot<R>(x, inst.d), (kShared ? x.shared : x.global_host) + base, shape);
}

template <MemorySpace S>
Handler of_space(Element element, bool is_store) {
  constexpr Element k32 = Element::U32in32, k64 = Element::U64in64;
  if (element == k32) return is_store ? memory<S, k32, true> : memory<S, k32, false>;
  if (element == k64) return is_store ? memory<S, k64, true> : memory<S, k64, false>;
  return nullptr;
}

}  // namespace

Handler partial_table(MemorySpace space, Element element, bool is_store) {
  return space == MemorySpace::Shared ? of_space<MemorySpace::Shared>(element, is_store)
                                      : of_space<MemorySpace::Global>(element, is_store);
}

}  // namespace cudalabs::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::sim {

Handler partial_handler(MemorySpace space, Element element, bool wide, bool is_store) {
  const bool by_its_addresses = wide ? space == MemorySpace::Global : space == MemorySpace::Shared;
  if (!by_its_addresses) return nullptr;
  [[maybe_unused]] const std::string_view target = vector_target();  // unused on other machines than x86-64
#if HWY_TARGETS & HWY_AVX3
  if (target == "AVX3") return N_AVX3::partial_table(space, element, is_store);
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target == "AVX2") return N_AVX2::partial_table(space, element, is_store);
#endif
  return HWY_STATIC_DISPATCH(partial_table)(space, element, is_store);
}

}  // namespace cudalabs::sim
#endif
