#pragma once
// Finds the host's source lines of the calls in an outcome.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/device/protocol/outcome.h"

namespace cudalabs {

struct HostPlace {
  std::string file;
  std::uint32_t line = 0;
  std::string function;  ///< without its scope, template arguments and parameters
  bool operator==(const HostPlace& other) const { return file == other.file && line == other.line; }
};

/// What is known of one program: a version that fails all its cases fails at the same few addresses.
struct KnownHostPlaces {
  std::filesystem::path executable;
  std::map<std::uint64_t, std::vector<HostPlace>> places;
};

/// Turns the frames of findings and of failed calls into lines, with binutils' addr2line and the debug
/// information in `executable` (-g1), which nobody need trust: it is read in a sandbox. `not_the_users`:
/// folders whose code is skipped, such as CUDA's headers. Frames whose place is unknown stay without a line.
void place_host_calls(CallOutcome& outcome, const std::filesystem::path& executable,
                      const std::vector<std::filesystem::path>& not_the_users);
/// The same, which looks up only addresses that it does not know yet. `not_the_users` is always the same.
void place_host_calls(CallOutcome& outcome, const std::filesystem::path& executable,
                      const std::vector<std::filesystem::path>& not_the_users, KnownHostPlaces& known);

}  // namespace cudalabs
