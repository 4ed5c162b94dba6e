#pragma once
// configs/ladders/NAME.yaml: a series of kernels for one task, each a step faster than the one before, and
// their published times.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/lab.h"

namespace cudalabs {

/// One program: `FILE SIZE TYPE REPETITIONS` prints its time, and whether its answer is right
/// (reference/ladder/harness.cuh).
struct LadderRung {
  std::string name;
  std::filesystem::path file;
  std::filesystem::path twin;  ///< the corrected twin of a rung with mistakes; may be empty
  std::string idea;            ///< one sentence: what changes, and why the number moves
  std::vector<ElementType> types;
  std::int64_t check_size = 0;  ///< the size for runs under the checkers
};

/// The work of the task: factor x size^power operations, or elements moved.
struct LadderWork {
  bool flops = false;  ///< floating-point operations; else elements of the type
  double factor = 0;
  int power = 1;
  /// GFLOP/s or GB/s of one run of `size` that took `nanoseconds`.
  [[nodiscard]] double rate(std::int64_t size, ElementType type, double nanoseconds) const;
  [[nodiscard]] std::string_view unit() const { return flops ? "GFLOP/s" : "GB/s"; }
};

/// One table of a document: some rungs on one card.
struct PublishedFigures {
  std::string profile;  ///< of configs/devices: a report for this profile shows these figures
  std::string source, card;
  ElementType type{};
  std::optional<std::int64_t> size;  ///< some documents do not give it
  std::vector<std::string> units;    ///< "ms", "GB/s": one column each
  /// By rung name: a figure for each unit, if there is one.
  std::vector<std::pair<std::string, std::vector<std::optional<double>>>> figures;

  [[nodiscard]] std::optional<double> figure(std::string_view rung, std::size_t unit) const;
};

struct Ladder {
  std::string name, title;
  std::vector<ElementType> types;  ///< the first is the default
  std::int64_t size = 0;           ///< a size that the simulator runs in seconds
  std::int64_t card_size = 0;      ///< the size for measurements on a card
  std::int64_t size_step = 1;      ///< every rung takes multiples of it, and some take no other size
  LadderWork work;
  std::optional<LadderRung> cpu;  ///< one thread of the processor
  std::vector<LadderRung> rungs;
  std::vector<PublishedFigures> published;
  std::vector<std::filesystem::path> headers;  ///< headers that the programs may include
};

/// The names of the course's ladders, in natural order.
std::vector<std::string> ladder_names(const Course& course);

/// Errors: no such ladder (with the nearest name), or a problem in its file and where it is.
Result<Ladder> load_ladder(const Course& course, std::string_view name);

}  // namespace cudalabs
