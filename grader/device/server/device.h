#pragma once
// One device of any kind: the simulator, or a GPU through the CUDA driver. It has five parts: memory,
// modules, the operations that streams carry, the streams themselves, and instrumentation. Only the server
// calls it, and only with handles and ranges that the server has checked; a device checks what only it knows
// (launch limits, memory left). One caller at a time.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/protocol/cuda_error.h"
#include "grader/device/protocol/launch_board.h"
#include "grader/device/protocol/outcome.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/sim/base/stream_operation.h"
#include "grader/sim/base/texture.h"

namespace cudalabs {

using sim::DevicePtr;

/// The result of an operation, as a CUDA error. `detail` is for a person and may be empty.
struct Status {
  CudaError error = CudaError::Success;
  Message detail;
  [[nodiscard]] bool ok() const { return error == CudaError::Success; }
};

/// A Status and, if it is ok, a value.
template <class T>
struct Answer : Status {
  T value{};
};

template <class T>
Answer<T> answer(T value) {
  Answer<T> result;
  result.value = std::move(value);
  return result;
}

template <class T>
Answer<T> failure(CudaError error, Message detail) {
  Answer<T> result;
  result.error = error;
  result.detail = std::move(detail);
  return result;
}

template <class T>
Answer<T> failure(const Status& status) {
  return failure<T>(status.error, status.detail);
}

struct DeviceProperties {
  std::string name;
  sim::Limits limits;
  std::uint32_t l2_bytes = 40 * 1024 * 1024;
  std::uint32_t clock_khz = 1410000, memory_clock_khz = 1215000, memory_bus_bits = 5120;
  sim::SharedBanks banks;
};

struct MemoryUse {
  std::uint64_t free_bytes = 0, total_bytes = 0;
};

// Modules, streams and events are owned by shared pointers, so that a recording can keep them.

/// A loaded module. Its variables live as long as it does. A kernel is named by its index in kernels().
class DeviceModule : public std::enable_shared_from_this<DeviceModule> {
 public:
  virtual ~DeviceModule() = default;
  [[nodiscard]] virtual const std::vector<sim::KernelInfo>& kernels() const = 0;
  [[nodiscard]] virtual const std::vector<sim::VariableInfo>& variables() const = 0;
};

class DeviceStream : public std::enable_shared_from_this<DeviceStream> {
 public:
  virtual ~DeviceStream() = default;
};

class DeviceEvent : public std::enable_shared_from_this<DeviceEvent> {
 public:
  virtual ~DeviceEvent() = default;
};

/// `rows` rows of `width` bytes, `pitch` bytes apart. A plain range is one row.
struct Extent {
  std::uint64_t width = 0, rows = 1;
};
struct Pitched {
  DevicePtr address = 0;
  std::uint64_t pitch = 0;
};

struct LaunchRequest {
  const DeviceModule* module = nullptr;
  std::uint32_t kernel = 0;  ///< index into module->kernels()
  sim::LaunchConfig config;
  std::uint64_t dynamic_shared_limit = 0;  ///< set by cudaFuncSetAttribute; 0: the limit without it
  std::span<const std::byte> parameters;   ///< packed, KernelInfo::parameter_bytes long
  DeviceStream* stream = nullptr;          ///< nullptr: the default stream
};

/// The result of a launch. A fault is not an error of the launch call: CUDA reports it at the next
/// synchronisation.
struct LaunchRun {
  LaunchRecord record;
  /// If valid, `record`'s estimate arrives through it.
  std::shared_future<sim::Estimate> estimate;
  /// Launches by this kernel and by its descendants, in the order in which they ran.
  std::vector<LaunchRecord> children;
  std::uint64_t children_not_recorded = 0;
  std::vector<sim::RefusedLaunch> refused_children;  ///< the first few
  std::vector<sim::LaunchNote> notes;                ///< of the launch and its descendants, the first few
  sim::Fault fault;
  std::string printed;  ///< the output of the kernel's printf
};

/// A problem with its place and its hint, in one message.
Message in_full(const Diagnostic& problem);

/// The CUDA error that reports this fault.
CudaError error_of(sim::FaultKind fault);

/// Ok, or CUDA 13's error for a launch that the card does not allow: cudaErrorCooperativeLaunchTooLarge if
/// the blocks do not all fit the card at once, cudaErrorInvalidValue for everything else (a grid, a block,
/// shared memory, launch bounds). Every device calls this first.
Status check_launch(const DeviceProperties& properties, const LaunchRequest& request);

/// The record of a launch, as far as it is known before the launch runs.
LaunchRecord record_of(const LaunchRequest& request);

/// A call of an entry. If `parts` is not 0, the data provenance of `outputs` is tracked
/// (sim::ProvenanceTracker).
struct WatchedCall {
  std::vector<sim::DeviceRange> inputs, outputs;
  sim::DeviceRange table;
  std::uint64_t draw = 0;  ///< sim::ReuseObserver
  double parts = 0;
  bool untimed = false, compares_loads = false, reversed = false, in_order = false;  ///< as in CallResults
};

struct CallFacts {
  sim::Provenance origins;
  double copies_ns = 0;  ///< estimated, for copies and sets
  /// Bytes of the outputs written by copies, since the last launch that stored at least half as much as the
  /// outputs hold.
  std::uint64_t bytes_put_last = 0;
};

/// Allocations, and what stands for them in kernels.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;

  [[nodiscard]] virtual MemoryUse use() const = 0;
  /// Exactly `bytes` (> 0) long for overrun detection; 256-byte aligned.
  virtual Answer<DevicePtr> allocate(std::uint64_t bytes) = 0;
  /// Makes `file` device memory. `file` is a memory file of at least that size, which the client has mapped
  /// too. Only pages that are accessed take memory, and the device's own memory stays free.
  virtual Answer<DevicePtr> share(std::uint64_t /*bytes*/, int /*file*/) {
    return failure<DevicePtr>(CudaError::NotSupported, msg::memory_not_shared());
  }
  /// While freed memory is kept, free() quarantines it instead.
  Status free(DevicePtr pointer);
  /// `aside`: quarantines an allocation that its owner has freed, but that a recording may still use. A
  /// kernel that accesses it faults as after free(), and its bytes stay. Not `aside`: makes it usable again,
  /// for a replay or for free(). Devices that do not check each access just keep it. While freed memory is
  /// kept, memory stays usable, because a replay needs it.
  void quarantine(DevicePtr pointer, bool aside);

  /// From now on free() keeps memory for replays, or does not. What has been kept stays.
  void keep_freed(bool keep) { keeps_freed_ = keep; }
  /// Quarantines the kept memory, or makes it usable for a replay.
  void quarantine_kept(bool aside);
  /// Frees the kept memory.
  void free_kept();

  /// A texture or surface object over memory that the client may access, in the form that kernels get; never
  /// 0.
  virtual Answer<std::uint64_t> create_texture(const sim::Texture& /*texture*/) {
    return failure<std::uint64_t>(CudaError::NotSupported, msg::textures_need_simulator());
  }
  virtual void destroy_texture(std::uint64_t /*object*/) {}

 private:
  virtual Status do_free(DevicePtr pointer) = 0;
  virtual void do_quarantine(DevicePtr /*pointer*/, bool /*aside*/) {}

  bool keeps_freed_ = false;
  std::vector<DevicePtr> kept_;  ///< freed by their owner and quarantined
};

/// Programs for the device.
class DeviceModules {
 public:
  virtual ~DeviceModules() = default;

  /// Loads a fat binary. Errors: cudaErrorInvalidKernelImage, cudaErrorInvalidPtx,
  /// cudaErrorNoKernelImageForDevice.
  virtual Answer<std::shared_ptr<DeviceModule>> load(std::span<const std::byte> fat_binary) = 0;
  /// Blocks of `threads` threads that fit a multiprocessor at once.
  virtual Answer<std::uint32_t> occupancy(const DeviceModule& module, std::uint32_t kernel,
                                          std::uint32_t threads, std::uint64_t dynamic_shared_bytes) = 0;
};

/// What streams carry, in the order of each stream, and the host's waits for it. A recording holds exactly
/// these (recording_device.h). Null as a stream: the default stream.
class DeviceOperations {
 public:
  virtual ~DeviceOperations() = default;

  // Copies and sets. The host side is packed: row after row without gaps.
  virtual Status copy_to_device(Pitched to, const std::byte* from, Extent extent, DeviceStream* stream) = 0;
  virtual Status copy_to_host(std::byte* to, Pitched from, Extent extent, DeviceStream* stream) = 0;
  virtual Status copy_on_device(Pitched to, Pitched from, Extent extent, DeviceStream* stream) = 0;
  virtual Status set(Pitched to, std::byte value, Extent extent, DeviceStream* stream) = 0;

  /// Runs a launch to its end. `cancel` may be set from another thread to stop a running kernel.
  virtual Answer<LaunchRun> launch(const LaunchRequest& request, const std::atomic<bool>* cancel) = 0;
  /// Starts a launch; it runs in the order of its stream. The next synchronisation reports its fault.
  virtual Status enqueue(const LaunchRequest& request) = 0;

  virtual Status record(DeviceEvent& event, DeviceStream* stream) = 0;
  virtual Status wait(DeviceStream* stream, DeviceEvent& event) = 0;
  virtual Status synchronize() = 0;
  virtual Status synchronize(DeviceStream* stream) = 0;
  virtual Status synchronize(DeviceEvent& event) = 0;
};

/// Streams and events as objects, and questions about them.
class DeviceStreams {
 public:
  virtual ~DeviceStreams() = default;

  virtual Answer<std::shared_ptr<DeviceStream>> create_stream(std::uint32_t flags, std::int32_t priority) = 0;
  virtual Answer<std::shared_ptr<DeviceEvent>> create_event(std::uint32_t flags) = 0;
  /// cudaErrorNotReady while earlier work is not done.
  virtual Status query(DeviceStream* stream) = 0;
  virtual Status query(DeviceEvent& event) = 0;
  /// Milliseconds from `start` to `end`. Error: cudaErrorInvalidResourceHandle if one was never recorded.
  virtual Answer<float> elapsed(DeviceEvent& start, DeviceEvent& end) = 0;
};

/// How much of each launch the checkers see.
enum class Watch : std::uint8_t {
  Nothing,
  Sample,  ///< a few blocks of each launch, and only properties that one block decides
  Everything
};

/// What the grader asks about the work of a program: measurements, estimates, checkers. A device implements
/// what it can.
class DeviceInstrumentation {
 public:
  virtual ~DeviceInstrumentation() = default;

  /// Prepares a measurement: puts work on the default stream that leaves the caches cold and takes long
  /// enough for the host to issue `operations` behind it.
  virtual Status start_cold(std::size_t /*operations*/) { return {}; }
  /// The multiprocessors' clock, measured behind the default stream's work; 0 if there is no such clock.
  virtual double measure_clock_mhz() { return 0; }

  /// The estimated time that the card has worked so far, if DeviceSetup::tells_time is on; else 0.
  [[nodiscard]] virtual double busy_ns() const { return 0; }
  /// Sets where launches report their progress while they run, for devices that can.
  virtual void report_progress(LaunchBoard* /*board*/) {}

  /// How much the checkers, if any, see of the next launches. Everything at first.
  virtual void watch(Watch /*what*/) {}
  /// Begin and end a call of an entry, for devices that know more about a call than its launches.
  virtual void begin_call(WatchedCall /*call*/) {}
  virtual CallFacts end_call() { return {}; }
  /// The checkers' findings since the last call of this function; empty without checkers.
  virtual std::vector<sim::Finding> take_findings() { return {}; }
  /// The program has copied these bytes to itself; the call came from `frames` (sim::Finding::frames).
  virtual void read_by_host(const sim::DeviceRange& /*bytes*/, std::span<const std::uint64_t> /*frames*/) {}
  /// The program's next operation, or one that its host has done: for checkers of the order of streams.
  virtual sim::StreamUse stream_operation(const sim::StreamOperation& /*operation*/) {
    return sim::StreamUse::Nobody;
  }
  /// A program has ended without freeing these allocations.
  virtual void left_behind(std::span<const sim::Leak> /*left*/) {}
};

class DeviceGroup;  // device_group.h

class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceProperties& properties() const = 0;
  /// Not ok: nothing works any more on this device, and it must be replaced.
  [[nodiscard]] virtual Status health() const { return {}; }
  /// Not null if this is a group of several devices.
  [[nodiscard]] virtual DeviceGroup* group() { return nullptr; }

  [[nodiscard]] virtual DeviceMemory& memory() = 0;
  [[nodiscard]] virtual DeviceModules& modules() = 0;
  [[nodiscard]] virtual DeviceOperations& operations() = 0;
  [[nodiscard]] virtual DeviceStreams& streams() = 0;
  [[nodiscard]] virtual DeviceInstrumentation& instrumentation() = 0;
};

/// A device whose parts are one class.
class WholeDevice : public Device,
                    public DeviceMemory,
                    public DeviceModules,
                    public DeviceOperations,
                    public DeviceStreams,
                    public DeviceInstrumentation {
 public:
  [[nodiscard]] DeviceMemory& memory() final { return *this; }
  [[nodiscard]] DeviceModules& modules() final { return *this; }
  [[nodiscard]] DeviceOperations& operations() final { return *this; }
  [[nodiscard]] DeviceStreams& streams() final { return *this; }
  [[nodiscard]] DeviceInstrumentation& instrumentation() final { return *this; }
};

}  // namespace cudalabs
