#pragma once
// What launches did, by kernel, file and line of the source:
// the numbers that `grader explain` writes beside the code.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "grader/device/wire/outcome.h"

namespace cudalabs::explain {

/// What one source line cost in all launches of a kernel.
struct LineFigures {
  sim::Counters counters;
  sim::LineAccesses accesses;  ///< zeros where the launches carried none

  [[nodiscard]] std::uint64_t executed() const { return counters.warp_instructions; }
  [[nodiscard]] double idle_share() const;  ///< of the lanes of all warp instructions: 0 to 1
  [[nodiscard]] std::uint64_t requests() const;
  [[nodiscard]] std::uint64_t sectors() const;
  [[nodiscard]] double sectors_per_request() const;  ///< 0 without a request, here and below
  [[nodiscard]] double ideal_sectors_per_request() const;
  [[nodiscard]] std::uint64_t shared_accesses() const;  ///< warp instructions with an active lane
  [[nodiscard]] std::uint64_t wavefronts() const;
  [[nodiscard]] double wavefronts_per_access() const;
  [[nodiscard]] double ideal_wavefronts_per_access() const;
  LineFigures& operator+=(const LineFigures& other);
};

/// How far a figure is from its ideal, for marks and colours.
enum class Heat { None, Mild, High, Severe };
Heat idle_heat(const LineFigures& line);    ///< from 25, 50 and 75 % of the lanes
Heat global_heat(const LineFigures& line);  ///< from 1.25, 2 and 4 times the ideal
Heat shared_heat(const LineFigures& line);

struct FileFigures {
  std::string file;  ///< as the compiler called it
  std::map<std::uint32_t, LineFigures> lines;
};

/// One shape of launch and how often it came.
struct LaunchShape {
  sim::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< static and dynamic, a block
  std::uint64_t times = 0;
};

/// All launches of one kernel, the instances of a template together.
struct KernelFigures {
  std::string name;                    ///< without template arguments
  std::vector<std::string> instances;  ///< "<32>", ...; empty for a plain kernel
  std::vector<LaunchShape> shapes;     ///< in the order of the first launch of each
  std::uint64_t launches = 0;
  std::uint64_t launches_without_lines = 0;  ///< too many of them: only in `total`
  sim::CostBounds estimated;                 ///< what the time is spent on
  LineFigures total;                         ///< of all instructions, also of those without a source line
  std::uint64_t without_line = 0;  ///< warp instructions of no source line, in launches that have lines
  std::vector<FileFigures> files;  ///< with the most executed first

  /// The line whose shared access has the highest conflict
  /// degree (the first of equals); false if no line has any.
  bool worst_shared(std::size_t& file, std::uint32_t& line) const;
};

/// In the order of the first launch of each kernel.
std::vector<KernelFigures> figures_of(std::span<const LaunchRecord> launches);

}  // namespace cudalabs::explain
