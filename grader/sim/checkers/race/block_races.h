#pragma once
// Finds races between blocks in a launch that is too large for full checking. For each word of global memory
// it keeps only the first and the last block that accessed it. This is cheap, needs no block order, and gives
// the same results for any number of workers.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "grader/sim/checkers/race/line_runs.h"
#include "grader/sim/checkers/race/race_reports.h"

namespace cudalabs::sim {

/// The observer of one worker in a launch; join() merges the observers of several workers.
class BlockRaces : public RaceReports {
 public:
  /// `inputs`: ranges that no launch may write, so no block can race there.
  /// `whole_runs`: accesses of adjacent lanes are checked together; false: word by word, for a test.
  BlockRaces(const LaunchInfo& launch, std::span<const DeviceRange> inputs, bool whole_runs = true);

  void resume_block(std::uint64_t block) override;
  [[nodiscard]] bool watches() const override;
  [[nodiscard]] bool only_global() const override { return true; }
  [[nodiscard]] std::span<const DeviceRange> unflushed_loads() const override;
  void access(const WarpAccess& a) override;
  void end_block() override;

  /// Merges the other worker's data into this one; the other is empty afterwards.
  void join(BlockRaces& other);
  /// Reports words that one block writes and another reads, changes atomically, or writes in another way.
  void finish(FindingList& found);

 private:
  static constexpr std::uint64_t kPage = 4096, kWord = 4;
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFu;

  /// The threads of a block that accessed a run: a warp, and the rule that gives the lane of each word.
  struct Threads {
    std::uint8_t warp = 0;
    LaneRule lanes = 0;
    /// The thread that accessed this word.
    [[nodiscard]] std::uint32_t at(std::uint64_t word) const { return warp * kLanes + lane_at(lanes, word); }
    /// The same for a word that is kept apart from its run.
    [[nodiscard]] Threads alone(std::uint64_t word) const {
      return {warp, static_cast<LaneRule>(lane_at(lanes, word))};
    }
  };
  /// One kind of access to a word: the first and the last of the blocks that made it, and where each did.
  struct Use {
    std::uint32_t first = kNobody, last = 0;
    std::array<std::uint16_t, 2> sites{};  // of these
    std::array<Threads, 2> threads{};

    [[nodiscard]] bool empty() const { return first == kNobody; }
    void stand_alone(std::uint32_t word) {
      for (Threads& of : threads) of = of.alone(word);
    }
  };
  struct Written : Use {
    std::uint32_t latest = kNobody;  ///< of this worker's blocks
    bool known = false;              ///< the value (Page::values) is known; false for a vector of halves
    bool varies = false;             ///< several values were stored
    bool after_all = true;           ///< stored by a thread that had seen all others' atomics on it
  };
  struct Changed : Use {
    std::uint32_t asked = kNobody;  ///< the last block to see it, if none has changed it since
  };
  /// Kept by words. Words with atomic or strong accesses are kept individually, outside runs.
  struct Page : LineRuns<Page> {
    Page() : LineRuns(kPage / kWord / kLine) {}

    Plane<Use> read;
    Plane<Changed> changed;
    Plane<Written> written;
    std::unique_ptr<std::array<std::uint32_t, kPage / kWord>> values;  ///< the last of each

    template <class F>
    void each_plane(F f) {
      f(read);
      f(changed);
      f(written);
    }
    [[nodiscard]] std::size_t planes() const {
      return std::size_t{bool{read}} + std::size_t{bool{changed}} + std::size_t{bool{written}};
    }
    [[nodiscard]] bool empty() const { return planes() == 0; }
    std::uint32_t* stored() {
      if (!values) values = std::make_unique<std::array<std::uint32_t, kPage / kWord>>();
      return values->data();
    }
  };
  struct Block {
    std::uint64_t accesses = 0;
    bool acquired = false;  ///< it may have acquired another block's release
  };

  Page& page(std::uint64_t number);
  /// Extends `use` to cover both.
  static void widen(Use& use, const Use& more);
  static void add_value(Page& page, std::uint64_t word, Written& written, std::uint32_t value);
  void note(Use& use, std::uint32_t site, Threads threads) const;
  template <class T>
  T& make(Page& page, Plane<T>& plane, std::uint64_t word);
  /// Accesses of one lane to one word.
  void load(Page& page, std::uint64_t word, std::uint32_t site, Threads threads);
  void change(Page& page, std::uint64_t word, std::uint32_t site, Threads threads);
  void store(Page& page, std::uint64_t word, std::uint32_t site, Threads threads,
             std::optional<std::uint32_t> value);
  /// Accesses of adjacent lanes to words outside the inputs.
  void load_stretch(const WarpAccess& a, std::uint32_t site, std::uint32_t lane, std::uint32_t lanes);
  void store_stretch(const WarpAccess& a, std::uint32_t site, std::uint32_t lane, std::uint32_t lanes);
  /// Returns false without a change if the words of the run differ. `values`: those of the run; null:
  /// unknown.
  bool store_run(Page& page, std::uint64_t begin, std::uint64_t end, std::uint32_t site, Threads threads,
                 const std::uint32_t* values);
  /// Calls f(page, first word, end, threads, place among the stretch's words) for the runs of a stretch.
  template <class F>
  void each_run(const WarpAccess& a, std::uint32_t lane, std::uint32_t lanes, F f);
  [[nodiscard]] bool all_within_input(const WarpAccess& a, std::uint32_t lanes) const;
  [[nodiscard]] bool meets_input(std::uint64_t begin, std::uint64_t end) const;

  void join_page(Page& mine, Page& theirs, const std::vector<std::uint32_t>& sites);
  static bool differ(const Use& one, const Use& other);
  bool meet(Conflict conflict, std::uint64_t page, std::uint64_t word, const Use& one, AccessKind did,
            const Use& other, AccessKind other_did);

  std::vector<DeviceRange> inputs_;
  bool hands_over_;  ///< the kernel has fences, or accesses with release or acquire semantics
  const std::uint64_t most_accesses_;
  const bool whole_runs_;
  std::size_t planes_ = 0;
  std::unordered_map<std::uint64_t, Page> pages_;
  /// Recently used pages: the warps of a block often access a matrix row each.
  struct Recent {
    std::uint64_t number = 0;
    Page* page = nullptr;
  };
  std::array<Recent, 64> recent_;
  std::unordered_map<std::uint32_t, Block> blocks_;  ///< those that may continue
  Block* block_ = nullptr;
  std::uint32_t number_ = 0;  ///< of the block
};

}  // namespace cudalabs::sim
