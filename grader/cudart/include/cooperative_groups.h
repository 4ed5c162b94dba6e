#pragma once
// Cooperative groups: the grid, the block, tiles of a block, the coalesced threads of a warp.

#include <cuda_runtime.h>

#include <type_traits>
#include <utility>

// A lambda, too, must not leave lines of its own in the debug information.
#define CUDALABS_LAMBDA __attribute__((always_inline, nodebug))

// A mark in the PTX: a lab may forbid cooperative groups, or require them. It has no other effect.
#define CUDALABS_MARK_GROUPS asm volatile(".pragma \"cooperative_groups\";")

namespace cooperative_groups {

class thread_group;
class grid_group;
class thread_block;
class coalesced_group;
template <unsigned kSize, class Parent = void>
class thread_block_tile;

CUDALABS_DEVICE grid_group this_grid();
CUDALABS_DEVICE thread_block this_thread_block();
CUDALABS_DEVICE coalesced_group coalesced_threads();
CUDALABS_DEVICE thread_block_tile<1, void> this_thread();
CUDALABS_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned size);
CUDALABS_DEVICE thread_group tiled_partition(const thread_block& parent, unsigned size);

/// Memory for tiles of several warps; ours need none.
template <unsigned kMaxBlockSize = 1024>
struct block_tile_memory {};

namespace details {

CUDALABS_DEVICE unsigned lane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
CUDALABS_DEVICE unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
CUDALABS_DEVICE void trap() { asm volatile("trap;"); }
CUDALABS_DEVICE unsigned rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
CUDALABS_DEVICE unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

/// The lane of the group's member number `rank`, below 32.
CUDALABS_DEVICE unsigned lane_of_rank(unsigned mask, unsigned rank) {
  if (mask == 0xFFFFFFFFu) return rank;
  if (rank == 0) return __ffs(static_cast<int>(mask)) - 1;
  // Binary search: the member is in the lower half of the mask, or that many members further up.
  unsigned lane = 0;
#pragma unroll
  for (unsigned width = 16; width > 0; width /= 2) {
    const unsigned below = __popc(mask & ((1u << width) - 1));
    const bool above = rank >= below;
    if (above) rank -= below, mask >>= width, lane += width;
  }
  return lane;
}

/// Moves a trivially copyable value to another lane, word by word, by `move`.
template <class T, class Move>
CUDALABS_DEVICE T moved(const T& value, const Move& move) {
  static_assert(std::is_trivially_copyable_v<T> || sizeof(T) == 4,
                "a shuffled value must be trivially copyable");
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = move(words[i]);
  T result = value;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

template <class Group>
struct MultiWarp : std::false_type {};
template <unsigned kSize, class Parent>
struct MultiWarp<thread_block_tile<kSize, Parent>> : std::bool_constant<(kSize > 32)> {};

}  // namespace details

/// A group whose kind is known at run time.
class thread_group {
 public:
  CUDALABS_DEVICE_MEMBER unsigned long long size() const { return num_threads(); }
  CUDALABS_DEVICE_MEMBER unsigned long long num_threads() const;
  CUDALABS_DEVICE_MEMBER unsigned long long thread_rank() const;
  CUDALABS_DEVICE_MEMBER void sync() const;
  CUDALABS_DEVICE_MEMBER unsigned get_type() const { return static_cast<unsigned>(kind_); }

 protected:
  enum class Kind : unsigned { Coalesced = 3, Block = 4, Grid = 5 };
  CUDALABS_DEVICE_MEMBER explicit thread_group(Kind kind, unsigned mask = 0, unsigned meta_rank = 0,
                                               unsigned meta_size = 1, unsigned* grid = nullptr)
      : kind_(kind), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size), grid_(grid) {}

  Kind kind_;
  unsigned mask_, meta_rank_, meta_size_;  ///< for a group within a warp
  unsigned* grid_;

  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned size);
  friend __device__ thread_group tiled_partition(const thread_block& parent, unsigned size);
};

class grid_group : public thread_group {
 public:
  struct arrival_token {
    unsigned seen;
  };

  /// True iff the launch was cooperative.
  CUDALABS_DEVICE_MEMBER bool is_valid() const { return grid_ != nullptr; }
  CUDALABS_DEVICE_MEMBER void sync() const { barrier_wait(barrier_arrive()); }
  // The barrier is a word of global memory. Every block adds one, and the first block adds the difference to
  // half of the word's range. So the highest bit flips when all blocks have arrived.
  CUDALABS_DEVICE_MEMBER arrival_token barrier_arrive() const {
    if (!is_valid()) details::trap();
    arrival_token token{0};
    __syncthreads();
    if (is_first_thread()) {
      const bool first_block = blockIdx.x + blockIdx.y + blockIdx.z == 0;
      const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
      const unsigned more = first_block ? 0x80000000u - (blocks - 1) : 1;
      asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;"
                   : "=r"(token.seen)
                   : "l"(grid_ + 1), "r"(more)
                   : "memory");
    }
    return token;
  }
  CUDALABS_DEVICE_MEMBER void barrier_wait(const arrival_token& token) const {
    if (is_first_thread()) {
      unsigned now;
      do {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(grid_ + 1) : "memory");
      } while (((now ^ token.seen) & 0x80000000u) == 0);
    }
    __syncthreads();
  }

  static CUDALABS_DEVICE_MEMBER unsigned long long size() { return num_threads(); }
  static CUDALABS_DEVICE_MEMBER unsigned long long num_threads() {
    return num_blocks() * details::threads_of_block();
  }
  static CUDALABS_DEVICE_MEMBER unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * (gridDim.y * gridDim.z);
  }
  static CUDALABS_DEVICE_MEMBER unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static CUDALABS_DEVICE_MEMBER unsigned long long thread_rank() {
    return block_rank() * details::threads_of_block() + details::rank_in_block();
  }
  static CUDALABS_DEVICE_MEMBER dim3 group_dim() { return gridDim; }
  static CUDALABS_DEVICE_MEMBER dim3 dim_blocks() { return gridDim; }
  static CUDALABS_DEVICE_MEMBER dim3 block_index() { return blockIdx_as_dim(); }
  static CUDALABS_DEVICE_MEMBER dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  static CUDALABS_DEVICE_MEMBER dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }

 private:
  CUDALABS_DEVICE_MEMBER explicit grid_group(unsigned* grid) : thread_group(Kind::Grid, 0, 0, 1, grid) {}
  static CUDALABS_DEVICE_MEMBER dim3 blockIdx_as_dim() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static CUDALABS_DEVICE_MEMBER bool is_first_thread() {
    return threadIdx.x + threadIdx.y + threadIdx.z == 0;
  }
  friend __device__ grid_group this_grid();
  friend class thread_group;
};
/// A cooperative launch passes the barrier's address in two registers.
CUDALABS_DEVICE grid_group this_grid() {
  CUDALABS_MARK_GROUPS;
  unsigned high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return grid_group(reinterpret_cast<unsigned*>(static_cast<unsigned long long>(high) << 32 | low));
}

class thread_block : public thread_group {
 public:
  struct arrival_token {};
  static CUDALABS_DEVICE_MEMBER void sync() { __syncthreads(); }
  CUDALABS_DEVICE_MEMBER arrival_token barrier_arrive() const { return {}; }
  CUDALABS_DEVICE_MEMBER void barrier_wait(arrival_token&&) const { __syncthreads(); }
  static CUDALABS_DEVICE_MEMBER unsigned size() { return num_threads(); }
  static CUDALABS_DEVICE_MEMBER unsigned num_threads() { return details::threads_of_block(); }
  static CUDALABS_DEVICE_MEMBER unsigned thread_rank() { return details::rank_in_block(); }
  static CUDALABS_DEVICE_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static CUDALABS_DEVICE_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static CUDALABS_DEVICE_MEMBER dim3 group_dim() { return dim_threads(); }
  static CUDALABS_DEVICE_MEMBER dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }

 private:
  CUDALABS_DEVICE_MEMBER thread_block() : thread_group(Kind::Block) {}
  friend __device__ thread_block this_thread_block();
};
CUDALABS_DEVICE thread_block this_thread_block() {
  CUDALABS_MARK_GROUPS;
  return {};
}
template <unsigned kMaxBlockSize>
CUDALABS_DEVICE thread_block this_thread_block(block_tile_memory<kMaxBlockSize>&) {
  return this_thread_block();
}

/// The lanes of a warp that are in the mask.
class coalesced_group : public thread_group {
 public:
  CUDALABS_DEVICE_MEMBER unsigned size() const { return num_threads(); }
  CUDALABS_DEVICE_MEMBER unsigned num_threads() const { return __popc(mask_); }
  CUDALABS_DEVICE_MEMBER unsigned thread_rank() const { return __popc(mask_ & details::lanes_below()); }
  CUDALABS_DEVICE_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
  CUDALABS_DEVICE_MEMBER unsigned meta_group_size() const { return meta_size_; }
  CUDALABS_DEVICE_MEMBER void sync() const { __syncwarp(mask_); }

  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl(T value, unsigned rank) const {
    return from_lane(value, details::lane_of_rank(mask_, rank));
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl_down(T value, unsigned by) const {
    const unsigned rank = thread_rank();
    return from_lane(value, by < size() - rank ? details::lane_of_rank(mask_, rank + by) : details::lane());
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl_up(T value, unsigned by) const {
    const unsigned rank = thread_rank();
    return from_lane(value, by <= rank ? details::lane_of_rank(mask_, rank - by) : details::lane());
  }
  CUDALABS_DEVICE_MEMBER int any(int predicate) const { return __ballot_sync(mask_, predicate) != 0; }
  CUDALABS_DEVICE_MEMBER int all(int predicate) const { return __ballot_sync(mask_, predicate) == mask_; }
  CUDALABS_DEVICE_MEMBER unsigned ballot(int predicate) const {
    return packed(__ballot_sync(mask_, predicate));
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }
  /// Not in CUDA: the lanes.
  CUDALABS_DEVICE_MEMBER unsigned lanes() const { return mask_; }

 private:
  CUDALABS_DEVICE_MEMBER explicit coalesced_group(unsigned mask, unsigned meta_rank = 0,
                                                  unsigned meta_size = 1)
      : thread_group(Kind::Coalesced, mask, meta_rank, meta_size) {}
  template <class T>
  CUDALABS_DEVICE_MEMBER T from_lane(const T& value, unsigned lane) const {
    return details::moved(value, [&](unsigned word) CUDALABS_LAMBDA {
      return __shfl_sync(mask_, word, static_cast<int>(lane), 32);
    });
  }
  /// The bits of the group's lanes, packed together.
  CUDALABS_DEVICE_MEMBER unsigned packed(unsigned lanes) const {
    if (mask_ == 0xFFFFFFFFu) return lanes;
    unsigned bits = 0, rank = 0;
    for (unsigned rest = mask_; rest != 0; rest &= rest - 1, ++rank) {
      if ((lanes & rest & (0u - rest)) != 0) bits |= 1u << rank;
    }
    return bits;
  }
  friend __device__ coalesced_group coalesced_threads();
  friend struct Partition;
};
CUDALABS_DEVICE coalesced_group coalesced_threads() {
  CUDALABS_MARK_GROUPS;
  return coalesced_group(__activemask());
}

/// kSize threads with consecutive ranks in the block.
template <unsigned kSize, class Parent>
class thread_block_tile : public thread_group {
  static_assert(kSize > 0 && kSize <= 1024 && (kSize & (kSize - 1)) == 0,
                "a tile has a power of two of threads");
  static constexpr bool kInWarp = kSize <= 32;

 public:
  static CUDALABS_DEVICE_MEMBER constexpr unsigned size() { return kSize; }
  static CUDALABS_DEVICE_MEMBER constexpr unsigned num_threads() { return kSize; }
  static CUDALABS_DEVICE_MEMBER unsigned thread_rank() {
    return (kInWarp ? details::lane() : details::rank_in_block()) & (kSize - 1);
  }
  CUDALABS_DEVICE_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
  CUDALABS_DEVICE_MEMBER unsigned meta_group_size() const { return meta_size_; }
  CUDALABS_DEVICE_MEMBER void sync() const {
    if constexpr (kSize == 1)
      return;
    else if constexpr (kInWarp)
      __syncwarp(lanes());
    else
      asm volatile("barrier.sync %0, %1;" : : "r"(hardware_barrier()), "n"(kSize) : "memory");
  }

  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl(T value, int rank) const {
    static_assert(kInWarp, "shuffles are for tiles of at most 32 threads");
    return details::moved(
        value, [&](unsigned word) CUDALABS_LAMBDA { return __shfl_sync(lanes(), word, rank, kSize); });
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl_down(T value, unsigned by) const {
    static_assert(kInWarp, "shuffles are for tiles of at most 32 threads");
    return details::moved(
        value, [&](unsigned word) CUDALABS_LAMBDA { return __shfl_down_sync(lanes(), word, by, kSize); });
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl_up(T value, unsigned by) const {
    static_assert(kInWarp, "shuffles are for tiles of at most 32 threads");
    return details::moved(
        value, [&](unsigned word) CUDALABS_LAMBDA { return __shfl_up_sync(lanes(), word, by, kSize); });
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER T shfl_xor(T value, unsigned with) const {
    static_assert(kInWarp, "shuffles are for tiles of at most 32 threads");
    return details::moved(value, [&](unsigned word) CUDALABS_LAMBDA {
      return __shfl_xor_sync(lanes(), word, static_cast<int>(with), kSize);
    });
  }
  CUDALABS_DEVICE_MEMBER int any(int predicate) const {
    static_assert(kInWarp, "votes are for tiles of at most 32 threads");
    return __ballot_sync(lanes(), predicate) != 0;
  }
  CUDALABS_DEVICE_MEMBER int all(int predicate) const {
    static_assert(kInWarp, "votes are for tiles of at most 32 threads");
    return __ballot_sync(lanes(), predicate) == lanes();
  }
  CUDALABS_DEVICE_MEMBER unsigned ballot(int predicate) const {
    static_assert(kInWarp, "votes are for tiles of at most 32 threads");
    return packed(__ballot_sync(lanes(), predicate));
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER unsigned match_any(T value) const {
    static_assert(kInWarp, "matches are for tiles of at most 32 threads");
    return packed(__match_any_sync(lanes(), value));
  }
  template <class T>
  CUDALABS_DEVICE_MEMBER unsigned match_all(T value, int& all) const {
    static_assert(kInWarp, "matches are for tiles of at most 32 threads");
    return packed(__match_all_sync(lanes(), value, &all));
  }
  /// Not in CUDA: the lanes.
  static CUDALABS_DEVICE_MEMBER unsigned lanes() {
    if constexpr (kSize >= 32)
      return 0xFFFFFFFFu;
    else
      return ((1u << kSize) - 1) << first_lane();
  }

  /// Converts to a tile without a parent type.
  template <class Other, std::enable_if_t<std::is_void_v<Parent> && !std::is_void_v<Other>, int> = 0>
  CUDALABS_DEVICE_MEMBER thread_block_tile(const thread_block_tile<kSize, Other>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

 private:
  CUDALABS_DEVICE_MEMBER thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : thread_group(Kind::Coalesced, lanes(), meta_rank, meta_size) {}
  static CUDALABS_DEVICE_MEMBER unsigned first_lane() { return details::lane() & ~(kSize - 1); }
  static CUDALABS_DEVICE_MEMBER unsigned packed(unsigned lanes) {
    return kSize == 32 ? lanes : lanes >> first_lane() & static_cast<unsigned>((1ull << kSize) - 1);
  }
  /// Warps of a tile meet at a barrier of their own. There are 16, and number 0 is the block's: with sixteen
  /// tiles the last one has to use it.
  static CUDALABS_DEVICE_MEMBER unsigned hardware_barrier() {
    return (details::rank_in_block() / kSize + 1) % 16;
  }
  friend struct Partition;
  friend __device__ thread_block_tile<1, void> this_thread();
};

struct Partition {
  template <unsigned kSize, class Parent>
  static CUDALABS_DEVICE_MEMBER thread_block_tile<kSize, Parent> tile(unsigned meta_rank,
                                                                      unsigned meta_size) {
    return {meta_rank, meta_size};
  }
  static CUDALABS_DEVICE_MEMBER coalesced_group some(unsigned mask, unsigned meta_rank, unsigned meta_size) {
    return coalesced_group(mask, meta_rank, meta_size);
  }
  static CUDALABS_DEVICE_MEMBER coalesced_group tiled(const coalesced_group& parent, unsigned size) {
    if (size == 0 || size > 32 || (size & (size - 1)) != 0) details::trap();
    if (parent.size() <= size) return parent;
    const unsigned number = parent.thread_rank() / size;
    unsigned mask = parent.lanes();
    for (unsigned i = 0; i < number * size; ++i) mask &= mask - 1;  // removes the lanes of earlier tiles
    unsigned rest = mask;
    for (unsigned i = 0; i < size; ++i) rest &= rest - 1;
    return coalesced_group(mask & ~rest, number, (parent.size() + size - 1) / size);
  }
  template <class Group>
  static CUDALABS_DEVICE_MEMBER coalesced_group by_predicate(const Group& group, bool predicate) {
    const unsigned mask = group.lanes(), chosen = __ballot_sync(mask, predicate);
    if (chosen == mask || chosen == 0) return coalesced_group(mask, 0, 1);
    return coalesced_group(predicate ? chosen : mask & ~chosen, predicate, 2);
  }
  template <class Group, class T>
  static CUDALABS_DEVICE_MEMBER coalesced_group by_label(const Group& group, T label) {
    if constexpr (std::is_same_v<T, bool>) {
      return by_predicate(group, label);
    } else if constexpr (std::is_pointer_v<T>) {
      return by_label(group, reinterpret_cast<unsigned long long>(label));
    } else {
      static_assert(std::is_integral_v<T>, "a label is an integer or a pointer");
      using Matched = std::conditional_t<sizeof(T) <= 4, unsigned, unsigned long long>;
      const unsigned mine = __match_any_sync(group.lanes(), static_cast<Matched>(label));
      const unsigned leader = __ffs(static_cast<int>(mine)) - 1;
      const unsigned leaders = __ballot_sync(group.lanes(), leader == details::lane());
      return coalesced_group(mine, __popc(leaders & ((1u << leader) - 1)), __popc(leaders));
    }
  }
};

template <unsigned kSize>
CUDALABS_DEVICE thread_block_tile<kSize, thread_block> tiled_partition(const thread_block& parent) {
  return Partition::tile<kSize, thread_block>(parent.thread_rank() / kSize,
                                              (parent.size() + kSize - 1) / kSize);
}
template <unsigned kSize, unsigned kParent, class Above>
CUDALABS_DEVICE thread_block_tile<kSize, thread_block_tile<kParent, Above>> tiled_partition(
    const thread_block_tile<kParent, Above>& parent) {
  static_assert(kSize <= kParent, "a part is not larger than the whole");
  return Partition::tile<kSize, thread_block_tile<kParent, Above>>(parent.thread_rank() / kSize,
                                                                   kParent / kSize);
}
CUDALABS_DEVICE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  return Partition::tiled(parent, size);
}
CUDALABS_DEVICE thread_group tiled_partition(const thread_block& parent, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0) details::trap();
  const unsigned rank = parent.thread_rank(), first = rank - rank % size, threads = parent.size();
  const unsigned members = threads - first < size ? threads - first : size;
  return thread_group(thread_group::Kind::Coalesced, (0xFFFFFFFFu >> (32 - members)) << first % 32,
                      rank / size, (threads + size - 1) / size);
}
CUDALABS_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.kind_ == thread_group::Kind::Block) return tiled_partition(this_thread_block(), size);
  if (parent.kind_ != thread_group::Kind::Coalesced) details::trap();
  return Partition::tiled(Partition::some(parent.mask_, parent.meta_rank_, parent.meta_size_), size);
}
CUDALABS_DEVICE coalesced_group binary_partition(const coalesced_group& parent, bool predicate) {
  return Partition::by_predicate(parent, predicate);
}
template <unsigned kSize, class Parent>
CUDALABS_DEVICE coalesced_group binary_partition(const thread_block_tile<kSize, Parent>& parent,
                                                 bool predicate) {
  static_assert(kSize <= 32, "binary_partition is for tiles of at most 32 threads");
  return Partition::by_predicate(parent, predicate);
}
template <class T>
CUDALABS_DEVICE coalesced_group labeled_partition(const coalesced_group& parent, T label) {
  return Partition::by_label(parent, label);
}
template <class T, unsigned kSize, class Parent>
CUDALABS_DEVICE coalesced_group labeled_partition(const thread_block_tile<kSize, Parent>& parent, T label) {
  static_assert(kSize <= 32, "labeled_partition is for tiles of at most 32 threads");
  return Partition::by_label(parent, label);
}
CUDALABS_DEVICE thread_block_tile<1, void> this_thread() { return {0, 1}; }

CUDALABS_DEVICE_MEMBER unsigned long long thread_group::num_threads() const {
  if (kind_ == Kind::Block) return thread_block::num_threads();
  if (kind_ == Kind::Grid) return grid_group::num_threads();
  return __popc(mask_);
}
CUDALABS_DEVICE_MEMBER unsigned long long thread_group::thread_rank() const {
  if (kind_ == Kind::Block) return thread_block::thread_rank();
  if (kind_ == Kind::Grid) return grid_group::thread_rank();
  return __popc(mask_ & details::lanes_below());
}
CUDALABS_DEVICE_MEMBER void thread_group::sync() const {
  if (kind_ == Kind::Block)
    __syncthreads();
  else if (kind_ == Kind::Grid)
    grid_group(grid_).sync();
  else
    __syncwarp(mask_);
}

template <class Group>
CUDALABS_DEVICE void sync(const Group& group) {
  group.sync();
}
template <class Group>
CUDALABS_DEVICE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
CUDALABS_DEVICE auto group_size(const Group& group) {
  return group.num_threads();
}
CUDALABS_DEVICE dim3 group_index(const thread_block& block) { return block.group_index(); }
CUDALABS_DEVICE dim3 thread_index(const thread_block& block) { return block.thread_index(); }

/// One thread of the group calls `function`.
template <class Group, class Function, class... Arguments>
CUDALABS_DEVICE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
}
/// The same, and all threads get its result.
template <class Group, class Function, class... Arguments>
CUDALABS_DEVICE auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  std::decay_t<decltype(std::forward<Function>(function)(std::forward<Arguments>(arguments)...))> result{};
  if (group.thread_rank() == 0)
    result = std::forward<Function>(function)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
