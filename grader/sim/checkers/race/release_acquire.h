#pragma once
// Happens-before between accesses that no barrier of one block separates: it follows from release and acquire
// operations (fences with atomics or strong accesses), mbarriers and named barriers. racecheck queries it.
// The granularity is warps instead of lanes. An atomic acquires without a fence behind it, because most books
// omit that fence in the block that counts itself last. A thread that polls a flag with a strong load needs
// the fence: otherwise its later loads may hit stale lines in L1.

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "grader/sim/checkers/race/race_clock.h"
#include "grader/sim/checkers/race/race_shadow.h"

namespace cudalabs::sim {

/// Clocks of the accesses that happen before: `near` for threads of the same block, `far` for other blocks.
struct HappensBefore {
  RaceClock near, far;

  [[nodiscard]] bool empty() const { return near.empty(); }
  void join(const HappensBefore& other) {
    near.join(other.near);
    far.join(other.far);
  }
};

/// The accesses that happen before the next one of each warp of a block. Times are those of marks.
class BlockPast {
 public:
  void begin(std::uint32_t block, std::uint32_t now);
  /// All warps of the block have reached a barrier: each now knows, and has released, what any of them had.
  void barrier(std::uint32_t now);
  /// Time when the last barrier opened, or when the block began.
  [[nodiscard]] std::uint32_t last_barrier() const { return barrier_; }
  void fence(std::uint32_t warp, bool within_block, std::uint32_t now);
  void arrive(std::uint32_t warp, std::uint32_t offset, bool completes, std::uint32_t now);
  void pass(std::uint32_t warp, std::uint32_t offset);
  /// The key of a barrier that only some warps wait at; it is used like the offset of an mbarrier.
  [[nodiscard]] static std::uint32_t named_barrier(std::uint32_t id) { return 0xFFFFFF00u + id; }

  /// Has this warp acquired the access? It is by another block, or no barrier separates the two.
  [[nodiscard]] bool knows(std::uint32_t warp, const Mark& m) const {
    return has(knowing_, warp) && known_[warp].knows(m.block, m.warp, m.stamp);
  }
  /// The same for an atomic: whoever sees the counter that it incremented may reset it.
  [[nodiscard]] bool knows_atomic(std::uint32_t warp, const Mark& m) const {
    return has(knowing_, warp) && known_[warp].knows_atomic(m.block, m.warp, m.stamp);
  }
  /// The same for a store or a load that bypasses L1.
  [[nodiscard]] bool hears(std::uint32_t warp, const Mark& m) const {
    return has(hearing_, warp) && heard_[warp].knows(m.block, m.warp, m.stamp);
  }
  [[nodiscard]] bool fences(std::uint32_t warp) const { return has(fencing_, warp); }

 private:
  friend class ReleaseAcquire;
  static constexpr std::uint32_t kWarps = 32;
  /// The accesses that happen before the end of an mbarrier's phases.
  struct Phase {
    RaceClock current, completed;
    HappensBefore current_fenced, completed_fenced;
  };

  [[nodiscard]] static bool has(std::uint32_t warps, std::uint32_t warp) {
    return ((warps >> warp) & 1) != 0;
  }
  [[nodiscard]] RaceClock until(std::uint32_t warp, std::uint32_t now) const;
  void learn(std::uint32_t warp, const RaceClock& more);
  void hear(std::uint32_t warp, const RaceClock& more);

  std::uint32_t block_ = 0, barrier_ = 0;
  std::uint32_t knowing_ = 0, hearing_ = 0, fencing_ = 0;  ///< bit sets of the warps with entries in:
  std::array<RaceClock, kWarps> known_, heard_;  ///< acquired by a fence, or to be acquired by the next one
  std::array<HappensBefore, kWarps> fenced_;     ///< what happens before the last fence
  std::unordered_map<std::uint32_t, Phase> mbarriers_;  ///< by offset, or named_barrier()
};

/// The accesses that were released with each word.
class ReleaseAcquire {
 public:
  struct Way {
    AccessKind kind{};
    bool acquires = false;  ///< acquires without a fence behind it
    bool within_block = false;
  };
  /// False if nobody has released anything and this warp cannot.
  [[nodiscard]] bool concerns(const BlockPast& past, std::uint32_t warp) const {
    return !released_.empty() || past.fences(warp);
  }
  /// A warp sees, changes or stores words by an atomic, a strong load or a strong store. It releases what
  /// happened before its last fence, and acquires what others have released. An atomic passes on both.
  /// `words`: by lanes, in any encoding that distinguishes the words of global memory and of each block.
  void access(BlockPast& past, std::uint32_t warp, const Way& way, std::span<const std::uint64_t> words,
              std::uint32_t now);

 private:
  struct Released {
    HappensBefore pasts;
    std::uint32_t block = 0;  ///< the block that may use `near`
  };
  std::unordered_map<std::uint64_t, Released> released_;
};

}  // namespace cudalabs::sim
