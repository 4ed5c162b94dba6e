#pragma once
// The operators of cooperative_groups::reduce and of the scans.

#include <cooperative_groups.h>

namespace cooperative_groups {

template <class T>
struct plus {
  CUDALABS_DEVICE_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  CUDALABS_DEVICE_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  CUDALABS_DEVICE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  CUDALABS_DEVICE_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  CUDALABS_DEVICE_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  CUDALABS_DEVICE_MEMBER T operator()(T a, T b) const { return a ^ b; }
};

namespace details {

/// Combines `value` into an atomic variable of <cuda/atomic> by `op`; returns its old value.
template <class Atomic, class T, class Op>
CUDALABS_DEVICE T update(Atomic& to, T value, Op& op) {
  using Value = decltype(to.load());
  using Named = std::decay_t<Op>;
  constexpr auto kRelaxed = Atomic::relaxed();
  if constexpr (std::is_same_v<Named, plus<Value>>) {
    return to.fetch_add(value, kRelaxed);
  } else {
    Value old = to.load(kRelaxed);
    while (!to.compare_exchange_weak(old, op(old, value), kRelaxed, kRelaxed)) {
    }
    return old;
  }
}

}  // namespace details
}  // namespace cooperative_groups
