#pragma once
// Runs a program of the user (or of the course) with a device process that serves its CUDA calls. It is not
// sandboxed: its result is not graded.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/process/process.h"
#include "grader/base/result.h"
#include "grader/device/client/device_process.h"

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
  bool call_frames = false;  ///< the program reports the stack frames of its calls, which costs time
  /// It reports those of the calls that fail, and whether it asks for their errors (ApiError::asked).
  bool failed_calls = false;
  /// Its clocks show the card's estimated time; it was linked for that (own_clock_options).
  bool estimated_clock = false;
  bool check_streams = false;  ///< the program tells the device what orders its operations
  /// runs its operations in another allowed order; the value is the seed
  std::optional<std::uint64_t> shuffle_streams;
  bool per_thread_stream = false;  ///< it was compiled so that each thread has its own default stream
  /// Called with the running launch: DeviceProcess::serve_program.
  std::function<void(LaunchBoard&)> look;
};

/// Runs it to its end. Error: it could not be run. Its own failures are in the ProgramRun.
Result<ProgramRun> run_program(DeviceProcess& device, const std::filesystem::path& executable,
                               const std::vector<std::string>& arguments, const ProgramOptions& options);

}  // namespace cudalabs
