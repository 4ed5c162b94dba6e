#pragma once
// Combines the values of all members of a group. Sums of floats are computed in the order of NVIDIA's header,
// so that their last bits are the same.

#include <cooperative_groups.h>

#include "../cudalabs/group_operators.h"
#include "scan.h"

namespace cooperative_groups {
namespace details {

template <class Op, class T, template <class> class Named>
inline constexpr bool kIs = std::is_same_v<Op, Named<T>>;
template <class Op, class T>
inline constexpr bool kHasInstruction = std::is_integral_v<T> && sizeof(T) <= 4 &&
                                        (kIs<Op, T, plus> || kIs<Op, T, less> || kIs<Op, T, greater> ||
                                         kIs<Op, T, bit_and> || kIs<Op, T, bit_or> || kIs<Op, T, bit_xor>);

template <class Op, class T>
CUDALABS_DEVICE T reduced_by_instruction(unsigned lanes, T value) {
  using Word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
  const Word word = static_cast<Word>(value);
  if constexpr (kIs<Op, T, plus>)
    return static_cast<T>(__reduce_add_sync(lanes, word));
  else if constexpr (kIs<Op, T, less>)
    return static_cast<T>(__reduce_min_sync(lanes, word));
  else if constexpr (kIs<Op, T, greater>)
    return static_cast<T>(__reduce_max_sync(lanes, word));
  else if constexpr (kIs<Op, T, bit_and>)
    return static_cast<T>(__reduce_and_sync(lanes, static_cast<unsigned>(word)));
  else if constexpr (kIs<Op, T, bit_or>)
    return static_cast<T>(__reduce_or_sync(lanes, static_cast<unsigned>(word)));
  else
    return static_cast<T>(__reduce_xor_sync(lanes, static_cast<unsigned>(word)));
}

}  // namespace details

template <unsigned kSize, class Parent, class T, class Op>
CUDALABS_DEVICE auto reduce(const thread_block_tile<kSize, Parent>& tile, T value, Op&& op)
    -> decltype(op(value, value)) {
  static_assert(kSize <= 32, "reduce is for tiles of at most 32 threads");
  using Named = std::decay_t<Op>;
  if constexpr (kSize >= 16 && details::kHasInstruction<Named, T>) {  // smaller tiles: shuffles are faster
    return details::reduced_by_instruction<Named>(tile.lanes(), value);
  } else {
#pragma unroll
    for (unsigned with = kSize / 2; with > 0; with /= 2) value = op(value, tile.shfl_xor(value, with));
    return value;
  }
}
template <class T, class Op>
CUDALABS_DEVICE auto reduce(const coalesced_group& group, T value, Op&& op) -> decltype(op(value, value)) {
  using Named = std::decay_t<Op>;
  if constexpr (details::kHasInstruction<Named, T>) {
    return details::reduced_by_instruction<Named>(group.lanes(), value);
  } else {
    if (group.size() == 32) return reduce(Partition::tile<32, void>(0, 1), value, op);
    return group.shfl(inclusive_scan(group, value, op), group.size() - 1);
  }
}

/// Stores the combined value, or combines it with an atomic variable.
template <class Group, class T, class Value, class Op>
CUDALABS_DEVICE void reduce_store_async(const Group& group, T* to, Value&& value, Op&& op) {
  const auto result = reduce(group, std::forward<Value>(value), op);
  if (group.thread_rank() == 0) *to = result;
}
template <class Group, class Atomic, class Value, class Op>
CUDALABS_DEVICE void reduce_store_async(const Group& group, Atomic& to, Value&& value, Op&& op) {
  const auto result = reduce(group, std::forward<Value>(value), op);
  if (group.thread_rank() == 0) to.store(result, Atomic::relaxed());
}
template <class Group, class Atomic, class Value, class Op>
CUDALABS_DEVICE void reduce_update_async(const Group& group, Atomic& to, Value&& value, Op&& op) {
  const auto result = reduce(group, std::forward<Value>(value), op);
  if (group.thread_rank() == 0) details::update(to, result, op);
}

}  // namespace cooperative_groups
