#pragma once
// Asynchronous copies to shared memory by a whole group.

#include <cooperative_groups.h>

#include "../cudalabs/async_copy.h"

namespace cooperative_groups {
namespace details {
template <int kKnown, class Group>
CUDALABS_DEVICE void begin_copy(const Group& group, void* to, const void* from, std::size_t bytes) {
  const auto rank = static_cast<unsigned>(group.thread_rank());
  const auto threads = static_cast<unsigned>(group.num_threads());
  // Of bytes whose alignment is not known, the largest pieces that both addresses allow.
  const std::size_t bits = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from);
  if constexpr (kKnown >= 4)
    cudalabs::copy_part<kKnown>(to, from, bytes, rank, threads);
  else if (bits % 16 == 0 && bytes >= 16)
    cudalabs::copy_part<16>(to, from, bytes, rank, threads);
  else if (bits % 8 == 0 && bytes >= 8)
    cudalabs::copy_part<8>(to, from, bytes, rank, threads);
  else if (bits % 4 == 0 && bytes >= 4)
    cudalabs::copy_part<4>(to, from, bytes, rank, threads);
  else
    cudalabs::copy_part<1>(to, from, bytes, rank, threads);
  cudalabs::close_copies();
}
template <class T>
struct Alignment : std::integral_constant<int, static_cast<int>(alignof(T))> {};
template <>
struct Alignment<void> : std::integral_constant<int, 1> {};
}  // namespace details

template <class Group, class T, class U>
CUDALABS_DEVICE void memcpy_async(const Group& group, T* __restrict__ to, const U* __restrict__ from,
                                  std::size_t bytes) {
  constexpr int kTo = details::Alignment<T>::value, kFrom = details::Alignment<U>::value;
  details::begin_copy<(kTo < kFrom ? kTo : kFrom)>(group, to, from, bytes);
}
template <class Group, class T, class U, std::size_t kAlignment>
CUDALABS_DEVICE void memcpy_async(const Group& group, T* __restrict__ to, const U* __restrict__ from,
                                  const cuda::aligned_size_t<kAlignment>& bytes) {
  details::begin_copy<static_cast<int>(kAlignment)>(group, to, from, bytes.value);
}
/// Counts elements: copies as many as both sides have.
template <class Group, class T>
CUDALABS_DEVICE void memcpy_async(const Group& group, T* __restrict__ to, std::size_t to_count,
                                  const T* __restrict__ from, std::size_t from_count) {
  memcpy_async(group, to, from, (to_count < from_count ? to_count : from_count) * sizeof(T));
}
template <class Group, class T, std::size_t kTo, std::size_t kFrom>
CUDALABS_DEVICE void memcpy_async(const Group& group, T* __restrict__ to,
                                  const cuda::aligned_size_t<kTo>& to_count, const T* __restrict__ from,
                                  const cuda::aligned_size_t<kFrom>& from_count) {
  const std::size_t count = to_count.value < from_count.value ? to_count.value : from_count.value;
  details::begin_copy<static_cast<int>(kTo < kFrom ? kTo : kFrom)>(group, to, from, count * sizeof(T));
}

/// Waits until all but the last kStill copies of all threads of the group have arrived.
template <unsigned kStill, class Group>
CUDALABS_DEVICE void wait_prior(const Group& group) {
  cudalabs::await_copies(kStill);
  group.sync();
}
template <class Group>
CUDALABS_DEVICE void wait(const Group& group) {
  cudalabs::await_all_copies();
  group.sync();
}

}  // namespace cooperative_groups
