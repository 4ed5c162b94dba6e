#pragma once
// Happens-before as a vector clock: what precedes a warp's next access. A warp that passes a fence and then
// stores by an atomic (or a strong store) releases what it knew at the fence; a warp that then sees that
// word, by an atomic or a strong load, acquires it. A barrier merges what the warps of a block know.

#include <cstdint>
#include <memory>
#include <vector>

namespace cudalabs::sim {

/// By block and actor: the time up to which its accesses happen before. Copies share their common parts,
/// because all users of one counter know nearly the same.
class RaceClock {
 public:
  /// An actor of a block: one of its 32 warps, the atomics of one warp, or all of them.
  using Who = std::uint32_t;
  static constexpr Who kAtomics = 32, kAll = 64;

  [[nodiscard]] bool empty() const { return stretches_.empty(); }
  void see(std::uint32_t block, Who who, std::uint32_t until);
  void join(const RaceClock& other);
  /// Does this warp's access at that time happen before?
  [[nodiscard]] bool knows(std::uint32_t block, std::uint32_t warp, std::uint32_t time) const;
  [[nodiscard]] bool knows_atomic(std::uint32_t block, std::uint32_t warp, std::uint32_t time) const;

 private:
  /// Of 64 blocks. The keys (block and who) ascend. They are mostly the same in all clocks of one grid, and
  /// are then compared as bytes.
  struct Stretch {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> untils;
    [[nodiscard]] std::size_t find(std::uint64_t key) const;  ///< the place of the first key that is not less
    [[nodiscard]] bool has(std::size_t at, std::uint64_t key) const {
      return at < keys.size() && keys[at] == key;
    }
    void add(std::uint64_t key, std::uint32_t until);
  };
  using Shared = std::shared_ptr<const Stretch>;
  static void join(Shared& mine, const Shared& theirs);

  static std::uint64_t key(std::uint32_t block, Who who) { return std::uint64_t{block} << 7 | who; }
  [[nodiscard]] std::uint32_t until(std::uint32_t block, Who who) const;
  [[nodiscard]] bool has(std::uint32_t block) const {
    return block / kBlocks < stretches_.size() && stretches_[block / kBlocks] != nullptr;
  }

  static constexpr std::uint32_t kBlocks = 64;
  std::vector<Shared> stretches_;
};

}  // namespace cudalabs::sim
