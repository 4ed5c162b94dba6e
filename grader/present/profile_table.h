#pragma once
// The profile of a program's kernels in the words of NVIDIA's profilers: `grader run --profile`. One table of
// metrics in profile_table.cpp makes the text, the CSV file, the help and the document.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

/// The launches of one kernel with one grid, block and amount of dynamic shared memory, on one device.
struct ProfiledKernel {
  std::string version;              ///< of a lab; empty: it is a program's
  std::string kernel, kernel_full;  ///< as in LaunchRecord
  sim::Dim3 grid, block;
  std::uint64_t code = 0;  ///< as in LaunchRecord
  std::uint32_t device = 0, static_shared_bytes = 0, dynamic_shared_bytes = 0;
  // Of all its launches:
  std::uint64_t launches = 0;
  sim::Counters counters;
  sim::CostBounds bounds;
  sim::Utilization use;            ///< on average over the time
  std::uint32_t machine_code = 0;  ///< LaunchRecord::machine_code
};

/// In the order of their first launches.
std::vector<ProfiledKernel> profile_of(std::span<const LaunchRecord> launches,
                                       const std::string& version = {});

/// A row for each metric, a column for each kernel, in as many tables as a width of 80 needs.
std::string profile_table(std::span<const ProfiledKernel> kernels);
/// A line for each kernel below a line of metrics and a line of units, as in `ncu --csv --page raw`.
std::string profile_csv(std::span<const ProfiledKernel> kernels);

/// A metric for help and documents.
struct ProfileMetric {
  std::string title;   ///< as in the table; estimated ones begin with ~
  const char* metric;  ///< as ncu calls it
  const char* source;  ///< "counted"
};
std::vector<ProfileMetric> profile_metrics();

}  // namespace cudalabs
