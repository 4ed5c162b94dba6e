#pragma once
// Of a launch that is too large to be watched: blocks that meet in one element of an output.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "grader/simulator/observers/race_reports.h"

namespace cudalabs::sim {

/// What one block did to the outputs, by the address of the 4 bytes. Lives with the block.
class OutputUses {
 public:
  void access(const WarpAccess& a, std::span<const DeviceRange> outputs);
  /// From now on what the block does may be ordered.
  void fence() { fenced_ = true; }

  struct Place {
    const Program* program = nullptr;
    std::uint32_t instruction = 0, thread = 0, width = 0;
  };
  struct Use {
    std::optional<Place> read, written, changed;  ///< changed: atomically
  };
  /// Empty for a block that has passed a fence: it may hand on what it did to a block that asks for it.
  [[nodiscard]] const std::map<std::uint64_t, Use>& uses() const;

 private:
  std::map<std::uint64_t, Use> uses_;
  bool fenced_ = false;
};

/// Nothing orders two blocks of a launch that pass no fence. That several write one element is left to small
/// cases, which know whether they write the same.
class OutputRaces : public RaceReports {
 public:
  using RaceReports::RaceReports;
  /// Blocks in ascending order.
  void add(std::uint64_t block, const OutputUses& uses);

 private:
  using Place = OutputUses::Place;
  struct Earlier {
    std::uint64_t block;
    OutputUses::Use use;
  };
  void meet(Conflict conflict, std::uint64_t address, std::uint64_t block, const Place& here, AccessKind did,
            std::uint64_t other_block, const Place& other, AccessKind other_did);

  std::map<std::uint64_t, std::vector<Earlier>> earlier_;
};

}  // namespace cudalabs::sim
