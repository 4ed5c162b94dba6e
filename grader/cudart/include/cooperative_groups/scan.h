#pragma once
// Combines the values of the members up to each one.

#include <cooperative_groups.h>

#include "../cudalabs/group_operators.h"

namespace cooperative_groups {

template <class Group, class T, class Op>
CUDALABS_DEVICE auto inclusive_scan(const Group& group, T value, Op&& op) -> decltype(op(value, value)) {
  static_assert(!details::MultiWarp<Group>::value, "scans are for groups within a warp");
  const unsigned rank = group.thread_rank();
  for (unsigned by = 1; by < group.size(); by *= 2) {
    const T before = group.shfl_up(value, by);
    if (by <= rank) value = op(value, before);
  }
  return value;
}
template <class Group, class T>
CUDALABS_DEVICE auto inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

namespace details {
/// The exclusive result: the neighbour's inclusive result, or a difference.
template <class Op, class Group, class T>
CUDALABS_DEVICE T without_own(const Group& group, const T& inclusive, const T& value) {
  if constexpr (std::is_same_v<std::decay_t<Op>, plus<T>> && std::is_integral_v<T>) {
    return inclusive - value;
  } else {
    const T before = group.shfl_up(inclusive, 1);
    return group.thread_rank() == 0 ? T{} : before;
  }
}
}  // namespace details

template <class Group, class T, class Op>
CUDALABS_DEVICE T exclusive_scan(const Group& group, T value, Op&& op) {
  return details::without_own<Op>(group, inclusive_scan(group, value, op), value);
}
template <class Group, class T>
CUDALABS_DEVICE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

/// Combines the group's total with an atomic variable; all results start from that variable's old value.
template <class Group, class Atomic, class T, class Op>
CUDALABS_DEVICE T inclusive_scan_update(const Group& group, Atomic& to, T value, Op&& op) {
  const T own = inclusive_scan(group, value, op);
  T before{};
  if (group.thread_rank() == group.size() - 1) before = details::update(to, own, op);
  return op(group.shfl(before, group.size() - 1), own);
}
template <class Group, class Atomic, class T>
CUDALABS_DEVICE T inclusive_scan_update(const Group& group, Atomic& to, T value) {
  return inclusive_scan_update(group, to, value, plus<T>());
}
template <class Group, class Atomic, class T, class Op>
CUDALABS_DEVICE T exclusive_scan_update(const Group& group, Atomic& to, T value, Op&& op) {
  const T own = inclusive_scan(group, value, op);
  T before{};
  if (group.thread_rank() == group.size() - 1) before = details::update(to, own, op);
  const T start = group.shfl(before, group.size() - 1);
  const T neighbour = group.shfl_up(own, 1);
  return group.thread_rank() == 0 ? start : op(start, neighbour);
}
template <class Group, class Atomic, class T>
CUDALABS_DEVICE T exclusive_scan_update(const Group& group, Atomic& to, T value) {
  return exclusive_scan_update(group, to, value, plus<T>());
}

}  // namespace cooperative_groups
