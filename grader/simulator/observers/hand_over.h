#pragma once
// Which accesses come before which by fences and words that others see, by mbarriers and by barriers: what
// racecheck asks of two accesses that no barrier of one block stands between. The model is that of release
// and acquire, by warps instead of lanes. An atomic acquires what it sees without a fence behind it, as the
// block that counts itself the last one does in most books; who looks at a flag by a strong load needs one,
// or his own loads may come from a line of L1 that he had before.

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "grader/simulator/observers/race_clock.h"
#include "grader/simulator/observers/race_shadow.h"

namespace cudalabs::sim {

/// What comes before something, for other threads of the block and for those of other blocks.
struct Pasts {
  RaceClock near, far;

  [[nodiscard]] bool empty() const { return near.empty(); }
  void join(const Pasts& other) {
    near.join(other.near);
    far.join(other.far);
  }
};

/// Of a block: what comes before what each of its warps does now. Times are those of marks.
class BlockPast {
 public:
  void begin(std::uint32_t block, std::uint32_t now);
  /// Each warp of the block has come to it: what one knows, and has let go of, all do.
  void barrier(std::uint32_t now);
  /// When the last one opened, or the block began.
  [[nodiscard]] std::uint32_t last_barrier() const { return barrier_; }
  void fence(std::uint32_t warp, bool within_block, std::uint32_t now);
  void arrive(std::uint32_t warp, std::uint32_t offset, bool completes, std::uint32_t now);
  void pass(std::uint32_t warp, std::uint32_t offset);
  /// The number of a barrier that not all warps wait at, as if it were the offset of an mbarrier.
  [[nodiscard]] static std::uint32_t named_barrier(std::uint32_t id) { return 0xFFFFFF00u + id; }

  /// Has anything let go of the access for this warp, which is of another block or comes behind no barrier?
  [[nodiscard]] bool knows(std::uint32_t warp, const Mark& m) const {
    return has(knowing_, warp) && known_[warp].knows(m.block, m.warp, m.stamp);
  }
  /// It was an atomic: whoever sees the counter that it raised may reset it.
  [[nodiscard]] bool knows_atomic(std::uint32_t warp, const Mark& m) const {
    return has(knowing_, warp) && known_[warp].knows_atomic(m.block, m.warp, m.stamp);
  }
  /// As far as a store may tell, or a load that passes L1 by.
  [[nodiscard]] bool hears(std::uint32_t warp, const Mark& m) const {
    return has(hearing_, warp) && heard_[warp].knows(m.block, m.warp, m.stamp);
  }
  [[nodiscard]] bool fences(std::uint32_t warp) const { return has(fencing_, warp); }

 private:
  friend class HandOver;
  static constexpr std::uint32_t kWarps = 32;
  /// What comes before the end of an mbarrier's phases.
  struct Phase {
    RaceClock current, completed;
    Pasts current_fenced, completed_fenced;
  };

  [[nodiscard]] static bool has(std::uint32_t warps, std::uint32_t warp) {
    return ((warps >> warp) & 1) != 0;
  }
  [[nodiscard]] RaceClock until(std::uint32_t warp, std::uint32_t now) const;
  void learn(std::uint32_t warp, const RaceClock& more);
  void hear(std::uint32_t warp, const RaceClock& more);

  std::uint32_t block_ = 0, barrier_ = 0;
  std::uint32_t knowing_ = 0, hearing_ = 0, fencing_ = 0;  ///< the warps of which these say something:
  std::array<RaceClock, kWarps> known_, heard_;  ///< behind a fence, or to be known behind the next one
  std::array<Pasts, kWarps> fenced_;             ///< what came before the last fence
  std::unordered_map<std::uint32_t, Phase> mbarriers_;  ///< by offset, or named_barrier()
};

/// What was let go of with each word.
class HandOver {
 public:
  struct Way {
    AccessKind kind{};
    bool acquires = false;  ///< needs no fence behind it
    bool within_block = false;
  };
  /// False if nobody has let go of anything, nor could this warp.
  [[nodiscard]] bool concerns(const BlockPast& past, std::uint32_t warp) const {
    return !released_.empty() || past.fences(warp);
  }
  /// A warp sees, changes or stores words by an atomic, a strong load or a strong store: it lets go of what
  /// came before its last fence, and learns what others have let go of. An atomic passes on both.
  /// `words`: by lanes, in any coding that tells the words of global memory and of each block apart.
  void access(BlockPast& past, std::uint32_t warp, const Way& way, std::span<const std::uint64_t> words,
              std::uint32_t now);

 private:
  struct Released {
    Pasts pasts;
    std::uint32_t block = 0;  ///< that `near` is for
  };
  std::unordered_map<std::uint64_t, Released> released_;
};

}  // namespace cudalabs::sim
