#pragma once
// The ladders as they are tested and as docs/estimate.md shows them: which rungs, in which order, on which
// cards.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/device_process.h"

namespace cudalabs::test {

struct ProgramRun {
  CallOutcome outcome;
  std::string printed;
};

/// Compiles FILE.cu with our runtime; the program is gone when the tests end.
std::filesystem::path build_program(const std::string& source);

/// Runs it on the simulator, with times of this profile. `threads`: workers, 0 for one a core.
ProgramRun run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::string& profile, unsigned threads = 0);

struct Rung {
  std::string file, name;  ///< below the ladder's folder; as the program prints it
};

struct Ladder {
  std::string key, title;
  std::string header;  ///< of its folder; the programs' entry is `entry<Rung>`
  std::string entry;
  std::string folder;
  std::vector<Rung> rungs;
};

/// Published figures of one card.
struct Published {
  std::string ladder, profile, type;
  int size = 0, published_size = 0;                   ///< of the run that is tested, and of the figures
  std::string figure;                                 ///< "ms", "GB/s" (higher is faster) and more words
  std::vector<std::pair<std::string, double>> rungs;  ///< name, figure
  std::vector<std::string> not_kept{};  ///< rungs whose estimate is not below that of the next slower one

  [[nodiscard]] bool higher_is_faster() const { return figure.starts_with("GB/s"); }
};

/// One program that runs every rung of the ladder: SIZE TYPE [RUNG]...
const std::filesystem::path& program_of(const Ladder& ladder);

const Ladder& ladder_of(const std::string& key);
const std::vector<Ladder>& ladders();
const std::vector<Published>& published();

/// Estimated milliseconds by rung of one run of the ladder; negative: the answer was wrong. `only`: these
/// rungs; none: all.
std::vector<std::pair<std::string, double>> run_ladder(const Ladder& ladder, const std::string& profile,
                                                       const std::string& type, int size,
                                                       const std::vector<std::string>& only = {});

}  // namespace cudalabs::test
