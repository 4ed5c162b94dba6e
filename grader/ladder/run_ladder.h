#pragma once
// Runs the programs of a ladder: each rung for its time and counters, and at a small size under the checkers.

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/device_profile.h"
#include "grader/ladder/ladder.h"
#include "grader/sim/base/types.h"
#include "grader/sim/checkers/base/finding.h"
#include "grader/toolchain/toolchain.h"

namespace cudalabs {

struct LadderRequest {
  ElementType type{};
  std::int64_t size = 0;                  ///< on the simulator
  std::optional<std::int64_t> card_size;  ///< also measure on this machine's card, with this size
  std::string card;                       ///< the card's name
  CompilerChoice compiler = CompilerChoice::Auto;
  NamedProfile profile;  ///< the card whose times are estimated
  bool cpu = true;       ///< run the CPU's rung too
  bool check = true;     ///< run the checkers, and the corrected twins
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(const std::string&)> progress;  ///< "kernel06", before it runs
};

/// One row of the table.
struct LadderRow {
  enum class Kind : std::uint8_t { Cpu, Rung, Corrected };
  Kind kind = Kind::Rung;
  std::string name;  ///< the rung's name; a corrected twin has its rung's name
  std::filesystem::path file;
  /// why there is no right answer: a wrong answer, a fault, a failed build
  Messages problem;
  std::optional<double> cpu_ns;        ///< the CPU's, measured
  std::optional<double> estimated_ns;  ///< between the program's two events
  std::optional<double> measured_ns;   ///< the same on the card
  sim::Counters counters;              ///< of all its launches
  std::vector<sim::Finding> findings;  ///< at the size for checkers, if the answer is right
  Messages unchecked;                  ///< why the checkers could not finish, if so
};

struct LadderRun {
  std::vector<LadderRow> rows;
  std::vector<std::string> left_out;  ///< rungs that do not support this type
  [[nodiscard]] bool all_right() const;
};

/// An error means that the grader could not run the ladder at all.
Result<LadderRun> run_ladder(const Ladder& ladder, const LadderRequest& request);

}  // namespace cudalabs
