#pragma once
// Atomic operations with a memory order and a scope, for <cuda/atomic> and headers that use it.

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "std.h"

namespace cuda {

enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10
};

namespace std {
enum class memory_order { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

}  // namespace cuda

namespace cudalabs {

using cuda::memory_order;
using cuda::thread_scope;

// An instruction with the scope's name between two parts of its text, and one that also has the order's name.
// Sequentially consistent loads and stores get a fence before them.
#define CUDALABS_SCOPED(before, after, ...)               \
  if constexpr (kScope == cuda::thread_scope_system)      \
    asm volatile(before ".sys" after __VA_ARGS__);        \
  else if constexpr (kScope == cuda::thread_scope_device) \
    asm volatile(before ".gpu" after __VA_ARGS__);        \
  else                                                    \
    asm volatile(before ".cta" after __VA_ARGS__);
#define CUDALABS_ORDERED(before, after, ...)                                                      \
  switch (order) {                                                                                \
    case memory_order::relaxed: CUDALABS_SCOPED(before ".relaxed", after, __VA_ARGS__) break;     \
    case memory_order::release: CUDALABS_SCOPED(before ".release", after, __VA_ARGS__) break;     \
    case memory_order::acq_rel: CUDALABS_SCOPED(before ".acq_rel", after, __VA_ARGS__) break;     \
    case memory_order::seq_cst: CUDALABS_SCOPED("fence.sc", ";", : : : "memory") [[fallthrough]]; \
    default: CUDALABS_SCOPED(before ".acquire", after, __VA_ARGS__) break;                        \
  }

template <thread_scope kScope>
CUDALABS_HOST_DEVICE void fence(memory_order order) {
#ifdef __CUDA_ARCH__
  if (order == memory_order::relaxed) return;
  if (order == memory_order::seq_cst) {
    CUDALABS_SCOPED("fence.sc", ";", : : : "memory")
  } else {
    CUDALABS_SCOPED("fence.acq_rel", ";", : : : "memory")
  }
#else
  if (order != memory_order::relaxed) __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

#ifdef __CUDA_ARCH__
/// Instructions on words of one type. `Bits` is the type for exchanges of this size.
template <thread_scope kScope>
struct Words {
#define CUDALABS_LOAD_STORE(T, type, constraint)                                                           \
  static CUDALABS_HOST_DEVICE_MEMBER T load(const T* from, memory_order order) {                           \
    T value;                                                                                               \
    if (order == memory_order::relaxed) {                                                                  \
      CUDALABS_SCOPED("ld.relaxed", "." type " %0, [%1];", : "=" constraint(value) : "l"(from) : "memory") \
    } else {                                                                                               \
      if (order == memory_order::seq_cst) fence<kScope>(order);                                            \
      CUDALABS_SCOPED("ld.acquire", "." type " %0, [%1];", : "=" constraint(value) : "l"(from) : "memory") \
    }                                                                                                      \
    return value;                                                                                          \
  }                                                                                                        \
  static CUDALABS_HOST_DEVICE_MEMBER void store(T* to, T value, memory_order order) {                      \
    if (order == memory_order::release) {                                                                  \
      CUDALABS_SCOPED("st.release", "." type " [%0], %1;", : : "l"(to), constraint(value) : "memory")      \
    } else {                                                                                               \
      if (order == memory_order::seq_cst) fence<kScope>(order);                                            \
      CUDALABS_SCOPED("st.relaxed", "." type " [%0], %1;", : : "l"(to), constraint(value) : "memory")      \
    }                                                                                                      \
  }
#define CUDALABS_CHANGE(name, instruction, T, type, constraint)                   \
  static CUDALABS_HOST_DEVICE_MEMBER T name(T* at, T value, memory_order order) { \
    T old;                                                                        \
    CUDALABS_ORDERED("atom", "." instruction "." type " %0, [%1], %2;",           \
                     : "=" constraint(old)                                        \
                     : "l"(at), constraint(value)                                 \
                     : "memory")                                                  \
    return old;                                                                   \
  }
#define CUDALABS_SWAP(T, type, constraint)                                                                \
  static CUDALABS_HOST_DEVICE_MEMBER T compare_exchange(T* at, T expected, T value, memory_order order) { \
    T old;                                                                                                \
    CUDALABS_ORDERED("atom", ".cas." type " %0, [%1], %2, %3;",                                           \
                     : "=" constraint(old)                                                                \
                     : "l"(at), constraint(expected), constraint(value)                                   \
                     : "memory")                                                                          \
    return old;                                                                                           \
  }
#define CUDALABS_INTEGERS(Unsigned, Signed, bits, constraint)       \
  CUDALABS_LOAD_STORE(Unsigned, "b" bits, constraint)               \
  CUDALABS_SWAP(Unsigned, "b" bits, constraint)                     \
  CUDALABS_CHANGE(exchange, "exch", Unsigned, "b" bits, constraint) \
  CUDALABS_CHANGE(bit_and, "and", Unsigned, "b" bits, constraint)   \
  CUDALABS_CHANGE(bit_or, "or", Unsigned, "b" bits, constraint)     \
  CUDALABS_CHANGE(bit_xor, "xor", Unsigned, "b" bits, constraint)   \
  CUDALABS_CHANGE(add, "add", Unsigned, "u" bits, constraint)       \
  CUDALABS_CHANGE(min, "min", Unsigned, "u" bits, constraint)       \
  CUDALABS_CHANGE(max, "max", Unsigned, "u" bits, constraint)       \
  CUDALABS_CHANGE(min, "min", Signed, "s" bits, constraint)         \
  CUDALABS_CHANGE(max, "max", Signed, "s" bits, constraint)
  CUDALABS_INTEGERS(unsigned, int, "32", "r")
  CUDALABS_INTEGERS(unsigned long long, long long, "64", "l")
  CUDALABS_CHANGE(add, "add", float, "f32", "f")
  CUDALABS_CHANGE(add, "add", double, "f64", "d")
  CUDALABS_LOAD_STORE(unsigned short, "b16", "h")
  CUDALABS_SWAP(unsigned short, "b16", "h")
#undef CUDALABS_LOAD_STORE
#undef CUDALABS_CHANGE
#undef CUDALABS_SWAP
#undef CUDALABS_INTEGERS

  // A byte has only loads and stores of its own; other operations compare and swap the word that contains it.
  static CUDALABS_HOST_DEVICE_MEMBER unsigned char load(const unsigned char* from, memory_order order) {
    unsigned value;
    if (order == memory_order::seq_cst) fence<kScope>(order);
    CUDALABS_SCOPED("ld.relaxed", ".u8 %0, [%1];", : "=r"(value) : "l"(from) : "memory")
    if (order != memory_order::relaxed) fence<kScope>(memory_order::acquire);
    return static_cast<unsigned char>(value);
  }
  static CUDALABS_HOST_DEVICE_MEMBER void store(unsigned char* to, unsigned char value, memory_order order) {
    fence<kScope>(order);
    CUDALABS_SCOPED("st.relaxed", ".u8 [%0], %1;", : : "l"(to), "r"(static_cast<unsigned>(value)) : "memory")
  }
  static CUDALABS_HOST_DEVICE_MEMBER unsigned char compare_exchange(unsigned char* at, unsigned char expected,
                                                                    unsigned char value, memory_order order) {
    const auto address = reinterpret_cast<::std::size_t>(at);
    auto* const word = reinterpret_cast<unsigned*>(address & ~::std::size_t{3});
    const unsigned shift = static_cast<unsigned>(address & 3) * 8, mask = 0xFFu << shift;
    unsigned seen = load(word, memory_order::relaxed);
    while ((seen & mask) >> shift == expected) {
      const unsigned old =
          compare_exchange(word, seen, (seen & ~mask) | static_cast<unsigned>(value) << shift, order);
      if (old == seen) return expected;
      seen = old;
    }
    return static_cast<unsigned char>((seen & mask) >> shift);
  }
};
#undef CUDALABS_SCOPED
#undef CUDALABS_ORDERED
#endif

/// The operations on a T in memory, on either side.
template <class T, thread_scope kScope>
struct Atomics {
  static_assert(::std::is_trivially_copyable_v<T> &&
                    (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "an atomic value has 1, 2, 4 or 8 bytes that can be copied");
  using Bits = ::std::conditional_t<
      sizeof(T) == 1, unsigned char,
      ::std::conditional_t<sizeof(T) == 2, unsigned short,
                           ::std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>>>;
  static constexpr bool kInteger = ::std::is_integral_v<T> && !::std::is_same_v<T, bool>;
  static constexpr bool kWide = sizeof(T) >= 4;
  /// The type of T for the instructions: long is long long.
  using Number =
      ::std::conditional_t<::std::is_floating_point_v<T>, T,
                           ::std::conditional_t<::std::is_signed_v<T>,
                                                ::std::conditional_t<sizeof(T) == 4, int, long long>, Bits>>;

  static CUDALABS_HOST_DEVICE_MEMBER Bits to_bits(T value) {
    Bits bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  static CUDALABS_HOST_DEVICE_MEMBER T from_bits(Bits bits) {
    T value;
    __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof bits);
    return value;
  }
  static CUDALABS_HOST_DEVICE_MEMBER Bits* bits_at(T* at) { return reinterpret_cast<Bits*>(at); }

  static CUDALABS_HOST_DEVICE_MEMBER T load(const T* from, memory_order order) {
    const auto* const bits = reinterpret_cast<const Bits*>(from);
#ifdef __CUDA_ARCH__
    return from_bits(Words<kScope>::load(bits, order));
#else
    return from_bits(__atomic_load_n(bits, __ATOMIC_SEQ_CST));
#endif
  }
  static CUDALABS_HOST_DEVICE_MEMBER void store(T* to, T value, memory_order order) {
#ifdef __CUDA_ARCH__
    Words<kScope>::store(bits_at(to), to_bits(value), order);
#else
    __atomic_store_n(bits_at(to), to_bits(value), __ATOMIC_SEQ_CST);
#endif
  }
  /// Returns whether it exchanged the value; if not, `expected` gets the current value.
  static CUDALABS_HOST_DEVICE_MEMBER bool compare_exchange(T* at, T& expected, T value, memory_order order) {
#ifdef __CUDA_ARCH__
    const Bits old = Words<kScope>::compare_exchange(bits_at(at), to_bits(expected), to_bits(value), order);
    const bool done = old == to_bits(expected);
#else
    Bits old = to_bits(expected);
    const bool done = __atomic_compare_exchange_n(bits_at(at), &old, to_bits(value), false, __ATOMIC_SEQ_CST,
                                                  __ATOMIC_SEQ_CST);
#endif
    if (!done) expected = from_bits(old);
    return done;
  }
  template <class Change>
  static CUDALABS_HOST_DEVICE_MEMBER T changed(T* at, memory_order order, const Change& change) {
    T old = load(at, memory_order::relaxed);
    while (!compare_exchange(at, old, change(old), order)) {
    }
    return old;
  }
  static CUDALABS_HOST_DEVICE_MEMBER T exchange(T* at, T value, memory_order order) {
#ifdef __CUDA_ARCH__
    if constexpr (kWide) return from_bits(Words<kScope>::exchange(bits_at(at), to_bits(value), order));
#endif
    return changed(
        at, order, [=](T) __attribute__((always_inline, nodebug)) { return value; });
  }
#ifdef __CUDA_ARCH__
#define CUDALABS_BY_INSTRUCTION(condition, name, As)                                                      \
  if constexpr (kWide && (condition)) {                                                                   \
    return static_cast<T>(Words<kScope>::name(reinterpret_cast<As*>(at), static_cast<As>(value), order)); \
  } else
#else
#define CUDALABS_BY_INSTRUCTION(condition, name, As)
#endif
  static CUDALABS_HOST_DEVICE_MEMBER T add(T* at, T value, memory_order order) {
    CUDALABS_BY_INSTRUCTION(kInteger, add, Bits)
    CUDALABS_BY_INSTRUCTION(::std::is_floating_point_v<T>, add, Number)
    return changed(
        at,
        order, [=](T old) __attribute__((always_inline, nodebug)) { return static_cast<T>(old + value); });
  }
  static CUDALABS_HOST_DEVICE_MEMBER T min(T* at, T value, memory_order order) {
    CUDALABS_BY_INSTRUCTION(kInteger, min, Number)
    return changed(
        at, order, [=](T old) __attribute__((always_inline, nodebug)) { return value < old ? value : old; });
  }
  static CUDALABS_HOST_DEVICE_MEMBER T max(T* at, T value, memory_order order) {
    CUDALABS_BY_INSTRUCTION(kInteger, max, Number)
    return changed(
        at, order, [=](T old) __attribute__((always_inline, nodebug)) { return old < value ? value : old; });
  }
  static CUDALABS_HOST_DEVICE_MEMBER T bit_and(T* at, T value, memory_order order) {
    CUDALABS_BY_INSTRUCTION(kInteger, bit_and, Bits)
    return changed(
        at,
        order, [=](T old) __attribute__((always_inline, nodebug)) { return static_cast<T>(old & value); });
  }
  static CUDALABS_HOST_DEVICE_MEMBER T bit_or(T* at, T value, memory_order order) {
    CUDALABS_BY_INSTRUCTION(kInteger, bit_or, Bits)
    return changed(
        at,
        order, [=](T old) __attribute__((always_inline, nodebug)) { return static_cast<T>(old | value); });
  }
  static CUDALABS_HOST_DEVICE_MEMBER T bit_xor(T* at, T value, memory_order order) {
    CUDALABS_BY_INSTRUCTION(kInteger, bit_xor, Bits)
    return changed(
        at,
        order, [=](T old) __attribute__((always_inline, nodebug)) { return static_cast<T>(old ^ value); });
  }
#undef CUDALABS_BY_INSTRUCTION
};
/// Pointers advance by elements.
template <class T, thread_scope kScope>
struct Atomics<T*, kScope> : Atomics<unsigned long long, kScope> {
  using Of = Atomics<unsigned long long, kScope>;
  static CUDALABS_HOST_DEVICE_MEMBER unsigned long long number(T* p) {
    return reinterpret_cast<unsigned long long>(p);
  }
  static CUDALABS_HOST_DEVICE_MEMBER T* pointer(unsigned long long n) { return reinterpret_cast<T*>(n); }
  static CUDALABS_HOST_DEVICE_MEMBER unsigned long long* at(T** p) {
    return reinterpret_cast<unsigned long long*>(p);
  }
  static CUDALABS_HOST_DEVICE_MEMBER T* load(T* const* from, memory_order order) {
    return pointer(Of::load(reinterpret_cast<const unsigned long long*>(from), order));
  }
  static CUDALABS_HOST_DEVICE_MEMBER void store(T** to, T* value, memory_order order) {
    Of::store(at(to), number(value), order);
  }
  static CUDALABS_HOST_DEVICE_MEMBER T* exchange(T** p, T* value, memory_order order) {
    return pointer(Of::exchange(at(p), number(value), order));
  }
  static CUDALABS_HOST_DEVICE_MEMBER bool compare_exchange(T** p, T*& expected, T* value,
                                                           memory_order order) {
    unsigned long long old = number(expected);
    const bool done = Of::compare_exchange(at(p), old, number(value), order);
    expected = pointer(old);
    return done;
  }
  static CUDALABS_HOST_DEVICE_MEMBER T* add(T** p, ::std::ptrdiff_t by, memory_order order) {
    return pointer(Of::add(at(p), static_cast<unsigned long long>(by) * sizeof(T), order));
  }
};

/// Common interface of cuda::atomic and cuda::atomic_ref; `Self` provides the value's address.
template <class Self, class T, thread_scope kScope>
class AtomicInterface {
  using On = Atomics<T, kScope>;
  static constexpr auto kStrongest = memory_order::seq_cst;
  using Step = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;
  CUDALABS_HOST_DEVICE_MEMBER T* at() const { return static_cast<const Self*>(this)->place(); }

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;
  CUDALABS_HOST_DEVICE_MEMBER bool is_lock_free() const { return true; }
  /// Not in CUDA: for templates that know only the variable.
  static CUDALABS_HOST_DEVICE_MEMBER constexpr memory_order relaxed() { return memory_order::relaxed; }

  CUDALABS_HOST_DEVICE_MEMBER T load(memory_order order = kStrongest) const { return On::load(at(), order); }
  CUDALABS_HOST_DEVICE_MEMBER operator T() const { return load(); }
  CUDALABS_HOST_DEVICE_MEMBER void store(T value, memory_order order = kStrongest) const {
    On::store(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T exchange(T value, memory_order order = kStrongest) const {
    return On::exchange(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER bool compare_exchange_strong(T& expected, T value,
                                                           memory_order order = kStrongest) const {
    return On::compare_exchange(at(), expected, value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order order,
                                                           memory_order) const {
    return On::compare_exchange(at(), expected, value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER bool compare_exchange_weak(T& expected, T value,
                                                         memory_order order = kStrongest) const {
    return On::compare_exchange(at(), expected, value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order order,
                                                         memory_order) const {
    return On::compare_exchange(at(), expected, value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER void wait(T old, memory_order order = kStrongest) const {
    while (On::to_bits(load(order)) == On::to_bits(old)) {
    }
  }
  CUDALABS_HOST_DEVICE_MEMBER void notify_one() const {}
  CUDALABS_HOST_DEVICE_MEMBER void notify_all() const {}

  CUDALABS_HOST_DEVICE_MEMBER T fetch_add(Step by, memory_order order = kStrongest) const {
    return On::add(at(), by, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T fetch_sub(Step by, memory_order order = kStrongest) const {
    return On::add(at(), static_cast<Step>(-by), order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T fetch_min(T value, memory_order order = kStrongest) const {
    return On::min(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T fetch_max(T value, memory_order order = kStrongest) const {
    return On::max(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T fetch_and(T value, memory_order order = kStrongest) const {
    return On::bit_and(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T fetch_or(T value, memory_order order = kStrongest) const {
    return On::bit_or(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T fetch_xor(T value, memory_order order = kStrongest) const {
    return On::bit_xor(at(), value, order);
  }
  CUDALABS_HOST_DEVICE_MEMBER T operator+=(Step by) const { return static_cast<T>(fetch_add(by) + by); }
  CUDALABS_HOST_DEVICE_MEMBER T operator-=(Step by) const { return static_cast<T>(fetch_sub(by) - by); }
  CUDALABS_HOST_DEVICE_MEMBER T operator&=(T value) const { return static_cast<T>(fetch_and(value) & value); }
  CUDALABS_HOST_DEVICE_MEMBER T operator|=(T value) const { return static_cast<T>(fetch_or(value) | value); }
  CUDALABS_HOST_DEVICE_MEMBER T operator^=(T value) const { return static_cast<T>(fetch_xor(value) ^ value); }
  CUDALABS_HOST_DEVICE_MEMBER T operator++() const { return *this += Step(1); }
  CUDALABS_HOST_DEVICE_MEMBER T operator--() const { return *this -= Step(1); }
  CUDALABS_HOST_DEVICE_MEMBER T operator++(int) const { return fetch_add(Step(1)); }
  CUDALABS_HOST_DEVICE_MEMBER T operator--(int) const { return fetch_sub(Step(1)); }
};

}  // namespace cudalabs
