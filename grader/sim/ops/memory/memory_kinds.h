#pragma once
// Code that both implementations of loads and stores share: elements in memory and in registers, and the
// addresses of a warp. Everything is a template or in an unnamed namespace, because it is compiled for
// several instruction sets.

#include <cstdint>
#include <cstring>

#include "grader/sim/ops/memory/memory_access.h"
#include "grader/sim/ops/memory/memory_ops.h"
#include "grader/sim/ops/scalar.h"

namespace cudalabs::sim {
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

/// Selects `Family::handler<Element, Wide, IsStore>` by properties that are only known when a kernel is
/// loaded.
template <class Family, Element E>
Handler pick(bool wide, bool is_store) {
  if (wide)
    return is_store ? Family::template handler<E, true, true> : Family::template handler<E, true, false>;
  return is_store ? Family::template handler<E, false, true> : Family::template handler<E, false, false>;
}
template <class Family>
Handler pick(Element element, bool wide, bool is_store) {
  switch (element) {
#define CASE(e) \
  case Element::e: return pick<Family, Element::e>(wide, is_store);
    CUDALABS_MEMORY_ELEMENTS(CASE)
#undef CASE
    case Element::Count: break;
  }
  return nullptr;
}

/// Records in x.stored the data that the store is about to write.
template <class K>
[[gnu::noinline]] void report_stored(Exec& x, const Inst& inst) {
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

}  // namespace
}  // namespace cudalabs::sim
