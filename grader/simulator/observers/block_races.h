#pragma once
// Of a launch that is too large to be watched: blocks that meet in one word of global memory. Nothing is kept
// but who came first and last of all blocks, so that it costs little, needs no order, and is the same for any
// number of workers.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "grader/simulator/observers/race_reports.h"

namespace cudalabs::sim {

/// Takes part in a launch as the observer of one worker; join() puts them together.
class BlockRaces : public RaceReports {
 public:
  /// `inputs`: what no launch may write, so that nobody meets there.
  BlockRaces(const LaunchInfo& launch, std::span<const DeviceRange> inputs);

  void resume_block(std::uint64_t block) override;
  [[nodiscard]] bool watches() const override;
  [[nodiscard]] bool only_global() const override { return true; }
  void access(const WarpAccess& a) override;
  void end_block() override;

  /// Leaves nothing in the other.
  void join(BlockRaces& other);
  /// Tells of words that one block writes and another reads, changes atomically, or writes in another way.
  void finish(FindingList& found);

 private:
  static constexpr std::uint64_t kPage = 4096, kWord = 4;
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFu;

  /// One kind of access to a word: the first and the last of the blocks that made it, and where each did.
  struct Use {
    std::uint32_t first = kNobody, last = 0;
    std::array<std::uint16_t, 2> sites{}, threads{};  // of these
  };
  struct Written : Use {
    std::uint32_t value = 0;
    std::uint32_t latest = kNobody;  ///< of this worker's blocks
    bool known = false;              ///< the value: not that of a vector of halves, say
    bool varies = false;             ///< several values were stored
    bool after_all = true;           ///< by one that had seen what all others did to it, atomically
  };
  struct Changed : Use {
    std::uint32_t asked = kNobody;  ///< who was the last to see it, if none has changed it since
  };
  struct Page {
    std::unique_ptr<std::array<Use, kPage / kWord>> read;
    std::unique_ptr<std::array<Changed, kPage / kWord>> changed;
    std::unique_ptr<std::array<Written, kPage / kWord>> written;

    [[nodiscard]] std::size_t planes() const {
      return std::size_t{read != nullptr} + std::size_t{changed != nullptr} + std::size_t{written != nullptr};
    }
    [[nodiscard]] bool empty() const { return planes() == 0; }
  };
  struct Block {
    std::uint64_t accesses = 0;
    bool acquired = false;  ///< it may have seen what another block let go
  };

  Page& page(std::uint64_t number);
  /// Both together.
  static void widen(Use& use, const Use& more);
  static void add_value(Written& written, std::uint32_t value);
  void note(Use& use, std::uint32_t site, std::uint32_t thread) const;
  template <class Plane>
  Plane& plane(std::unique_ptr<Plane>& owned);
  bool meet(Conflict conflict, std::uint64_t address, const Use& one, AccessKind did, const Use& other,
            AccessKind other_did);

  std::vector<DeviceRange> inputs_;
  bool hands_over_;  ///< the kernel has fences, or accesses that are fences, too
  const std::uint64_t most_accesses_;
  std::size_t planes_ = 0;
  std::unordered_map<std::uint64_t, Page> pages_;
  std::uint64_t recent_number_ = ~std::uint64_t{0};
  Page* recent_ = nullptr;
  std::unordered_map<std::uint32_t, Block> blocks_;  ///< those that may go on
  Block* block_ = nullptr;
  std::uint32_t number_ = 0;  ///< of the block
};

}  // namespace cudalabs::sim
