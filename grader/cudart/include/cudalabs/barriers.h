#pragma once
// cuda::barrier. A block's barrier in shared memory is a hardware mbarrier; others are an atomic word.

#include <cuda/atomic>

#include <cstdint>
#include <new>
#include <utility>

#include "mbarrier.h"

namespace cudalabs {

struct Nothing {
  CUDALABS_HOST_DEVICE_MEMBER void operator()() const {}
};

/// A word: the phase (the highest bit), the expected count, and the count of pending arrivals.
template <thread_scope kScope, class Completion>
class WordBarrier {
 public:
  using Token = unsigned long long;
  WordBarrier() = default;
  CUDALABS_HOST_DEVICE_MEMBER constexpr WordBarrier(unsigned expected, Completion completion)
      : word_(static_cast<Token>(expected) << 32 | expected), completion_(completion) {}
  CUDALABS_HOST_DEVICE_MEMBER Token arrive(unsigned count) { return take(count, 0); }
  CUDALABS_HOST_DEVICE_MEMBER void arrive_and_drop() { take(1, 1); }
  CUDALABS_HOST_DEVICE_MEMBER bool passed(Token token) const {
    return ((word_.load(memory_order::acquire) ^ token) & kTurn) != 0;
  }
  CUDALABS_HOST_DEVICE_MEMBER bool passed_parity(bool parity) const { return passed(parity ? kTurn : 0); }

 private:
  static constexpr Token kTurn = 1ull << 63;
  CUDALABS_HOST_DEVICE_MEMBER Token take(unsigned count, unsigned drop) {
    Token old = word_.load(memory_order::relaxed), next;
    bool completed = false;
    do {
      next = old - count - (static_cast<Token>(drop) << 32);
      if (static_cast<unsigned>(next) == 0) {  // this was the last arrival of the phase
        if (!completed) completion_();
        completed = true;
        next = (next | (next & ~kTurn) >> 32) ^ kTurn;
      }
    } while (!word_.compare_exchange_weak(old, next, memory_order::acq_rel, memory_order::relaxed));
    return old & kTurn;
  }

  cuda::atomic<Token, kScope> word_;
  [[no_unique_address]] Completion completion_;
};

/// The hardware barrier in shared memory.
class SharedBarrier {
 public:
  using Token = BarrierState;
  SharedBarrier() = default;
  CUDALABS_DEVICE_MEMBER SharedBarrier(unsigned expected, Nothing) { init_barrier(&state_, expected); }
  CUDALABS_DEVICE_MEMBER Token arrive(unsigned count) {
    if (count > 1) arrive_early(&state_, count - 1);
    return cudalabs::arrive(&state_);
  }
  CUDALABS_DEVICE_MEMBER void arrive_and_drop() { cudalabs::arrive_and_drop(&state_); }
  CUDALABS_DEVICE_MEMBER bool passed(Token token) const { return has_passed(handle(), token); }
  CUDALABS_DEVICE_MEMBER bool passed_parity(bool parity) const { return has_passed_parity(handle(), parity); }
  CUDALABS_DEVICE_MEMBER BarrierState* handle() const { return const_cast<BarrierState*>(&state_); }

 private:
  alignas(8) BarrierState state_;
};

template <thread_scope kScope, class Completion>
inline constexpr bool kIsShared = kScope == cuda::thread_scope_block&& std::is_same_v<Completion, Nothing>;

}  // namespace cudalabs

namespace cuda {

namespace std {
using __empty_completion = cudalabs::Nothing;
}

template <thread_scope kScope, class Completion = std::__empty_completion>
class barrier {
  using Kind = ::std::conditional_t<cudalabs::kIsShared<kScope, Completion>, cudalabs::SharedBarrier,
                                    cudalabs::WordBarrier<kScope, Completion>>;

 public:
  using arrival_token = typename Kind::Token;
  barrier() = default;
  CUDALABS_HOST_DEVICE_MEMBER barrier(::std::ptrdiff_t expected, Completion completion = Completion())
      : barrier_(static_cast<unsigned>(expected), completion) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  static CUDALABS_HOST_DEVICE_MEMBER constexpr ::std::ptrdiff_t max() { return cudalabs::kMostArrivals; }

  CUDALABS_HOST_DEVICE_MEMBER arrival_token arrive(::std::ptrdiff_t count = 1) {
    return barrier_.arrive(static_cast<unsigned>(count));
  }
  CUDALABS_HOST_DEVICE_MEMBER void wait(arrival_token&& token) const {
    while (!barrier_.passed(token)) {
    }
  }
  CUDALABS_HOST_DEVICE_MEMBER void wait_parity(bool parity) const {
    while (!barrier_.passed_parity(parity)) {
    }
  }
  CUDALABS_HOST_DEVICE_MEMBER bool try_wait(arrival_token&& token) const { return barrier_.passed(token); }
  CUDALABS_HOST_DEVICE_MEMBER bool try_wait_parity(bool parity) const {
    return barrier_.passed_parity(parity);
  }
  CUDALABS_HOST_DEVICE_MEMBER void arrive_and_wait() { wait(arrive()); }
  CUDALABS_HOST_DEVICE_MEMBER void arrive_and_drop() { barrier_.arrive_and_drop(); }

  /// Not in CUDA: arrives when this thread's copies have arrived.
  CUDALABS_DEVICE_MEMBER void copies_begun() {
    if constexpr (cudalabs::kIsShared<kScope, Completion>)
      cudalabs::arrive_with_copies(barrier_.handle());
    else
      cudalabs::await_all_copies();
  }
  /// Not in CUDA: the word in shared memory.
  CUDALABS_DEVICE_MEMBER ::std::uint64_t* handle() {
    return reinterpret_cast<::std::uint64_t*>(barrier_.handle());
  }

 private:
  Kind barrier_;
};

template <thread_scope kScope, class Completion>
CUDALABS_HOST_DEVICE void init(barrier<kScope, Completion>* barrier, ::std::ptrdiff_t expected,
                               Completion completion = Completion()) {
  new (barrier)::cuda::barrier<kScope, Completion>(expected, completion);
}

namespace device {
CUDALABS_DEVICE ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& barrier) {
  return barrier.handle();
}
}  // namespace device

namespace std {
template <class Completion = __empty_completion>
using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}

enum class async_contract_fulfillment { none, async };

// cuda::memcpy_async: by a group or by a thread; the size in bytes may state the alignment; a barrier or a
// pipeline waits for it.
template <class Group, class T, class Size, class Sync>
CUDALABS_DEVICE async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Size bytes,
                                                        Sync& sync);
template <class T, class Size, class Sync>
CUDALABS_DEVICE async_contract_fulfillment memcpy_async(T* to, const T* from, Size bytes, Sync& sync);

}  // namespace cuda

namespace cudalabs {

template <class T, class Size>
struct Known : std::integral_constant<int, static_cast<int>(alignof(T))> {};
template <class Size>
struct Known<void, Size> : std::integral_constant<int, 1> {};
template <class T, std::size_t kAlignment>
struct Known<T, cuda::aligned_size_t<kAlignment>>
    : std::integral_constant<int, static_cast<int>(kAlignment)> {};
template <std::size_t kAlignment>
struct Known<void, cuda::aligned_size_t<kAlignment>>
    : std::integral_constant<int, static_cast<int>(kAlignment)> {};

template <class T, class Size, class Sync>
CUDALABS_DEVICE cuda::async_contract_fulfillment begin_copy(T* to, const T* from, Size bytes, unsigned rank,
                                                            unsigned threads, Sync& sync) {
  const bool async =
      copy_part<Known<T, Size>::value>(to, from, static_cast<std::size_t>(bytes), rank, threads);
  if (async) sync.copies_begun();
  return async ? cuda::async_contract_fulfillment::async : cuda::async_contract_fulfillment::none;
}

}  // namespace cudalabs

namespace cuda {

template <class Group, class T, class Size, class Sync>
CUDALABS_DEVICE async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Size bytes,
                                                        Sync& sync) {
  return cudalabs::begin_copy(to, from, bytes, static_cast<unsigned>(group.thread_rank()),
                              static_cast<unsigned>(group.size()), sync);
}
template <class T, class Size, class Sync>
CUDALABS_DEVICE async_contract_fulfillment memcpy_async(T* to, const T* from, Size bytes, Sync& sync) {
  return cudalabs::begin_copy(to, from, bytes, 0, 1, sync);
}

}  // namespace cuda
