// General loads and stores: any space, any lanes, lane by lane. The usual cases are in memory_shaped.cpp.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/ops/memory/memory_kinds.h"

namespace cudalabs::sim {
namespace {

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
  const auto move = [&](u32 register_slot, std::byte* at) {
    auto* const lanes = slot<typename K::Register>(x, register_slot);
    if constexpr (IsStore)
      write_lanes<K>(lanes, at, offsets, mask);
    else
      read_lanes<K>(lanes, at, offsets, mask);
  };
  if (inst.count == 1) return move(inst.d, base);
  const auto& slots = x.activation->program->extras[inst.extra];
  for (u32 e = 0; e < inst.count; ++e) {
    if (slots[e] != kNone) move(slots[e], base + e * sizeof(typename K::Memory));  // kNone: `_` in a vector
  }
}

template <MemorySpace S, Element E, bool Wide, bool IsStore>
void any_access(Exec& x, const Inst& inst, u32 mask) {
  using K = KindOf<E>;
  constexpr AccessKind kKind = IsStore ? AccessKind::Store : AccessKind::Load;
  const u32 width = inst.width;
  if constexpr (IsStore) {
    if (!x.every_access.empty()) [[unlikely]]
      report_stored<K>(x, inst);
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
    // The base is an offset into the parameters: usually a constant; a register if a struct is indexed.
    addresses_into<u64, Wide>(x.addresses, x, inst);
    patch_inactive(x.addresses, mask);
    for (u32 i = 0; i < kLanes; ++i) {
      if (x.addresses[i] > x.param_bytes || width > x.param_bytes - x.addresses[i]) {
        x.fail(FaultKind::OutOfBounds, i, msg::parameter_read_past_end(), msg::parameter_index_advice());
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

template <MemorySpace S>
struct General {
  template <Element E, bool Wide, bool IsStore>
  static constexpr Handler handler = any_access<S, E, Wide, IsStore>;
};

}  // namespace

Handler general_handler(MemorySpace space, Element element, bool wide, bool is_store) {
  switch (space) {
#define CASE(s) \
  case MemorySpace::s: return pick<General<MemorySpace::s>>(element, wide, is_store);
    CASE(Generic)
    CASE(Global)
    CASE(Const)
    CASE(Shared)
    CASE(Local)
    CASE(ParamArea)
    CASE(KernelParam)
#undef CASE
    case MemorySpace::Count: break;
  }
  return nullptr;
}

HandlerPair memory_handlers(MemorySpace space, Element element, bool wide, bool is_store) {
  const Handler general = general_handler(space, element, wide, is_store);
  const Handler shaped = shaped_handler(space, element, wide, is_store);
  const Handler partial = partial_handler(space, element, wide, is_store);
  return {shaped != nullptr ? shaped : general, partial != nullptr ? partial : general};
}

}  // namespace cudalabs::sim
