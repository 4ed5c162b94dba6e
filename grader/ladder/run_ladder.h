#pragma once
// Runs the programs of a ladder: each rung for its time and its counters, and, small, under the checkers.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/compile/toolchain.h"
#include "grader/config/device_profile.h"
#include "grader/config/ladder.h"
#include "grader/simulator/base/types.h"
#include "grader/simulator/observers/finding.h"
#include "grader/support/result.h"

namespace cudalabs {

struct LadderRequest {
  ElementType type{};
  std::int64_t size = 0;                  ///< on the simulator
  std::optional<std::int64_t> card_size;  ///< also measure on this machine's card, with this size
  std::string card;                       ///< its name
  CompilerChoice compiler = CompilerChoice::Auto;
  NamedProfile profile;  ///< whose times are estimated
  bool cpu = true;       ///< run the CPU's rung too
  bool check = true;     ///< look for mistakes, and run the corrected twins
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(const std::string&)> progress;  ///< "kernel06", before it runs
};

/// One row of the table.
struct LadderRow {
  enum class Kind : std::uint8_t { Cpu, Rung, Corrected };
  Kind kind = Kind::Rung;
  std::string name;  ///< of the rung; a corrected twin has its rung's
  std::filesystem::path file;
  std::string problem;                   ///< why there is no right answer: wrong, a fault, no build
  std::optional<double> cpu_ns;          ///< the CPU's, measured
  std::optional<double> estimated_ns;    ///< between the program's two events
  std::optional<double> measured_ns;     ///< the same on the card
  sim::Counters counters;                ///< of all its launches
  std::vector<sim::Finding> findings;    ///< at the size for checkers, if its answer is right
  std::optional<std::string> unchecked;  ///< why the checkers could not watch it to its end
};

struct LadderRun {
  std::vector<LadderRow> rows;
  std::vector<std::string> left_out;  ///< rungs that are not there in this type
  [[nodiscard]] bool all_right() const;
};

/// An error means that the grader could not run the ladder at all.
Result<LadderRun> run_ladder(const Ladder& ladder, const LadderRequest& request);

}  // namespace cudalabs
