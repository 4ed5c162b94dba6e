// Loads and stores of global memory by some lanes of a warp: in a tree of sums, say, the same lanes at the
// same distances again and again. Compiled once for each vector instruction set, like memory_shaped.cpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grader/simulator/ops/memory_partial.cpp"

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "grader/simulator/ops/memory_kinds.h"
#include "grader/simulator/ops/vector_targets.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::sim::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// True if the active lanes of `a` are as far from the first of them as the shape says.
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

/// Elsewhere a masked store is a load and a store, between which other workers may store to neighbours.
constexpr bool kMasked = HWY_TARGET <= HWY_AVX2;

/// Moves what the active lanes load or store; `at`: of the first of them.
template <class R, bool IsStore>
CUDALABS_INLINE void move_lanes(R* r, std::byte* at, const PartialShape& shape) {
  const u32 mask = shape.mask;
  const auto first = static_cast<u32>(std::countr_zero(mask));
  if (kMasked && shape.in_order) {
    const hn::ScalableTag<R> tag;
    R* const memory = reinterpret_cast<R*>(at) - first;  // of lane 0, which may lie outside
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

/// The shape of these addresses, after the repeats of the old one were told. False: something is out of the
/// ordinary, and the general way must look at it.
[[gnu::noinline]] bool learn(Exec& x, const Inst& inst, PartialShape& shape, u32 mask, AccessKind kind) {
  tell_repeats(x, *x.activation->program, x.pc, shape);
  shape.mask = 0;
  const auto* const a = slot<u64>(x, inst.a);
  const auto first = static_cast<u32>(std::countr_zero(mask));
  const u64 base = a[first] + static_cast<u64>(inst.imm);
  u64 bits = 0;
  std::int64_t low = 0, high = 0;
  bool in_order = true;
  for (u32 i = 0; i < kLanes; ++i) {
    const bool active = (mask >> i & 1) != 0;
    const u64 distance = a[i] - a[first];
    shape.distances[i] = distance;
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
  const Range range = x.global->find(lowest);
  // With the first lane's between them, the distances have not wrapped.
  if (!range.holds(lowest, static_cast<u32>(width)) || !range.holds(highest, static_cast<u32>(width)) ||
      !range.holds(base, static_cast<u32>(width)))
    return false;
  if (is_told(x, kind, range)) return false;
  shape.mask = mask;
  shape.in_order = in_order;
  shape.kind = kind;
  shape.width = inst.width;
  shape.base = base;
  shape.phase = static_cast<u32>(base & 31);
  shape.window = range.begin - static_cast<u64>(low);
  shape.window_size = range.end - range.begin - (static_cast<u64>(high - low) + width) + 1;
  return true;
}

template <Element E, bool IsStore>
[[gnu::noinline]] void unusual(Exec& x, const Inst& inst, u32 mask) {
  static const Handler general = general_handler(MemorySpace::Global, E, true, IsStore);
  general(x, inst, mask);
}

template <Element E, bool IsStore>
void memory(Exec& x, const Inst& inst, u32 mask) {
  using R = typename KindOf<E>::Register;
  const bool told = !x.every_access.empty() && (IsStore || x.untold_loads.empty());
  if (mask == kAllLanes || inst.count != 1 || told) return unusual<E, IsStore>(x, inst, mask);
  auto& kept = x.activation->tally->partial_shapes[x.pc];
  if (!kept) [[unlikely]]
    kept = std::make_unique<PartialShapes>();
  PartialShape& shape = kept->at(mask);
  const auto* const a = slot<u64>(x, inst.a);
  const u64 first = a[std::countr_zero(mask)], base = first + static_cast<u64>(inst.imm);
  const u64 place = (inst.width - 1u) | 3u;
  if (shape.mask != mask || base - shape.window >= shape.window_size || ((shape.phase ^ base) & place) != 0 ||
      !same_distances(a, first, shape)) [[unlikely]] {
    if (!learn(x, inst, shape, mask, IsStore ? AccessKind::Store : AccessKind::Load))
      return unusual<E, IsStore>(x, inst, mask);
  }
  ++shape.repeats[static_cast<u32>(base >> 2) % kSectorWords];
  move_lanes<R, IsStore>(slot<R>(x, inst.d), x.global_host + base, shape);
}

}  // namespace

Handler partial_table(Element element, bool is_store) {
  constexpr Element k32 = Element::U32in32, k64 = Element::U64in64;
  if (element == k32) return is_store ? memory<k32, true> : memory<k32, false>;
  if (element == k64) return is_store ? memory<k64, true> : memory<k64, false>;
  return nullptr;
}

}  // namespace cudalabs::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cudalabs::sim {

Handler partial_handler(MemorySpace space, Element element, bool wide, bool is_store) {
  if (space != MemorySpace::Global || !wide) return nullptr;
  [[maybe_unused]] const std::string_view target = vector_target();  // off x86-64 there is one
#if HWY_TARGETS & HWY_AVX3
  if (target == "AVX3") return N_AVX3::partial_table(element, is_store);
#endif
#if HWY_TARGETS & HWY_AVX2
  if (target == "AVX2") return N_AVX2::partial_table(element, is_store);
#endif
  return HWY_STATIC_DISPATCH(partial_table)(element, is_store);
}

}  // namespace cudalabs::sim
#endif
