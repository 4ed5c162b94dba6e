// Compiled once for each vector instruction set, like arithmetic.cpp.

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grader/simulator/exec/memory_ops.cpp"
#include "grader/simulator/exec/memory_ops.h"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "grader/simulator/exec/memory_access.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::sim::HWY_NAMESPACE {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// M: the type in memory; R: the register's lane; V: the type that the value has in the register before zero-extension
/// to the lane (ld.s8 into a 16-bit register: M = s8, V = u16, R = u32).
template <class M, class V, class R>
struct Kind {
  using Memory = M;
  using Register = R;
  static R widen(M m) { return static_cast<R>(static_cast<V>(m)); }
};

template <Element> struct KindOf;
template <> struct KindOf<Element::U8in32> : Kind<u8, u32, u32> {};
template <> struct KindOf<Element::S8in32> : Kind<std::int8_t, u32, u32> {};
template <> struct KindOf<Element::S8in16> : Kind<std::int8_t, u16, u32> {};
template <> struct KindOf<Element::U16in32> : Kind<u16, u32, u32> {};
template <> struct KindOf<Element::S16in32> : Kind<std::int16_t, u32, u32> {};
template <> struct KindOf<Element::U32in32> : Kind<u32, u32, u32> {};
template <> struct KindOf<Element::U8in64> : Kind<u8, u64, u64> {};
template <> struct KindOf<Element::S8in64> : Kind<std::int8_t, u64, u64> {};
template <> struct KindOf<Element::U16in64> : Kind<u16, u64, u64> {};
template <> struct KindOf<Element::S16in64> : Kind<std::int16_t, u64, u64> {};
template <> struct KindOf<Element::U32in64> : Kind<u32, u64, u64> {};
template <> struct KindOf<Element::S32in64> : Kind<std::int32_t, u64, u64> {};
template <> struct KindOf<Element::U64in64> : Kind<u64, u64, u64> {};

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
    if constexpr (IsStore) write_lanes<K>(slot<R>(x, inst.d), base, offsets, mask);
    else read_lanes<K>(slot<R>(x, inst.d), base, offsets, mask);
    return;
  }
  const auto& slots = x.activation->program->extras[inst.extra];
  for (u32 e = 0; e < inst.count; ++e) {
    if (slots[e] == kNone) continue;  // `_` in a vector
    std::byte* at = base + e * sizeof(typename K::Memory);
    if constexpr (IsStore) write_lanes<K>(slot<R>(x, slots[e]), at, offsets, mask);
    else read_lanes<K>(slot<R>(x, slots[e]), at, offsets, mask);
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

template <MemorySpace S, Element E, bool Wide, bool IsStore>
void memory(Exec& x, const Inst& inst, u32 mask) {
  using K = KindOf<E>;
  constexpr AccessKind kKind = IsStore ? AccessKind::Store : AccessKind::Load;
  const u32 width = inst.width;
  if constexpr (S == MemorySpace::Shared) {
    addresses_into<u32, Wide>(x.offsets, x, inst);
    patch_inactive(x.offsets, mask);
    if (!check_shared(x, inst, mask, width, kKind)) return;
    observe(x, kKind, AccessSpace::Shared, width, mask);
    transfer<K, IsStore>(x, inst, x.shared, x.offsets, mask);
  } else if constexpr (S == MemorySpace::Global || S == MemorySpace::Const) {
    addresses_into<u64, Wide>(x.addresses, x, inst);
    patch_inactive(x.addresses, mask);
    if (!check_global(x, inst, mask, width, kKind)) return;
    if constexpr (S == MemorySpace::Global) observe(x, kKind, AccessSpace::Global, width, mask);
    transfer<K, IsStore>(x, inst, x.global_host, x.addresses, mask);
  } else if constexpr (S == MemorySpace::Local) {
    addresses_into<u32, Wide>(x.offsets, x, inst);
    patch_inactive(x.offsets, mask);
    if (!check_local(x, inst, mask, width, kKind)) return;
    observe(x, kKind, AccessSpace::Local, width, mask);
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

template <MemorySpace S, Element E>
Handler pick(bool wide, bool is_store) {
  if (wide) return is_store ? memory<S, E, true, true> : memory<S, E, true, false>;
  return is_store ? memory<S, E, false, true> : memory<S, E, false, false>;
}

template <MemorySpace S>
Handler pick_element(Element element, bool wide, bool is_store) {
  switch (element) {
#define CASE(e) case Element::e: return pick<S, Element::e>(wide, is_store);
    CASE(U8in32) CASE(S8in32) CASE(S8in16) CASE(U16in32) CASE(S16in32) CASE(U32in32)
    CASE(U8in64) CASE(S8in64) CASE(U16in64) CASE(S16in64) CASE(U32in64) CASE(S32in64) CASE(U64in64)
#undef CASE
    case Element::Count: break;
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
