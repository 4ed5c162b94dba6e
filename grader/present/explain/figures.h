#pragma once
// Figures of launches by kernel, file and source line. `grader explain` shows them beside the code.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs::explain {

/// The cost of one source line in all launches of a kernel.
struct LineFigures {
  sim::Counters counters;
  sim::LineAccesses accesses;  ///< zeros if the launches recorded none
  double ns = 0;               ///< estimated time that passed because of the line

  [[nodiscard]] std::uint64_t executed() const { return counters.warp_instructions; }
  [[nodiscard]] double idle_share() const;  ///< idle share of the lanes of all warp instructions: 0 to 1
  [[nodiscard]] std::uint64_t requests() const;
  [[nodiscard]] std::uint64_t sectors() const;
  [[nodiscard]] double sectors_per_request() const;  ///< 0 if there is no request, as below
  [[nodiscard]] double ideal_sectors_per_request() const;
  [[nodiscard]] std::uint64_t shared_accesses() const;  ///< warp instructions with an active lane
  [[nodiscard]] std::uint64_t wavefronts() const;
  [[nodiscard]] double wavefronts_per_access() const;
  [[nodiscard]] double ideal_wavefronts_per_access() const;
  LineFigures& operator+=(const LineFigures& other);
};

/// How far a figure is from its ideal value, for marks and colours.
enum class Heat { None, Mild, High, Severe };
Heat idle_heat(const LineFigures& line);    ///< thresholds: 25, 50 and 75 % of the lanes
Heat global_heat(const LineFigures& line);  ///< thresholds: 1.25, 2 and 4 times the ideal
Heat shared_heat(const LineFigures& line);

struct FileFigures {
  std::string file;  ///< the compiler's name of the file
  std::map<std::uint32_t, LineFigures> lines;
};

/// One launch shape and its number of launches.
struct LaunchShape {
  sim::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  ///< static and dynamic, per block
  std::uint64_t times = 0;
};

/// All launches of one kernel; the instances of a template are combined.
struct KernelFigures {
  std::string name;                    ///< without template arguments
  std::vector<std::string> instances;  ///< "<32>", ...; empty for a plain kernel
  std::vector<LaunchShape> shapes;     ///< in the order of the first launch of each
  std::uint64_t launches = 0;
  std::uint64_t launches_without_lines = 0;  ///< they exceeded the limit and are only in `total`
  sim::CostBounds estimated;                 ///< what the time is spent on
  LineFigures total;                         ///< all instructions, including those without a source line
  std::uint64_t without_line = 0;  ///< warp instructions without a source line, in launches that have lines
  std::vector<FileFigures> files;  ///< most executed first

  /// Finds the line whose shared access has the highest conflict degree; among equals the one whose lanes
  /// are furthest apart, which padding changes; of those the first. Returns false if no line has any.
  bool worst_shared(std::size_t& file, std::uint32_t& line) const;
};

/// In the order of the first launch of each kernel.
std::vector<KernelFigures> figures_of(std::span<const LaunchRecord> launches);

}  // namespace cudalabs::explain
