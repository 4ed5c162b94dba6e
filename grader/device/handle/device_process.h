#pragma once
// The grader's handle on the device process: starts it (this same binary, hidden command `__device`), owns
// the trusted control socket, and hands the other socket to the submission. The device process is expendable:
// every call here can end with `DeviceLost`, after which the handle is replaced and grading goes on.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/device/wire/launch_board.h"
#include "grader/device/wire/outcome.h"
#include "grader/device/wire/setup.h"
#include "grader/simulator/base/types.h"
#include "grader/support/result.h"

namespace cudalabs {

/// What the user asked for; Auto: the GPU if there is one that works.
enum class DeviceChoice : std::uint8_t { Auto, Simulator, Gpu };

/// What a device process is told to be, and what stays on this side.
struct DeviceOptions : DeviceSetup {
  /// A tool that is to start the device process and look at what it does on the GPU: program and arguments.
  std::vector<std::string> tool;
};

class DeviceProcess {
 public:
  static Result<std::unique_ptr<DeviceProcess>> start(const DeviceOptions& options);
  virtual ~DeviceProcess() = default;  ///< kills and reaps the process

  [[nodiscard]] virtual const DeviceFacts& facts() const = 0;

  /// Makes a fresh client connection and forgets the previous client with everything
  /// it owned (allocations, modules, streams). Returns the file descriptor to pass
  /// to the submission as CUDALABS_DEVICE_FD; the caller closes it.
  virtual Result<int> new_client() = 0;

  /// The process that has that descriptor. On a busy machine its processor time counts like the device's.
  virtual void client_is(int pid) = 0;

  /// Waits until the client's runner has announced its entries. Result: for each entry of the contract, in
  /// order, whether the submission defines it. Error: the client went away or timed out first.
  virtual Result<std::vector<bool>> wait_ready(std::chrono::milliseconds timeout) = 0;

  // Device memory of the grader, invisible to the client except through the pointers it is given.
  virtual Result<sim::DevicePtr> allocate(std::uint64_t bytes) = 0;
  virtual Result<void> free(sim::DevicePtr pointer) = 0;
  virtual Result<void> write(sim::DevicePtr pointer, std::span<const std::byte> bytes) = 0;
  virtual Result<void> read(sim::DevicePtr pointer, std::span<std::byte> bytes) = 0;
  virtual Result<void> copy(sim::DevicePtr to, sim::DevicePtr from, std::uint64_t bytes) = 0;

  /// Calls entry number `entry` of the contract; each argument is one 64-bit slot: a
  /// device pointer, or an integer or the bits of a float/double in the low bytes.
  /// Returns when the entry returned and the device is idle, or earlier as CallEnd says. Never throws, never
  /// waits longer than `timeout` (plus a bounded grace), but on a simulator for which a busy machine has no
  /// time: there the wall clock of an idle machine is meant, and ten times that is the end.
  virtual CallOutcome call(std::uint32_t entry, std::span<const std::uint64_t> arguments,
                           std::chrono::milliseconds timeout, CallMode mode = CallMode::Plain,
                           const CallResults& results = {}) = 0;

  /// Does the operations of a recorded call once more, without its program. Recordings outlive the client.
  virtual Result<ReplayTimes> replay(std::uint32_t recording, bool by_launch,
                                     std::chrono::milliseconds timeout) = 0;
  virtual Result<void> forget(std::uint32_t recording) = 0;

  /// For `grader run`: serves the client until its socket
  /// closes (no entries, no calls); records every launch.
  /// `look`, if there is one, looks at what runs some times a second (DeviceSetup::shows_progress), and once
  /// more behind the end.
  virtual CallOutcome serve_program(const std::function<void(LaunchBoard&)>& look = {}) = 0;

  /// The process ended because what it was asked to do needed too much memory: a sentence. Empty: it did not.
  [[nodiscard]] virtual const std::string& memory_limit() const = 0;

  /// Lets the process end by itself, and the tool that it was started by write what it found. The value is
  /// the exit status. Error: it does not end. Nothing else may be called afterwards.
  virtual Result<int> finish() = 0;
};

/// The GPU that `choice` stands for. Null: the simulator is meant, because it was asked for or because `auto`
/// finds no driver, or none that works (`say` is told why). An error: a GPU was asked for and cannot be used.
Result<std::unique_ptr<DeviceProcess>> start_gpu(DeviceChoice choice, DeviceOptions options,
                                                 const std::function<void(std::string_view)>& say);

}  // namespace cudalabs
