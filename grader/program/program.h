#pragma once
// A program of the user's own (or of the course) beside a device process that serves its CUDA calls. Not
// sandboxed: nobody grades it.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/handle/device_process.h"
#include "grader/support/process.h"
#include "grader/support/result.h"

namespace cudalabs {

enum class ProgramOutput : std::uint8_t {
  Inherited,  ///< stdin, stdout and stderr are ours
  Captured,   ///< in ProgramRun::end
};

struct ProgramRun {
  ProcessEnd end;
  CallOutcome device;
};

struct ProgramOptions {
  ProgramOutput output = ProgramOutput::Inherited;
  bool call_frames = false;  ///< the program tells where its calls stand, which costs time
  /// Its clocks show the card's estimated time; it was linked for that (estimated_clock_options).
  bool estimated_clock = false;
  bool check_streams = false;                    ///< the device is told what orders the program's operations
  std::optional<std::uint64_t> shuffle_streams;  ///< their order is another one that is allowed, by this seed
  bool per_thread_stream = false;  ///< it was compiled so: each thread has a default stream of its own
  /// Looks at the launch that runs: DeviceProcess::serve_program.
  std::function<void(LaunchBoard&)> look;
};

/// Runs it to its end. An error means that it could not be run; what it did wrong is in the ProgramRun.
Result<ProgramRun> run_program(DeviceProcess& device, const std::filesystem::path& executable,
                               const std::vector<std::string>& arguments, const ProgramOptions& options);

}  // namespace cudalabs
