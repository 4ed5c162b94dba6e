#pragma once
// The grader's handle on the device process. It starts the process (this same binary, hidden command
// `__device`), owns the trusted control socket, and hands the other socket to the submission. The device
// process is expendable: every call here can end with `DeviceLost`, after which the handle is replaced and
// grading goes on.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/protocol/launch_board.h"
#include "grader/device/protocol/outcome.h"
#include "grader/device/protocol/setup.h"
#include "grader/sim/base/types.h"

namespace cudalabs {

/// The settings of a device process, and the options that stay on the grader's side.
struct DeviceOptions : DeviceSetup {
  /// A tool that starts the device process and observes its work on the GPU: program and arguments.
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

  /// Sets the process that holds that descriptor. On a busy machine its processor time counts like the
  /// device's.
  virtual void client_is(int pid) = 0;

  /// Waits until the client's runner has announced its entries. Result: for each entry of the contract, in
  /// order, whether the submission defines it. Error: the client went away or timed out first.
  virtual Result<std::vector<bool>> wait_ready(std::chrono::milliseconds timeout) = 0;

  // Device memory of the grader. The client can reach it only through the pointers that it is given.
  virtual Result<sim::DevicePtr> allocate(std::uint64_t bytes) = 0;
  virtual Result<void> free(sim::DevicePtr pointer) = 0;
  virtual Result<void> write(sim::DevicePtr pointer, std::span<const std::byte> bytes) = 0;
  virtual Result<void> read(sim::DevicePtr pointer, std::span<std::byte> bytes) = 0;
  virtual Result<void> copy(sim::DevicePtr to, sim::DevicePtr from, std::uint64_t bytes) = 0;

  /// Calls entry number `entry` of the contract. Each argument is one 64-bit slot: a device pointer, or an
  /// integer or the bits of a float/double in the low bytes. Returns when the entry returned and the device
  /// is idle, or earlier, with the reason in CallEnd. Never throws. Never waits longer than `timeout` plus a
  /// bounded grace, except for a simulator on a busy machine: `timeout` is then the wall time of an idle
  /// machine, and the call ends after ten times `timeout` at the latest.
  virtual CallOutcome call(std::uint32_t entry, std::span<const std::uint64_t> arguments,
                           std::chrono::milliseconds timeout, CallMode mode = CallMode::Plain,
                           const CallResults& results = {}) = 0;

  /// Repeats the operations of a recorded call, without its program. Recordings outlive the client.
  virtual Result<ReplayTimes> replay(std::uint32_t recording, bool by_launch,
                                     std::chrono::milliseconds timeout) = 0;
  virtual Result<void> forget(std::uint32_t recording) = 0;

  /// For `grader run`: serves the client until its socket closes (no entries, no calls); records every
  /// launch. If `look` is given, it is called with the running launch a few times a second
  /// (DeviceSetup::shows_progress), and once more at the end.
  virtual CallOutcome serve_program(const std::function<void(LaunchBoard&)>& look = {}) = 0;

  /// Why the process ended, as a sentence, if its work needed too much memory; else empty.
  [[nodiscard]] virtual const Message& memory_limit() const = 0;

  /// Lets the process end by itself, and lets the tool that started it write its findings. The value is the
  /// exit status. Error: the process does not end. Nothing else may be called afterwards.
  virtual Result<int> finish() = 0;

  [[nodiscard]] virtual DeviceKind kind() const = 0;
};

/// The card that `choice` stands for. Null: use the simulator, because the user asked for it, or because
/// `auto` finds no driver or no working one (`say` gets the reason). Error: the user asked for a card that
/// cannot be used.
Result<std::unique_ptr<DeviceProcess>> start_card(DeviceChoice choice, DeviceOptions options,
                                                  const std::function<void(const Message&)>& say);
/// Could start_card() start one? Times are then measured.
bool may_measure(DeviceChoice choice);
/// Ok if there may be a device of this kind: the driver that it needs is there.
Result<void> find_device(const DeviceKindInfo& kind);

}  // namespace cudalabs
