// Compiled once for each vector instruction set by Highway's foreach_target; the loops over 32 lanes are
// plain C++ that the compiler vectorizes. Highway's own run-time dispatcher is not used because Debian only
// ships it as a shared library; the table of targets at the end is sufficient.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grader/sim/ops/arithmetic.cpp"
#include "grader/sim/ops/arithmetic.h"
#include "grader/sim/ops/scalar.h"
#include "grader/sim/ops/vector_targets.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::sim::HWY_NAMESPACE {
namespace {

using namespace cudalabs::sim::scalar;  // NOLINT(google-build-using-namespace)

/// Representation of an element of type T in its slot: 64-bit types unchanged, all others in 32 bits.
template <class T>
struct Lane {
  using Stored = std::conditional_t<sizeof(T) == 8, T, std::conditional_t<sizeof(T) == 4, T, u32>>;
  CUDALABS_INLINE static T load(Stored s) {
    if constexpr (sizeof(T) >= 4)
      return s;
    else
      return static_cast<T>(s);
  }
  CUDALABS_INLINE static Stored store(T v) {
    if constexpr (sizeof(T) >= 4)
      return v;
    else
      return static_cast<std::make_unsigned_t<T>>(v);
  }
};

// With inactive lanes, all 32 lanes are computed and the old values of the inactive ones restored: this needs
// one function for each lane width instead of a second copy of every operation.
template <class S>
void masked(Exec& x, const Inst& inst, u32 mask) {
  alignas(64) S old[kLanes];
  S* const d = slot<S>(x, inst.d);
  std::memcpy(old, d, sizeof old);
  inst.full(x, inst, kAllLanes);
  for (u32 i = 0; i < kLanes; ++i) d[i] = (mask >> i) & 1 ? d[i] : old[i];
}

template <class D, class F>
CUDALABS_INLINE void emit(Exec& x, const Inst& inst, F value_of) {
  auto* d = slot<typename Lane<D>::Stored>(x, inst.d);
  // The destination may be one of the sources, lane for lane, but never overlaps one partially.
#pragma GCC ivdep
  for (u32 i = 0; i < kLanes; ++i) d[i] = Lane<D>::store(value_of(i));
}

// Separate functions, so that all operations share the same few lane loops.
template <class D, class A, class F>
void unary(Exec& x, const Inst& inst, u32 /*mask*/) {
  const auto* a = slot<typename Lane<A>::Stored>(x, inst.a);
  emit<D>(x, inst, [=](u32 i) { return F::f(Lane<A>::load(a[i])); });
}
/// For quotients and remainders of nonnegative numbers by one power of two in all lanes, which sizes and
/// strides mostly are: returns log2 of it, or -1. A vector division costs a hundred times as much.
template <class T>
CUDALABS_INLINE int common_power(const T* a, const T* b) {
  T differ = 0, signs = 0;
  for (u32 i = 0; i < kLanes; ++i) {
    differ = static_cast<T>(differ | (b[i] ^ b[0]));
    if constexpr (std::is_signed_v<T>) signs = static_cast<T>(signs | a[i] | b[i]);
  }
  const auto power = static_cast<std::make_unsigned_t<T>>(b[0]);
  return differ == 0 && signs >= 0 && std::has_single_bit(power) ? std::countr_zero(power) : -1;
}

struct DivU32;
struct DivS32;
struct DivU64;
struct DivS64;
struct RemU32;
struct RemS32;
struct RemU64;
struct RemS64;
template <class F, class... Of>
inline constexpr bool kIsOneOf = (std::is_same_v<F, Of> || ...);

template <class D, class A, class B, class F>
void binary(Exec& x, const Inst& inst, u32 /*mask*/) {
  const auto* a = slot<typename Lane<A>::Stored>(x, inst.a);
  const auto* b = slot<typename Lane<B>::Stored>(x, inst.b);
  constexpr bool kQuotient = kIsOneOf<F, DivU32, DivS32, DivU64, DivS64>;
  if constexpr (kQuotient || kIsOneOf<F, RemU32, RemS32, RemU64, RemS64>) {
    if (const int power = common_power(a, b); power >= 0) {
      const D below = static_cast<D>((std::make_unsigned_t<D>{1} << power) - 1);
      return emit<D>(x, inst,
                     [=](u32 i) { return kQuotient ? static_cast<D>(a[i] >> power) : a[i] & below; });
    }
  }
  emit<D>(x, inst, [=](u32 i) { return F::f(Lane<A>::load(a[i]), Lane<B>::load(b[i])); });
}
template <class D, class A, class B, class C, class F>
void ternary(Exec& x, const Inst& inst, u32 /*mask*/) {
  const auto* a = slot<typename Lane<A>::Stored>(x, inst.a);
  const auto* b = slot<typename Lane<B>::Stored>(x, inst.b);
  const auto* c = slot<typename Lane<C>::Stored>(x, inst.c);
  emit<D>(x, inst,
          [=](u32 i) { return F::f(Lane<A>::load(a[i]), Lane<B>::load(b[i]), Lane<C>::load(c[i])); });
}
/// One bit for each lane.
template <class A, class F>
void compare(Exec& x, const Inst& inst, u32 mask) {
  const auto* a = slot<typename Lane<A>::Stored>(x, inst.a);
  const auto* b = slot<typename Lane<A>::Stored>(x, inst.b);
  u32 bits = 0;
  for (u32 i = 0; i < kLanes; ++i)
    bits |= static_cast<u32>(F::f(Lane<A>::load(a[i]), Lane<A>::load(b[i]))) << i;
  u32& p = predicate(x, inst.d);
  p = (p & ~mask) | (bits & mask);
}

// The operations, each a type with one static function.
#define UNARY(name, D, A, ...)                              \
  struct name {                                             \
    CUDALABS_INLINE static D f(A a) { return __VA_ARGS__; } \
  };
#define BINARY(name, D, A, B, ...)                               \
  struct name {                                                  \
    CUDALABS_INLINE static D f(A a, B b) { return __VA_ARGS__; } \
  };
#define TERNARY(name, D, A, B, C, ...)                                \
  struct name {                                                       \
    CUDALABS_INLINE static D f(A a, B b, C c) { return __VA_ARGS__; } \
  };
#define COMPARE(name, A, ...)                                       \
  struct name {                                                     \
    CUDALABS_INLINE static bool f(A a, A b) { return __VA_ARGS__; } \
  };
#include "grader/sim/ops/arithmetic.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef COMPARE

template <class T>
void select(Exec& x, const Inst& inst, u32 /*mask*/) {
  const auto* a = slot<T>(x, inst.a);
  const auto* b = slot<T>(x, inst.b);
  const u32 choose = predicate(x, inst.c);
  emit<T>(x, inst, [=](u32 i) { return (choose >> i) & 1 ? a[i] : b[i]; });
}
template <class T>
void insert(Exec& x, const Inst& inst, u32 /*mask*/) {
  const auto* a = slot<T>(x, inst.a);
  const auto* b = slot<T>(x, inst.b);
  const auto* c = slot<u32>(x, inst.c);
  const auto* e = slot<u32>(x, inst.extra);
  emit<T>(x, inst, [=](u32 i) { return insert_bits<T>(a[i], b[i], c[i], e[i]); });
}
void lop3(Exec& x, const Inst& inst, u32 /*mask*/) {
  const auto* a = slot<u32>(x, inst.a);
  const auto* b = slot<u32>(x, inst.b);
  const auto* c = slot<u32>(x, inst.c);
  u32 table[8];
  for (u32 k = 0; k < 8; ++k) table[k] = (inst.imm >> k) & 1 ? ~u32{0} : 0;
  emit<u32>(x, inst, [=](u32 i) {
    return (table[7] & a[i] & b[i] & c[i]) | (table[6] & a[i] & b[i] & ~c[i]) |
           (table[5] & a[i] & ~b[i] & c[i]) | (table[4] & a[i] & ~b[i] & ~c[i]) |
           (table[3] & ~a[i] & b[i] & c[i]) | (table[2] & ~a[i] & b[i] & ~c[i]) |
           (table[1] & ~a[i] & ~b[i] & c[i]) | (table[0] & ~a[i] & ~b[i] & ~c[i]);
  });
}

template <class D>
constexpr Handler kMasked = masked<std::conditional_t<sizeof(D) == 8, u64, u32>>;

constexpr HandlerPair kTable[static_cast<std::size_t>(Arith::Count)] = {
#define UNARY(name, D, A, ...) {unary<D, A, name>, kMasked<D>},
#define BINARY(name, D, A, B, ...) {binary<D, A, B, name>, kMasked<D>},
#define TERNARY(name, D, A, B, C, ...) {ternary<D, A, B, C, name>, kMasked<D>},
#define COMPARE(name, A, ...) {compare<A, name>, compare<A, name>},
#include "grader/sim/ops/arithmetic.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef COMPARE
    {select<u32>, kMasked<u32>}, {select<u64>, kMasked<u64>}, {insert<u32>, kMasked<u32>},
    {insert<u64>, kMasked<u64>}, {lop3, kMasked<u32>},
};

}  // namespace

const HandlerPair* arithmetic_table() { return kTable; }

}  // namespace cudalabs::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#if HWY_TARGETS & HWY_AVX2
#include <cpuid.h>
#endif
namespace cudalabs::sim {
namespace {

struct Choice {
  const HandlerPair* table;
  const char* name;
};

#if HWY_TARGETS & HWY_AVX2
/// clang 14 has no name for this CPU feature.
bool converts_halves() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

Choice choose() {
#if HWY_TARGETS & HWY_AVX3
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd")) {
    return {N_AVX3::arithmetic_table(), "AVX3"};
  }
#endif
#if HWY_TARGETS & HWY_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
      converts_halves()) {
    return {N_AVX2::arithmetic_table(), "AVX2"};
  }
#endif
  return {HWY_STATIC_DISPATCH(arithmetic_table)(), "baseline"};
}

const Choice& chosen() {
  static const Choice choice = choose();
  return choice;
}

}  // namespace

HandlerPair arithmetic_handler(Arith operation) {
  return chosen().table[static_cast<std::size_t>(operation)];
}
const char* vector_target() { return chosen().name; }

}  // namespace cudalabs::sim
#endif
